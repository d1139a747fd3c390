"""The parts of a written move, typed or in a record, and the legal moves that fit them."""
import re
import unicodedata
from dataclasses import dataclass

from engine.board import Position
from engine.pieces import FILES, LETTERS, PROMOTED, RANKS, WHITE_PIECE, square_index, square_name
from engine.records.japanese import KIND_NAMES, RANK_DIGITS
from engine.records.relation import WORDS, related

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
    """The parts of a move as it is written; None for each part that it leaves out. Files and ranks count from 0."""

    target: int | None              # None if it is 同 and there was no move before
    kind: int | None = None         # the kind of the piece before the move
    after: int | None = None        # the kind of the piece after it; CSA names this one
    file: int | None = None         # where it comes from
    rank: int | None = None
    drop: bool | None = None
    promotion: bool | None = None
    relation: str = ""              # of engine.records.relation

    @property
    def origin(self) -> int | None:
        """The square that the move begins on; None unless file and rank are known."""
        return None if self.file is None or self.rank is None else 9 * self.file + self.rank

    @property
    def target_name(self) -> str:
        """The target in USI."""
        assert self.target is not None
        return square_name(self.target)


def read_wish(text: str, previous: str | None) -> Wish | None:
    """The parts of a typed move; None if the text is no move. 同 refers to the target of `previous`, a move in USI."""
    plain = unicodedata.normalize("NFKC", text).translate(_RANKS)
    plain = re.sub(r"[\s▲△☗☖▼▽⛊⛉]", "", plain)
    match = next(filter(None, (form.fullmatch(plain) for form in _FORMS)), None)
    if not match:
        return None
    found = {"origin": None, "drop": None, "promotion": None, "letter": None, "csa": None, "piece": None,
             "relation": None} | match.groupdict()
    target = found["target"] or (previous and previous[2:4])
    kind = after = None
    if found["letter"]:
        kind = LETTERS.index(found["letter"][-1].upper()) + PROMOTED * found["letter"].startswith("+")
    elif found["piece"]:
        kind = _KINDS[found["piece"]]
    elif found["csa"]:
        after = _CSA_NAMES.index(found["csa"].upper())
    usi = not (kind or after) and found["origin"]       # which is complete
    promotion = {"成": True, "+": True, "不成": False, "生": False, "=": False}.get(found["promotion"] or "")
    if promotion is None and (usi or (found["piece"] and found["origin"])):
        promotion = False
    drop = True if found["drop"] or found["origin"] == "00" else False if found["origin"] else None
    file, rank = (None, None) if drop or not found["origin"] else divmod(_square(found["origin"]), 9)
    return Wish(_square(target) if target else None, kind, after, file, rank, drop, promotion, found["relation"] or "")


def fitting(position: Position, wish: Wish) -> list[str]:
    """The legal moves, in USI, that fit the typed move."""
    legal = [move for move in position.legal_moves() if fits(position, wish, move)]
    # As in Japanese records, a drop has to be named where a piece on the board could make the move.
    if wish.drop is None and any(move[1] != "*" for move in legal):
        legal = [move for move in legal if move[1] != "*"]
    return related(legal, position.turn, wish.relation)


def _square(text: str) -> int:
    file, rank = text[0], text[1].lower()
    return FILES.index(file) * 9 + (RANKS.index(rank) if rank in RANKS else FILES.index(rank))


def fits(position: Position, wish: Wish, move: str) -> bool:
    """Whether a move, legal or not, fits the words, apart from the words that relate it to other pieces."""
    if square_index(move[2:4]) != wish.target:
        return False
    if move[1] == "*":
        kind = LETTERS.index(move[0])
        return wish.drop is not False and wish.promotion is None and kind == (wish.kind or wish.after)
    kind, promotes = position.piece_at(move[:2]) % WHITE_PIECE, move.endswith("+")
    file, rank = divmod(square_index(move[:2]), 9)
    return (not wish.drop
            and wish.kind in (kind, None) and wish.after in (kind + PROMOTED * promotes, None)
            and wish.file in (file, None) and wish.rank in (rank, None)
            and wish.promotion in (promotes, None))
