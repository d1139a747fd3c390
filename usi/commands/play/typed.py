"""Moves as people type them: USI, digits, CSA, Japanese with or without the origin, or in Western letters."""
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from engine import Position
from engine.notation.relation import WORDS, related
from engine.text.japanese import KIND_NAMES, RANK_DIGITS
from engine.text.pieces import (
    FILES,
    GOLD,
    LETTERS,
    PROMOTED,
    RANKS,
    SQUARES,
    WHITE_PIECE,
    square_name,
)
from usi.commands.illegal import explain_illegal, moves_so
from usi.commands.wording import last_move
from usi.language import _, piece_name, side_name, square_text

EXAMPLES = "7g7f, 2b3c+, P*5e, 76歩, ７六歩, 同銀, 33角成, 55歩打, P-7f"

_CSA_NAMES = " FU KY KE GI KA HI KI OU TO NY NK NG UM RY".split(" ")
_LONG_NAMES = {"成香": 10, "成桂": 11, "成銀": 12, "王": 8, "竜": 14}
_KINDS = {name: kind for kind, name in enumerate(KIND_NAMES) if kind} | _LONG_NAMES

_SQUARE = f"[1-9][1-9{RANKS}]"
_FORMS = (
    # 7g7f, 7776, 2b3c+
    re.compile(rf"(?P<origin>{_SQUARE})[-x]?(?P<target>{_SQUARE})(?P<promotion>[+=])?"),
    # P*5e
    re.compile(rf"(?P<letter>[PLNSGBR])(?P<drop>\*)(?P<target>{_SQUARE})", re.IGNORECASE),
    # +7776FU, 0055FU
    re.compile(rf"[+-]?(?P<origin>00|[1-9]{{2}})(?P<target>[1-9]{{2}})(?P<csa>{'|'.join(_CSA_NAMES[1:])})",
               re.IGNORECASE),
    # 76歩, 同銀右成, 55歩打, 33角(88)
    re.compile(rf"(?:同|(?P<target>{_SQUARE})同?)(?P<piece>{'|'.join(sorted(_KINDS, key=len, reverse=True))})"
               rf"(?P<relation>[{WORDS}]*)(?P<promotion>不成|成|生)?(?P<drop>打)?(?:\((?P<origin>[1-9]{{2}})\))?"),
    # P-7f, G6i-7h, Bx2b+, P*5e
    re.compile(rf"(?P<letter>\+?[PLNSGBRK])(?P<origin>{_SQUARE})?(?:-|x|(?P<drop>['*]))?(?P<target>{_SQUARE})"
               r"(?P<promotion>[+=])?", re.IGNORECASE),
)
_RANKS = str.maketrans(RANK_DIGITS, FILES)


@dataclass(frozen=True)
class Wish:
    """What a typed move says; None is what it does not say."""

    target: int
    kind: int | None = None         # of the piece before it moves; for CSA, after
    after: int | None = None
    origin: int | None = None
    drop: bool | None = None
    promotion: bool | None = None
    relation: str = ""              # of engine.notation.relation


def read_move(position: Position, text: str) -> str:
    """A typed move in USI. ValueError, in a sentence for the person, if it is no move, several, or not legal.

    >>> read_move(Position(), "76歩")
    '7g7f'
    """
    wish = _wish(text, last_move(position))
    legal = [move for move in position.legal_moves() if _fits(position, wish, move)]
    # As in Japanese records, what could be a move on the board is a drop only if that is said.
    if wish.drop is None and any(move[1] != "*" for move in legal):
        legal = [move for move in legal if move[1] != "*"]
    legal = related(legal, position.turn, wish.relation)
    if len(legal) == 1:
        return legal[0]
    if legal:
        raise ValueError(_which(text, sorted(legal)))
    raise ValueError(_why_not(position, wish, text))


