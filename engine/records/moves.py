"""The functions that `Position` uses: diagrams and pictures of a position, and moves in every notation, written and
read."""
import re
from collections.abc import Callable

from engine.board import Position
from engine.errors import Listed, UserError
from engine.records.csa import csa_to_usi, usi_to_csa
from engine.records.japanese import SIDE_MARKS
from engine.records.ki2 import ki2_to_usi, usi_to_ki2
from engine.records.kif import kif_to_usi, usi_to_kif
from engine.records.pgn import parts_of, pgn_to_usi
from engine.records.picture import draw as draw
from engine.records.record import require_legal
from engine.records.svg import draw_svg as draw_svg
from engine.sfen import MOVE, NULL_MOVE

Previous = str | None       # the move before, in USI, for 同

_WRITERS: dict[str, Callable[[Position, str, Previous], str]] = {
    "japanese": lambda position, usi, previous: SIDE_MARKS[position.turn] + usi_to_ki2(position, usi, previous),
    "kif": usi_to_kif,
    "csa": lambda position, usi, _previous: usi_to_csa(position, usi),
    "western": lambda position, usi, _previous: usi_to_western(position, usi),
}
NOTATIONS = tuple(_WRITERS)

_CSA = re.compile(r"[+-]?[0-9]{4}[A-Z]{2}", re.ASCII)
_KIF = re.compile(r"[▲△☗☖▼▽⛊⛉]?[同1-9１-９].*\([1-9]{2}\)")
_JAPANESE = re.compile(r"[▲△☗☖▼▽⛊⛉同１-９]|[1-9][1-9一二三四五六七八九][^1-9a-zA-Z]")


def format_move(position: Position, usi: str, notation: str = "japanese") -> str:
    """A legal move in one of NOTATIONS. Raises UserError if it is not legal, or there is no such notation."""
    if notation not in _WRITERS:
        raise UserError("{notation!r} is no notation of moves; choose from {notations}", notation=notation,
                        notations=Listed(NOTATIONS))
    return _WRITERS[notation](position, usi, _previous(position))


def parse_move(position: Position, text: str) -> str:
    """The USI form of a move written in USI, in one of NOTATIONS or as XBoard writes it. Raises UserError if it is no
    move, not legal, or could be several."""
    if MOVE.fullmatch(text):
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
    return moves[-1] if moves and moves[-1] != NULL_MOVE else None


def usi_to_western(position: Position, usi: str) -> str:
    """A legal move in Western notation, which `pgn_to_usi` reads. Raises UserError if it is not legal.

    >>> [usi_to_western(Position(), move) for move in ("7g7f", "6i5h")]
    ['P-7f', 'G6i-5h']
    """
    require_legal(position, usi, usi)
    if usi[1] == "*":
        return usi
    letter, rivals, promotion = parts_of(position, usi)
    sign = "x" if position.piece_at(usi[2:4]) else "-"
    return letter + usi[:2] * bool(rivals) + sign + usi[2:4] + promotion
