"""Confirm the move counts of a perft file by two independent programs, cshogi (C++) and rsshogi (Rust).

    python -m scripts.studies.confirm_perft [FILE]

Both are asked for every count of the file (default: tests/engine/data/perft.tsv); each line that differs is printed
and the exit status is then 1. Both come from PyPI (`pip install cshogi rsshogi`); the whole file takes a few minutes.
"""
import csv
import sys
from collections.abc import Callable
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.cli.options import FILE

try:
    import cshogi
    from rsshogi.core import Board as RustBoard
except ImportError as error:
    sys.exit(f"{error}: this script needs both peers, so run: pip install cshogi rsshogi")

PERFT_FILE = Path(__file__).parents[2] / "tests" / "engine" / "data" / "perft.tsv"


def perft_by_cshogi(sfen: str, depth: int) -> int:
    board = cshogi.Board(sfen)

    def leaves(depth: int) -> int:
        if depth == 1:
            return len(board.legal_moves)
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += leaves(depth - 1)
            board.pop()
        return total

    return leaves(depth)


def perft_by_rsshogi(sfen: str, depth: int) -> int:
    board = RustBoard(sfen)

    def leaves(depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            board.apply_move(move)
            total += leaves(depth - 1)
            board.undo_move(move)
        return total

    return leaves(depth)


PEERS: dict[str, Callable[[str, int], int]] = {"cshogi": perft_by_cshogi, "rsshogi": perft_by_rsshogi}


@command(__doc__)
@click.argument("path", type=FILE, metavar="[FILE]", default=PERFT_FILE)
def main(path: Path) -> None:
    confirmed = differing = 0
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t"):
        for depth, expected in enumerate(map(int, row["counts"].split()), start=1):
            found = {peer: perft(row["sfen"], depth) for peer, perft in PEERS.items()}
            if set(found.values()) == {expected}:
                confirmed += 1
            else:
                differing += 1
                print(f"{row['name']}: {row['sfen']} depth {depth}: the file has {expected}, found {found}", flush=True)
    print(f"{confirmed} counts confirmed, {differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
