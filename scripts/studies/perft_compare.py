"""Speed of move generation: our perft and PyPI cshogi's take turns in one run.

    python -m scripts.studies.perft_compare [--rounds N]

cshogi's figure is its Python loop with `len(board.legal_moves)` at the last ply. Nearly all of that time passes in its
C++ generator, so it serves as the measure of the machine, and goals are multiples of it. On one machine, in million
leaves a second, the loop did 68, 245 and 281; the best peers in C++ and Rust, counting the last ply, reached 3.56, 2.94
and 7.47 times that; and cshogi's own core made and unmade every leaf at 55, 53 and 55.
"""
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

import click

try:
    import cshogi
except ImportError:
    sys.exit("cshogi is not installed; it comes with this package's test extra: pip install cshogi")

from engine import STARTPOS_SFEN, Position
from scripts.cli.command import command
from scripts.cli.options import COUNT

MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
MOVES_593 = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
SHORTEST = 0.2  # seconds of one measurement


class Column(NamedTuple):
    """A position, how deep each of the three counts goes, and our goals in multiples of the loop."""

    name: str
    sfen: str
    counted_depth: int
    played_depth: int
    loop_depth: int
    counted_goal: float
    played_goal: float


# The second goal is 1.2 times cshogi's core.
COLUMNS = [
    Column("start", STARTPOS_SFEN, 6, 5, 4, 3.9, 1.2 * 55 / 68),
    Column("matsuri", MATSURI, 4, 3, 3, 3.2, 1.2 * 53 / 245),
    Column("593 moves", MOVES_593, 3, 3, 2, 8.2, 1.2 * 55 / 281),
]


def loop(board: cshogi.Board, depth: int) -> int:
    if depth == 1:
        return len(board.legal_moves)
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += loop(board, depth - 1)
        board.pop()
    return leaves


def speed(count: Callable[[], int]) -> float:
    """Million leaves a second of a count, repeated until it has taken long enough to be timed."""
    leaves, passed = 0, 0.0
    start = time.perf_counter()
    while passed < SHORTEST:
        leaves += count()
        passed = time.perf_counter() - start
    return leaves / passed / 1e6


def measure(column: Column) -> tuple[float, float, float]:
    """One round: the loop, our perft, and our perft that plays every leaf."""
    position, board = Position(column.sfen), cshogi.Board(column.sfen)
    return (
        speed(lambda: loop(board, column.loop_depth)),
        speed(lambda: position.perft(column.counted_depth)),
        speed(lambda: position.perft(column.played_depth, bulk=False)),
    )


@command(__doc__)
@click.option("--rounds", type=COUNT, default=5, show_default=True, help="Rounds, of which the median counts.")
def main(rounds: int) -> None:
    row = "{:<11}{:>12}{:>14}{:>9}{:>8}  {:<6}{:>14}{:>9}{:>8}  {:<6}"
    heads = ("ratio", "goal", "", "make/unmake", "ratio", "goal", "")
    print(row.format("position", "cshogi loop", "last counted", *heads).rstrip())
    met = True
    for column in COLUMNS:
        theirs, counted, played = zip(*(measure(column) for _ in range(rounds)), strict=True)
        cells: list[str] = []
        for ours, goal in ((counted, column.counted_goal), (played, column.played_goal)):
            # A ratio within one round leaves out what else the machine does from round to round.
            ratio = median(mine / its for mine, its in zip(ours, theirs, strict=True))
            met &= ratio >= goal
            cells += [f"{median(ours):.0f}", f"{ratio:.2f}", f"{goal:.2f}", "met" if ratio >= goal else "MISSED"]
        print(row.format(column.name, f"{median(theirs):.0f}", *cells).rstrip(), flush=True)
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
