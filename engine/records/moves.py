"""Moves in every notation: written as asked for, and read in whichever they are in."""
import re
from collections.abc import Callable

from engine.board import Position
from engine.errors import UserError
from engine.records.csa import csa_to_usi, usi_to_csa
from engine.records.japanese import MARKS
from engine.records.ki2 import ki2_to_usi, usi_to_ki2
from engine.records.kif import kif_to_usi, usi_to_kif
from engine.records.pgn import pgn_to_usi
from engine.records.record import require_legal
from engine.records.western import usi_to_western

Previous = str | None       # the move before, in USI, for 同

_WRITERS: dict[str, Callable[[Position, str, Previous], str]] = {
    "japanese": lambda position, usi, previous: MARKS[position.turn] + usi_to_ki2(position, usi, previous),
    "kif": usi_to_kif,
    "csa": lambda position, usi, _previous: usi_to_csa(position, usi),
    "western": lambda position, usi, _previous: usi_to_western(position, usi),
}
NOTATIONS = tuple(_WRITERS)

_USI = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_CSA = re.compile(r"[+-]?[0-9]{4}[A-Z]{2}", re.ASCII)
_KIF = re.compile(r"[▲△☗☖▼▽⛊⛉]?[同1-9１-９].*\([1-9]{2}\)")
_JAPANESE = re.compile(r"[▲△☗☖▼▽⛊⛉同１-９]|[1-9][1-9一二三四五六七八九][^1-9a-zA-Z]")


def format_move(position: Position, usi: str, notation: str = "japanese") -> str:
    """A legal move in one of NOTATIONS; UserError if it is not legal, or there is no such notation."""
    if notation not in _WRITERS:
        raise UserError(f"{notation!r} is no notation of moves; choose from {', '.join(NOTATIONS)}")
    return _WRITERS[notation](position, usi, _previous(position))


def parse_move(position: Position, text: str) -> str:
    """A move in USI, or in one of NOTATIONS, or as XBoard writes it, in USI; UserError if it is none, not legal, or
    could be several."""
    if _USI.fullmatch(text):
        require_legal(position, text, text)
        return text
    if _CSA.fullmatch(text):
        return csa_to_usi(position, text)
    if _KIF.fullmatch(text):
        return kif_to_usi(position, text, _previous(position))
    if _JAPANESE.match(text):
        return ki2_to_usi(position, text, _previous(position))
    return pgn_to_usi(position, text)


def _previous(position: Position) -> Previous:
    moves = position.moves
    return moves[-1] if moves else None
