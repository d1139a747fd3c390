"""The command `engine eval`: what the evaluation sees in a position, term by term and piece by piece."""
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import click
import numpy as np
from numpy.typing import NDArray

from engine import Position
from engine.notation.pieces import FILES, HAND_ORDER, KING, RANKS, SIDES, SQUARES, WHITE_PIECE, row_slice
from engine.notation.sfen import SYMBOLS, parse_sfen
from eval.features import INVERSE, MIRROR, pieces_of
from eval.fold import BONANZA
from eval.loading import read_expanded, weights_file
from eval.material import balance
from eval.tables import SCALE
from usi.commands.faults import usage_error
from usi.commands.terminal import columns, evaluation_option, position_or_exit, show

HEAVIEST = 10       # pairs that are named
CELL = 7            # characters to a square of the picture
NARROW_CELL = 6     # … without decimals


class Tables(Protocol):
    """KK, KKP and KPP for Black, in units of 1 / scale centipawn, int16.

    kk[81][81] and kkp[81][81][1548] by Black's and White's king; kpp[45][1198926] by the own king on files 1 to 5, and
    hi * (hi + 1) / 2 + lo for two features; tempo for the side to move."""

    @property
    def kk(self) -> NDArray[np.int16]: ...
    @property
    def kkp(self) -> NDArray[np.int16]: ...
    @property
    def kpp(self) -> NDArray[np.int16]: ...
    @property
    def tempo(self) -> int: ...
    @property
    def scale(self) -> int: ...


@dataclass(frozen=True)
class ExpandedTables:
    """See `Tables`."""

    kk: NDArray[np.int16]
    kkp: NDArray[np.int16]
    kpp: NDArray[np.int16]
    tempo: int
    scale: int


def read_tables(path: Path) -> ExpandedTables:
    """The tables of a weights file. OSError if it cannot be read, ValueError if it is broken (see eval.loading)."""
    return ExpandedTables(*read_expanded(path), SCALE)


class Pair(NamedTuple):
    """Two pieces as one king sees them. Pieces are named as "G7h", White's in small letters, in hand as "P*2", the
    second pawn."""

    king: str
    pieces: tuple[str, str]
    centipawns: float


@dataclass(frozen=True)
class Explanation:
    """In centipawns for Black, not rounded."""

    sfen: str
    material: int
    kk: float = 0
    kkp: tuple[float, float] = (0, 0)       # of Black's pieces, of White's
    kpp: tuple[float, float] = (0, 0)       # as Black's king sees them, as White's does
    tempo: float = 0
    pairs: tuple[Pair, ...] = ()            # that weigh most, the heaviest first
    shares: dict[str, float] | None = None  # of pieces in KKP, KPP (half of each pair) and KK (half to each king)

    @property
    def for_black(self) -> float:
        return self.material + self.kk + sum(self.kkp) + sum(self.kpp) + self.tempo

    @property
    def score(self) -> int:
        """For the side to move, cut off towards 0. (The search also keeps it apart from the scores of mates.)"""
        return int(-self.for_black if parse_sfen(self.sfen).turn else self.for_black)


def explain(position: Position, tables: Tables | None) -> Explanation:
    """Take the evaluation of a position apart. Without tables, or where a king is missing, it is the material."""
    board = position.placement.board
    material = balance(position)
    if tables is None or KING not in board or KING + WHITE_PIECE not in board:
        return Explanation(position.sfen, material)
    black_king, white_king = board.index(KING), board.index(KING + WHITE_PIECE)
    king_names = _on_board(KING, black_king), _on_board(KING + WHITE_PIECE, white_king)
    pieces = pieces_of(position)
    names = [_in_hand(piece, unit) if unit else _on_board(piece, square) for _, piece, square, unit in pieces]
    features = np.array([feature for feature, *_ in pieces], np.intp)
    whites = np.array([piece >= WHITE_PIECE for _, piece, *_ in pieces], bool)

    kk = float(tables.kk[black_king, white_king]) / tables.scale
    kkp = tables.kkp[black_king, white_king, features] / tables.scale
    halves = (_half(tables, black_king, features), -_half(tables, SQUARES - 1 - white_king, INVERSE[features]))
    shares = kkp + sum(half.sum(axis=0) for half in halves) / 2
    return Explanation(
        position.sfen,
        material,
        kk,
        (float(kkp[~whites].sum()), float(kkp[whites].sum())),
        (float(halves[0].sum() / 2), float(halves[1].sum() / 2)),
        (-tables.tempo if position.turn else tables.tempo) / tables.scale,
        _heaviest(king_names, names, halves),
        dict(zip(names, shares.tolist(), strict=True)) | dict.fromkeys(king_names, kk / 2),
    )


