"""Explanations of the tables' evaluation, by term, pair and piece."""
import itertools
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine import BLACK, WHITE, Position
from engine.pieces import KING, SQUARES, WHITE_PIECE
from engine.sfen import parse_sfen
from eval.arrays import Array
from eval.features import INVERSE, MIRROR, pieces_of
from eval.loading import read_expanded
from eval.material import balance
from eval.tables import SCALE
from usi.commands.explain.board import HEADING, in_hand, on_board, picture, score_line, shown_name
from usi.words.language import _, language, side_name
from usi.words.wording import pad, pad_left

HEAVIEST = 10       # pairs that are named
PAIR_COLUMNS, JAPANESE_PAIR_COLUMNS = (4, 5, 5), (8, 10, 10)    # of the king and the two pieces


@dataclass(frozen=True)
class Tables:
    """KK, KKP and KPP, in units of 1 / scale centipawn, int16.

    kk[81][81][2] and kkp[81][81][1548][2] by Black's and White's king, for Black and for the side to move;
    kpp[45][1198926] by the own king on files 1 to 5, and hi * (hi + 1) / 2 + lo for two features; tempo for the side to
    move."""

    kk: Array
    kkp: Array
    kpp: Array
    tempo: int
    scale: int


def read_tables(path: Path) -> Tables:
    """The tables of a weights file. Raises OSError if it cannot be read, UserError if it is broken (see
    eval.loading)."""
    return Tables(*read_expanded(path), SCALE)


class Pair(NamedTuple):
    """Two pieces as one king sees them. Pieces are named as "G7h", White's in small letters, in hand as "P*2", the
    second pawn."""

    king: str
    pieces: tuple[str, str]
    centipawns: float


@dataclass(frozen=True)
class TablesExplanation:
    """The parts of an evaluation, in centipawns for Black, not rounded."""

    sfen: str
    material: int
    kk: float = 0
    kkp: tuple[float, float] = (0, 0)       # of Black's pieces, of White's
    kpp: tuple[float, float] = (0, 0)       # as Black's king sees them, as White's does
    kk_turn: float = 0                      # KK and KKP for the side to move
    kkp_turn: tuple[float, float] = (0, 0)
    tempo: float = 0
    pairs: tuple[Pair, ...] = ()            # that weigh most, the heaviest first
    shares: dict[str, float] | None = None  # of pieces in KKP, KPP (half of each pair) and KK (half to each king)

    @property
    def for_black(self) -> float:
        return (self.material + self.kk + sum(self.kkp) + sum(self.kpp) + self.kk_turn + sum(self.kkp_turn)
                + self.tempo)

    @property
    def score(self) -> int:
        """The score for the side to move in centipawns, rounded towards 0. (The search also keeps it out of the range
        of mate scores.)"""
        return int(-self.for_black if parse_sfen(self.sfen).turn else self.for_black)


def explain(position: Position, tables: Tables | None) -> TablesExplanation:
    """Take the evaluation of a position apart. Without tables, or where a king is missing, it is the material."""
    board = position.placement.board
    material = balance(position)
    if tables is None or KING not in board or KING + WHITE_PIECE not in board:
        return TablesExplanation(position.sfen, material)
    black_king, white_king = board.index(KING), board.index(KING + WHITE_PIECE)
    king_names = on_board(KING, black_king), on_board(KING + WHITE_PIECE, white_king)
    pieces = pieces_of(position)
    names = [in_hand(piece, unit) if unit else on_board(piece, square) for _feature, piece, square, unit in pieces]
    features = [feature for feature, *_ in pieces]
    mover = -1 if position.turn else 1
    # For Black, and for whoever moves.
    kk, kk_turn = (sign * float(tables.kk[black_king, white_king, for_turn]) / tables.scale
                   for for_turn, sign in enumerate((1, mover)))
    kkp, kkp_turn = ([sign * float(tables.kkp[black_king, white_king, feature, for_turn]) / tables.scale
                      for feature in features] for for_turn, sign in enumerate((1, mover)))
    halves = (_half(tables, black_king, features, 1),
              _half(tables, SQUARES - 1 - white_king, [INVERSE[feature] for feature in features], -1))
    shares = [worth + moving + sum(sum(half[i]) for half in halves) / 2
              for i, (worth, moving) in enumerate(zip(kkp, kkp_turn, strict=True))]
    return TablesExplanation(
        position.sfen,
        material,
        kk,
        (_sum_of_side(kkp, pieces, False), _sum_of_side(kkp, pieces, True)),
        (sum(map(sum, halves[0])) / 2, sum(map(sum, halves[1])) / 2),
        kk_turn,
        (_sum_of_side(kkp_turn, pieces, False), _sum_of_side(kkp_turn, pieces, True)),
        mover * tables.tempo / tables.scale,
        _heaviest(king_names, names, halves),
        dict(zip(names, shares, strict=True)) | dict.fromkeys(king_names, (kk + kk_turn) / 2),
    )


