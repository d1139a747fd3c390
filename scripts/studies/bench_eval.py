"""Time the sums of the evaluation: nanoseconds by kernel, with tables of small random entries.

    python -m scripts.studies.bench_eval [--kernel NAME] [--file PATH]

    update   both sides after a move of another piece than a king; 37 % captures
    king     after a king's move: one side, KKP, and the other side if the king takes
    refresh  the same, the side in full: nothing is known of an earlier stay of the king on its square
    full     both sides and KKP in full, from the board

Hot: some moves of one game, over and over. Cold: moves of many games, so that hardly a cache line is found near by.
The best of several runs counts. With --file, the tables are written there and mapped, as engines that share them do.
"""
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from time import process_time_ns

import click
import numpy as np

from engine import Position
from eval.tables import EvalTables, usable_kernels
from scripts.cli.command import command
from scripts.cli.options import FILE
from scripts.games.openings import OPENINGS, load
from tests.probes import Drill

KING = 8
CAPTURES = 0.37
HOT, COLD = 200, 20_000
HOT_ROUNDS = 500
RUNS = 5


def sample(count: int, games: int, seed: int) -> tuple[list[Position], list[Position]]:
    """So many positions after moves of other pieces than kings, and after kings' moves, drawn from random games."""
    rng = Random(seed)
    openings = load(OPENINGS)
    quiets: list[Position] = []
    captures: list[Position] = []
    kings: list[Position] = []
    for _ in range(games):
        position = Position.from_usi(rng.choice(openings))
        for _ in range(60):
            moves = position.legal_moves()
            if not moves:
                break
            for move in moves:
                drop = "*" in move
                if not drop and position.piece_at(move[:2]) & 15 == KING:
                    chosen = kings
                else:
                    chosen = quiets if drop or not position.piece_at(move[2:4]) else captures
                if len(chosen) < count and (chosen is not quiets or rng.random() < 0.2):
                    child = position.copy()
                    child.push(move)
                    chosen.append(child)
            position.push(rng.choice(moves))
    others = [rng.choice(captures if rng.random() < CAPTURES else quiets) for _ in range(count)]
    return others, [rng.choice(kings) for _ in range(count)]


def nanoseconds(work: Callable[[int], None], moves: int, rounds: int) -> float:
    """For one move, at best."""
    best = float("inf")
    for _ in range(RUNS):
        start = process_time_ns()
        work(rounds)
        best = min(best, (process_time_ns() - start) / (moves * rounds))
    return best


@command(__doc__)
@click.option("--kernel", type=click.Choice(usable_kernels()), help="Only this one.")
@click.option("--file", type=FILE, help="Map the tables from a file written here.")
def main(kernel: str | None, file: Path | None) -> None:
    rng = np.random.default_rng(1)
    kk, kkp, kpp = (rng.integers(-9, 10, shape, np.int16)
                    for shape in ((81, 81, 2), (81, 81, 1548, 2), (45, 1548 * 1549 // 2)))
    sets = {"hot": (sample(HOT, 1, 1), HOT_ROUNDS), "cold": (sample(COLD, 400, 2), 1)}
    print(f"{'kernel':<20}{'MB':>5}" + "".join(f"{f'{what}, {heat}':>14}"
                                              for heat in sets for what in ("update", "king", "refresh", "full")))
    for each in [kernel] if kernel else usable_kernels():
        tables = EvalTables.from_arrays(kk, kkp, kpp, kernel=each)
        if file:
            tables.save(file)
            tables = EvalTables.map(file, each)
        line = f"{each:<20}{tables.megabytes:>5}"
        for (others, kings), rounds in sets.values():
            drill = Drill(tables, others)
            line += f"{nanoseconds(drill.update, len(others), rounds):>14.0f}"
            to_kings = Drill(tables, kings)
            line += f"{nanoseconds(to_kings.update, len(kings), rounds):>14.0f}"
            line += f"{nanoseconds(partial(to_kings.update, full_refresh=True), len(kings), rounds):>14.0f}"
            line += f"{nanoseconds(drill.refresh, len(others), rounds):>14.0f}"
        print(line, flush=True)



if __name__ == "__main__":
    main()