def _half(tables: Tables, king: int, features: NDArray[Any]) -> NDArray[np.float64]:
    """What each two pieces are worth to a king: symmetric, nothing for a piece with itself."""
    if king >= len(tables.kpp):
        king, features = int(BONANZA.king_mirror[king]), MIRROR[features]
    features = features.astype(np.intp)     # they are multiplied
    high, low = np.maximum.outer(features, features), np.minimum.outer(features, features)
    half: NDArray[np.float64] = tables.kpp[king, high * (high + 1) // 2 + low] / tables.scale
    np.fill_diagonal(half, 0)
    return half


def _heaviest(kings: tuple[str, str], names: list[str],
              halves: tuple[NDArray[np.float64], NDArray[np.float64]]) -> tuple[Pair, ...]:
    first, second = np.triu_indices(len(names), 1)
    pairs = [Pair(king, (names[i], names[j]), float(half[i, j]))
             for king, half in zip(kings, halves, strict=True) for i, j in zip(first, second, strict=True)]
    return tuple(sorted(pairs, key=lambda pair: -abs(pair.centipawns))[:HEAVIEST])


def _on_board(piece: int, square: int) -> str:
    return SYMBOLS[piece] + FILES[square // 9] + RANKS[square % 9]


def _in_hand(piece: int, unit: int) -> str:
    return f"{SYMBOLS[piece]}*{unit}"


def as_json(found: Explanation) -> dict[str, Any]:
    """For `engine eval --json`."""
    return {**asdict(found), "pairs": [pair._asdict() for pair in found.pairs],
            "for_black": found.for_black, "score": found.score}


def as_lines(found: Explanation, width: int | None = None) -> list[str]:
    """For the terminal; the picture is for one of so many columns, if they are few."""
    if found.shares is None:
        terms = [f"material {found.material:+}, without tables"]
    else:
        terms = [
            f"{'for Black':13} {'Black':>9} {'White':>9} {'sum':>9}",
            _term("material", found.material),
            _term("KK", found.kk),
            _term("KKP, by owner", sum(found.kkp), found.kkp),
            _term("KPP, by king", sum(found.kpp), found.kpp),
            _term("tempo", found.tempo),
            _term("in all", found.for_black),
            "",
            *(f"{pair.king:4} {pair.pieces[0]:5} {pair.pieces[1]:5} {pair.centipawns:+9.1f}" for pair in found.pairs),
            "",
            *_picture(found.sfen, found.shares, is_narrow=width is not None and width < 9 * CELL + 3),
        ]
    side = SIDES[parse_sfen(found.sfen).turn]
    return [*terms, "", f"score {found.score:+} centipawns for {side}, who is to move"]


def _term(name: str, total: float, sides: tuple[float, float] | None = None) -> str:
    parts = "".join(f" {part:+9.1f}" for part in sides) if sides else " " * 20
    return f"{name:13}{parts} {total:+9.1f}"


def _picture(sfen: str, shares: dict[str, float], is_narrow: bool) -> list[str]:
    """The board, each piece's share below it, and the hands' with the sum for each kind."""
    cell, decimals = (NARROW_CELL, 0) if is_narrow else (CELL, 1)
    board, hands, *_ = parse_sfen(sfen)
    squares = list(range(SQUARES))

    def share(square: int) -> str:
        worth = shares[_on_board(board[square], square)] if board[square] else None
        return " " * cell if worth is None else f"{worth:+{cell}.{decimals}f}"

    def hand(side: int) -> str:
        sums = {SYMBOLS[kind + WHITE_PIECE * side]: count for kind in HAND_ORDER if (count := hands[side][kind])}
        worth = (f"{count if count > 1 else ''}{symbol} "
                 f"{sum(shares[f'{symbol}*{unit}'] for unit in range(1, count + 1)):+.1f}"
                 for symbol, count in sums.items())
        return f"{SIDES[side]}'s hand: {', '.join(worth) or '-'}"

    lines = [hand(1), "".join(f"{file:>{cell}}" for file in reversed(FILES))]
    for rank, letter in enumerate(RANKS):
        row = squares[row_slice(rank)]
        lines.append("".join(f"{SYMBOLS[board[square]]:>{cell}}" for square in row) + f"  {letter}")
        lines.append("".join(map(share, row)).rstrip())
    return [*lines, hand(0)]


@click.command("eval", short_help="Say what a position is worth and why.")
@click.argument("position", nargs=-1, metavar="[POSITION]")
@evaluation_option
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the lines.")
def evaluate(position: tuple[str, ...], evaluation: str | None, to_json: bool) -> None:
    """Say what a position is worth and why: term by term, by the pairs of pieces that weigh most, by each piece.

    POSITION is an SFEN or 'startpos moves …', as USI has it; without it, the start of the game.
    """
    path = weights_file(evaluation)
    explained = position_or_exit(" ".join(position))
    try:
        found = explain(explained, read_tables(path) if path else None)
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    if to_json:
        click.echo(json.dumps(as_json(found), indent=2))
    else:
        show(*as_lines(found, columns()))