def _sum_of_side(worths: list[float], pieces: list[tuple[int, int, int, int]], white: bool) -> float:
    return sum(worth for worth, (_feature, piece, *_place) in zip(worths, pieces, strict=True)
               if (piece >= WHITE_PIECE) == white)


def _half(tables: Tables, king: int, features: list[int], sign: int) -> list[list[float]]:
    """The value of each pair of pieces for a king: symmetric, 0 on the diagonal."""
    if king >= len(tables.kpp):
        king, features = (8 - king // 9) * 9 + king % 9, [MIRROR[feature] for feature in features]
    half = [[0.0] * len(features) for _feature in features]
    for (i, one), (j, other) in itertools.combinations(enumerate(features), 2):
        high, low = max(one, other), min(one, other)
        half[i][j] = half[j][i] = sign * int(tables.kpp[king, high * (high + 1) // 2 + low]) / tables.scale
    return half


def _heaviest(kings: tuple[str, str], names: list[str],
              halves: tuple[list[list[float]], list[list[float]]]) -> tuple[Pair, ...]:
    pairs = [Pair(king, (names[i], names[j]), half[i][j])
             for king, half in zip(kings, halves, strict=True)
             for i, j in itertools.combinations(range(len(names)), 2)]
    return tuple(sorted(pairs, key=lambda pair: -abs(pair.centipawns))[:HEAVIEST])


def as_json(found: TablesExplanation) -> dict[str, Any]:
    """The object of `engine eval --json`."""
    return {**asdict(found), "pairs": [pair._asdict() for pair in found.pairs],
            "for_black": found.for_black, "score": found.score}


def as_lines(found: TablesExplanation, width: int | None = None) -> list[str]:
    """The lines for the terminal; a narrow terminal gets a picture that fits its columns."""
    if found.shares is None:
        terms = [_("material {material:+}, without tables", material=found.material)]
    else:
        terms = [
            " ".join([pad(_("for Black"), HEADING),
                      *(pad_left(head, 9) for head in (side_name(BLACK), side_name(WHITE), _("sum")))]),
            _term(_("material"), found.material),
            _term("KK", found.kk),
            _term(_("KKP, by owner"), sum(found.kkp), found.kkp),
            _term(_("KPP, by king"), sum(found.kpp), found.kpp),
            _term(_("KK, turn"), found.kk_turn),
            _term(_("KKP, turn"), sum(found.kkp_turn), found.kkp_turn),
            _term(_("tempo"), found.tempo),
            _term(_("in all"), found.for_black),
            "",
            *map(_pair, found.pairs),
            "",
            *picture(found.sfen, found.shares, width),
        ]
    cut_off = "" if float(found.for_black).is_integer() else _(" (cut off to whole ones)")
    return [*terms, "", score_line(found.sfen, found.score) + cut_off]


def _pair(pair: Pair) -> str:
    columns = JAPANESE_PAIR_COLUMNS if language() == "ja" else PAIR_COLUMNS
    names = [shown_name(name) for name in (pair.king, *pair.pieces)]
    return " ".join([*map(pad, names, columns), f"{pair.centipawns:+9.1f}"])


def _term(name: str, total: float, sides: tuple[float, float] | None = None) -> str:
    parts = "".join(f" {part:+9.1f}" for part in sides) if sides else " " * 20
    return f"{pad(name, HEADING)}{parts} {total:+9.1f}"
