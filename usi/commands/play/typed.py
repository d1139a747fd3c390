"""Moves as people type them: USI, digits, CSA, Japanese with or without the origin, or in Western letters."""
from collections.abc import Iterable

from engine import Position
from engine.errors import Listed, Phrase, UserError
from engine.pieces import GOLD, LETTERS, NAMES, SIDES, SQUARES, WHITE_PIECE, square_name
from engine.records.wish import Wish, fits, fitting, read_wish
from usi.words.illegal import explain_illegal, moves_so
from usi.words.language import language
from usi.words.wording import last_move

EXAMPLES = "7g7f, 2b3c+, P*5e, 76歩, ７六歩, 同銀, 33角成, 55歩打, P-7f"


def read_move(position: Position, text: str, has_commands: bool = True) -> str:
    """A typed move in USI. Raises UserError, in a sentence for the person, if it is no move, several, or not legal; the
    sentence leads to `help` where there are commands.

    >>> read_move(Position(), "76歩")
    '7g7f'
    """
    wish = _wish(text, last_move(position), has_commands)
    legal = fitting(position, wish)
    if len(legal) == 1:
        return legal[0]
    raise _several(position, text, sorted(legal)) if legal else _none(position, wish, text)


def _wish(text: str, previous: str | None, has_commands: bool) -> Wish:
    wish = read_wish(text, previous)
    if not wish and not has_commands:
        raise UserError("'{text}' is no move; moves are written as {examples}", text=text, examples=EXAMPLES)
    if not wish:
        raise UserError("'{text}' is neither a move nor a command; moves are written as {examples}, and `help` lists "
                        "the commands", text=text, examples=EXAMPLES)
    if wish.target is None:
        raise UserError("'{text}': no move came before that 同 could point to", text=text)
    return wish


def _several(position: Position, text: str, moves: list[str]) -> UserError:
    choices = Listed(_shown(position, moves), " or ")
    if len({move[:4] for move in moves}) == 1:
        return UserError("'{text}' may promote or not: type {choices}, or 成 or 不成 behind it", text=text,
                         choices=choices)
    return UserError("'{text}' can be several moves: type {choices}", text=text, choices=choices)


def _shown(position: Position, moves: list[str]) -> list[str]:
    """Legal moves as the reader types them."""
    return moves if language() == "en" else [position.format_move(move)[1:] for move in moves]


def _none(position: Position, wish: Wish, text: str) -> UserError:
    """The error for words that name no legal move: the reasons against each move that they could mean."""
    candidates = [move for move in _conceivable(position, wish) if fits(position, wish, move)]
    kind, side = wish.kind or wish.after, Phrase(SIDES[position.turn])
    if not candidates and kind:
        if wish.origin is None:
            return UserError("'{text}': {side} has no {piece} on the board or in hand", text=text, side=side,
                             piece=Phrase(NAMES[kind]))
        return UserError("'{text}': {side} has no {piece} on {square} that moves so", text=text, side=side,
                         piece=Phrase(NAMES[kind]), square=Phrase(square_name(wish.origin)))
    # A piece that cannot move like this is mentioned only if no piece can.
    likely = [move for move in candidates if moves_so(position, move)]
    if kind and len(candidates) > 1 and not likely:
        return UserError("'{text}': no {piece} of {side}'s moves to {square}", text=text, piece=Phrase(NAMES[kind]),
                         side=side, square=Phrase(wish.target_name))
    reasons = {str(why): why for move in likely or candidates if (why := explain_illegal(position, move))}
    if not reasons:
        return UserError("'{text}': {words} points to none of {moves}", text=text, words=wish.relation,
                         moves=Listed(_shown(position, likely)))
    return UserError("'{text}': {reasons}", text=text, reasons=Listed(reasons.values(), "; "))


def _conceivable(position: Position, wish: Wish) -> Iterable[str]:
    """The moves to this square by every own piece of the kind, or by the piece named, possible or not."""
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
