"""Positions of books and of game records, with what a search makes of them."""
import lzma
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from engine import Position
from engine.notation.files import read_records
from eval.loading import MATERIAL
from scripts.training.files import SampleFile
from scripts.training.samples import Records, records, sample
from search import Limits, Searcher, Settings
from usi.book.db import blocks, open_book
from usi.workers.kept import load_once, on_release
from usi.workers.pool import in_order, worker_pool

BATCH = 8               # books' entries, or games, that are one task

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
        self.searcher = Searcher(hash_mb=16, evaluator=load_once(evaluation))
        self.limits = Limits(depth=depth)
        self.settings = Settings()

    def of_entry(self, entry: Entry) -> Records:
        """The positions after the moves of a book's entry. ValueError for a move that is not legal."""
        position = Position(entry.sfen)
        samples = []
        for move, score in entry.scores.items():
            position.push(move)
            bestmove = self.searcher.search(position, self.limits, self.settings).bestmove
            if bestmove is not None:
                samples.append(sample(position, -score, bestmove))
            position.pop()
        return records(samples, None)

    def of_line(self, line: Line) -> Records:
        """The positions of a game, the last one too. ValueError for a move that is not legal."""
        position = Position(line.sfen)
        samples = []
        for move in [*line.moves, None]:
            result = self.searcher.search(position, self.limits, self.settings)
            if result.bestmove is not None:
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


@dataclass(frozen=True)
class Batch:
    """What is labelled at a time, and how."""

    items: list[Entry | Line]
    depth: int
    evaluation: str         # a name as eval.loading has it


@cache
def _labeller(depth: int, evaluation: str) -> Labeller:
    return Labeller(depth, evaluation)


on_release(_labeller.cache_clear)


def label_batch(batch: Batch) -> list[Records]:
    labeller = _labeller(batch.depth, batch.evaluation)
    return [labeller.of_entry(item) if isinstance(item, Entry) else labeller.of_line(item) for item in batch.items]


def batches(paths: list[Path], depth: int, evaluation: str) -> Iterator[Batch]:
    items: Iterator[Entry | Line] = chain.from_iterable(book(path) if is_book(path) else lines(path) for path in paths)
    while batch := list(islice(items, BATCH)):
        yield Batch(batch, depth, evaluation)


def label(paths: list[Path], out: Path, depth: int, jobs: int, evaluation: str = MATERIAL) -> tuple[int, int]:
    """Add the positions of books and records to a file: how many were met, and how many of them were new. ValueError
    for what cannot be read, and as eval.loading has it for `evaluation`."""
    load_once(evaluation)           # raises before anything is written
    with SampleFile(out) as file, worker_pool(label_batch, jobs) as run_all:
        had, met, reported = file.count, 0, time.monotonic()
        for found in chain.from_iterable(in_order(run_all(enumerate(batches(paths, depth, evaluation))))):
            file.add(found)
            met += len(found)
            if time.monotonic() - reported >= REPORT_INTERVAL:
                reported = time.monotonic()
                print(f"{met} positions, {file.count - had} of them new", file=sys.stderr)
    return met, file.count - had
