"""Moves as people type them: USI, digits, CSA, Japanese with or without the origin, or in Western letters."""
from collections.abc import Iterable

from engine import Position
from engine.errors import UserError
from engine.pieces import GOLD, LETTERS, SQUARES, WHITE_PIECE, square_name
from engine.records.wish import Wish, fits, fitting, read_wish
from usi.words.illegal import explain_illegal, moves_so
from usi.words.language import _, piece_name, side_name, square_text
from usi.words.wording import last_move

EXAMPLES = "7g7f, 2b3c+, P*5e, 76歩, ７六歩, 同銀, 33角成, 55歩打, P-7f"

def read_move(position: Position, text: str) -> str:
    """A typed move in USI. UserError, in a sentence for the person, if it is no move, several, or not legal.

    >>> read_move(Position(), "76歩")
    '7g7f'
    """
    wish = _wish(text, last_move(position))
    legal = fitting(position, wish)
    if len(legal) == 1:
        return legal[0]
    if legal:
        raise UserError(_which(text, sorted(legal)))
    raise UserError(_why_not(position, wish, text))


def _wish(text: str, previous: str | None) -> Wish:
    wish = read_wish(text, previous)
    if not wish:
        raise UserError(_("'{text}' is neither a move nor a command; moves are written as {examples}, and `help` "
                          "lists the commands", text=text, examples=EXAMPLES))
    if wish.target is None:
        raise UserError(_("'{text}': no move came before that 同 could point to", text=text))
    return wish


def _which(text: str, moves: list[str]) -> str:
    choices = _(" or ").join(moves)
    if len({move[:4] for move in moves}) == 1:
        return _("'{text}' may promote or not: type {choices}, or 成 or 不成 behind it", text=text, choices=choices)
    return _("'{text}' can be several moves: type {choices}", text=text, choices=choices)


def _why_not(position: Position, wish: Wish, text: str) -> str:
    """Why no legal move is what the words say: the reasons against each move that it could mean."""
    candidates = [move for move in _conceivable(position, wish) if fits(position, wish, move)]
    kind = wish.kind or wish.after
    if not candidates and kind:
        side, piece = side_name(position.turn), piece_name(kind)
        if wish.origin is None:
            return _("'{text}': {side} has no {piece} on the board or in hand", text=text, side=side, piece=piece)
        return _("'{text}': {side} has no {piece} on {square} that moves so", text=text, side=side, piece=piece,
                 square=square_text(square_name(wish.origin)))
    # What does not even move so is worth mentioning only if nothing does.
    likely = [move for move in candidates if moves_so(position, move)]
    if kind and len(candidates) > 1 and not likely:
        return _("'{text}': no {piece} of {side}'s moves to {square}", text=text, piece=piece_name(kind),
                 side=side_name(position.turn), square=square_text(wish.target_name))
    reasons = list(dict.fromkeys(filter(None, (explain_illegal(position, move) for move in likely or candidates))))
    if not reasons:
        return _("'{text}': {words} points to none of {moves}", text=text, words=wish.relation,
                 moves=", ".join(likely))
    return _("'{text}': {reasons}", text=text, reasons="; ".join(reasons))


def _conceivable(position: Position, wish: Wish) -> Iterable[str]:
    """Moves to the square asked for by every own piece of the kind, or by the one named, possible or not."""
    board, target = position.placement.board, wish.target_name
    origins = [wish.origin] if wish.origin is not None else [
        square for square in range(SQUARES) if board[square] and board[square] // WHITE_PIECE == position.turn]
    suffixes = ("", "+") if wish.after else ("+",) if wish.promotion else ("",)     # CSA says it by the name
    if not wish.drop:
        yield from (square_name(origin) + target + suffix for origin in origins for suffix in suffixes)
    kind = wish.kind or wish.after
    in_hand = kind and kind <= GOLD and (wish.drop or LETTERS[kind] in position.hand(position.turn))
    if wish.drop is not False and kind and in_hand:
        yield f"{LETTERS[kind]}*{target}"
