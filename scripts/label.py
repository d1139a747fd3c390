#!/usr/bin/env python3
"""Make training positions of what others have played or thought out.

    python scripts/label.py --out ~/data/book.psv --depth 2 book.db.xz
    python scripts/label.py --out ~/data/games.hcpe --depth 8 --processes 2 games/*.csa games/*.kif

Of an opening book in YANEURAOU-DB2016 form (plain, or with .xz behind its name) every scored move gives the position
after it with the negated score. The search only names the best move there, from which a learner tells whether the
position is quiet; the result of the game is not known and is written as a draw, so learn from the score alone. Of a CSA
or KIF record every position is given the score that the search finds, and the result of the game; a game without a
winner is a draw.

Positions that the file already holds are left out, so that it can be added to, and a run that broke off repeated. So
are positions in which the rules end the game.
"""
import argparse
import lzma
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import Position
from engine.notation.files import read_records
from eval.loading import MATERIAL, tables_named
from scripts.samples import Records, SampleFile, records, sample
from search import Limits, Searcher, Settings
from usi.book.db import blocks, open_book

REPORT_INTERVAL = 10    # seconds


class Entry(NamedTuple):
    """A position of a book and its moves, each with the mover's score in centipawns."""

    sfen: str
    scores: dict[str, int]


class Line(NamedTuple):
    """A game of a record."""

    sfen: str
    moves: list[str]
    winner: int | None


class Labeller:
    """Searches and writes down."""

    def __init__(self, depth: int, evaluation: str = MATERIAL) -> None:
        """`evaluation` is a name as eval.loading has it; what it raises is raised."""
        self.searcher = Searcher(hash_mb=16, tables=tables_named(evaluation))
        self.limits = Limits(depth=depth)
        self.settings = Settings(pv_interval=1 << 30)

    def of_entry(self, entry: Entry) -> Records:
        """The positions after the moves of a book's entry. ValueError for a move that is not legal."""
        position = Position(entry.sfen)
        samples = []
        for move, score in entry.scores.items():
            position.push(move)
            bestmove = self.searcher.search(position, self.limits, self.settings).bestmove
            if bestmove not in ("resign", "win"):
                samples.append(sample(position, -score, bestmove))
            position.pop()
        return records(samples, None)

    def of_line(self, line: Line) -> Records:
        """The positions of a game, the last one too. ValueError for a move that is not legal."""
        position = Position(line.sfen)
        samples = []
        for move in [*line.moves, None]:
            result = self.searcher.search(position, self.limits, self.settings)
            if result.bestmove not in ("resign", "win"):
                samples.append(sample(position, result.score, result.bestmove))
            if move:
                position.push(move)
        return records(samples, line.winner)


def is_book(path: Path) -> bool:
    return ".db" in path.suffixes


def book(path: Path) -> Iterator[Entry]:
    """The entries of a book in YANEURAOU-DB2016 form. ValueError, naming file and line, for what cannot be read."""
    with lzma.open(path) if path.suffix == ".xz" else open_book(path) as file:
        for block in blocks(file, path):
            entry = block.entry()
            if entry.moves:
                yield Entry(entry.sfen, {move.move: move.score for move in entry.moves})


def lines(path: Path) -> Iterator[Line]:
    """The games of a CSA or KIF file. ValueError, naming the file, for what cannot be read."""
    try:
        for record in read_records(path):
            yield Line(record.initial_sfen, record.moves, record.winner)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


_labeller: Labeller         # of a worker


def _begin(depth: int, evaluation: str) -> None:
    global _labeller
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _labeller = Labeller(depth, evaluation)


def _label(item: Entry | Line) -> Records:
    return _labeller.of_entry(item) if isinstance(item, Entry) else _labeller.of_line(item)


def label(paths: list[Path], out: Path, depth: int, processes: int, evaluation: str = MATERIAL) -> tuple[int, int]:
    """Add the positions of books and records to a file: how many were met, and how many of them were new."""
    tables_named(evaluation)        # raises here what would have every worker die, and the pool start another
    file = SampleFile(out)
    had, met, reported = file.count, 0, time.monotonic()
    items = (item for path in paths for item in (book(path) if is_book(path) else lines(path)))
    with multiprocessing.get_context("spawn").Pool(processes, _begin, (depth, evaluation)) as pool:
        for found in pool.imap(_label, items, chunksize=8):
            file.add(found)
            met += len(found)
            if time.monotonic() - reported >= REPORT_INTERVAL:
                reported = time.monotonic()
                print(f"{met} positions, {file.count - had} of them new", file=sys.stderr)
    return met, file.count - had


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="books (*.db, *.db.xz) and records (all others)")
    parser.add_argument("--out", type=Path, required=True, help="NAME.psv or NAME.hcpe")
    parser.add_argument("--depth", type=int, required=True, help="of each search")
    parser.add_argument("--eval", default="", metavar="FILE|material", help="weights to evaluate by, or material alone "
                        "(the packaged ones)")
    parser.add_argument("--processes", type=int, default=1, help="searching at the same time (1)")
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    try:
        met, new = label(given.files, given.out, given.depth, given.processes, given.eval)
    except (ValueError, OSError) as error:
        sys.exit(f"label: {error}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command goes on with what is missing")
    print(f"{met} positions, {new} of them new")


if __name__ == "__main__":
    main()