def _wish(text: str, previous: str | None) -> Wish:
    plain = unicodedata.normalize("NFKC", text).translate(_RANKS)
    plain = re.sub(r"[\s▲△☗☖▼▽]", "", plain)
    for form in _FORMS:
        match = form.fullmatch(plain)
        if match:
            break
    else:
        raise ValueError(_("'{text}' is neither a move nor a command; moves are written as {examples}, and `help` "
                           "lists the commands", text=text, examples=EXAMPLES))
    found = {"origin": None, "drop": None, "promotion": None, "letter": None, "csa": None, "piece": None,
             "relation": None} | match.groupdict()
    if found["target"]:
        target = _square(found["target"])
    elif previous:
        target = _square(previous[2:4])
    else:
        raise ValueError(_("'{text}': no move came before that 同 could point to", text=text))
    kind = after = None
    if found["letter"]:
        kind = LETTERS.index(found["letter"][-1].upper()) + PROMOTED * found["letter"].startswith("+")
    elif found["piece"]:
        kind = _KINDS[found["piece"]]
    elif found["csa"]:
        after = _CSA_NAMES.index(found["csa"].upper())
    usi = not (kind or after) and found["origin"]       # which says all there is to say
    promotion = {"成": True, "+": True, "不成": False, "生": False, "=": False}.get(found["promotion"] or "")
    if promotion is None and (usi or (found["piece"] and found["origin"])):
        promotion = False
    drop = True if found["drop"] or found["origin"] == "00" else False if found["origin"] else None
    origin = None if drop or not found["origin"] else _square(found["origin"])
    return Wish(target, kind, after, origin, drop, promotion, found["relation"] or "")


def _square(text: str) -> int:
    file, rank = text[0], text[1].lower()
    return FILES.index(file) * 9 + (RANKS.index(rank) if rank in RANKS else FILES.index(rank))


def _fits(position: Position, wish: Wish, move: str) -> bool:
    """Whether a move, legal or not, is what the words say, its relation to others left aside."""
    if _square(move[2:4]) != wish.target:
        return False
    if move[1] == "*":
        kind = LETTERS.index(move[0])
        return wish.drop is not False and wish.promotion is None and kind == (wish.kind or wish.after)
    kind, promotes = position.piece_at(move[:2]) % WHITE_PIECE, move.endswith("+")
    return (not wish.drop
            and wish.kind in (kind, None) and wish.after in (kind + PROMOTED * promotes, None)
            and wish.origin in (_square(move[:2]), None)
            and wish.promotion in (promotes, None))


def _which(text: str, moves: list[str]) -> str:
    choices = _(" or ").join(moves)
    if len({move[:4] for move in moves}) == 1:
        return _("'{text}' may promote or not: type {choices}, or 成 or 不成 behind it", text=text, choices=choices)
    return _("'{text}' can be several moves: type {choices}", text=text, choices=choices)


def _why_not(position: Position, wish: Wish, text: str) -> str:
    """Why no legal move is what the words say: the reasons against each move that it could mean."""
    candidates = [move for move in _conceivable(position, wish) if _fits(position, wish, move)]
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
                 side=side_name(position.turn), square=square_text(square_name(wish.target)))
    reasons = list(dict.fromkeys(filter(None, (explain_illegal(position, move) for move in likely or candidates))))
    if not reasons:
        return _("'{text}': {words} points to none of {moves}", text=text, words=wish.relation,
                 moves=", ".join(likely))
    return _("'{text}': {reasons}", text=text, reasons="; ".join(reasons))


def _conceivable(position: Position, wish: Wish) -> Iterable[str]:
    """Moves to the square asked for by every own piece of the kind, or by the one named, possible or not."""
    board, target = position.placement.board, square_name(wish.target)
    origins = [wish.origin] if wish.origin is not None else [
        square for square in range(SQUARES) if board[square] and board[square] // WHITE_PIECE == position.turn]
    suffixes = ("", "+") if wish.after else ("+",) if wish.promotion else ("",)     # CSA says it by the name
    if not wish.drop:
        yield from (square_name(origin) + target + suffix for origin in origins for suffix in suffixes)
    kind = wish.kind or wish.after
    in_hand = kind and kind <= GOLD and (wish.drop or LETTERS[kind] in position.hand(position.turn))
    if wish.drop is not False and kind and in_hand:
        yield f"{LETTERS[kind]}*{target}"
