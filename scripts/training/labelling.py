"""Positions of books, of game records and of other training files, with what a search makes of them."""
import lzma
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine import Position
from engine.notation.files import read_records
from engine.packed import unpacked
from eval.learning.records import PSV, converted
from eval.learning.samples import open_records
from eval.loading import MATERIAL
from scripts.training.files import DTYPES, SampleFile, is_compressed, read
from scripts.training.recipe import Recipe
from scripts.training.samples import Records, records, sample
from scripts.training.stream import game_numbers, wanted
from search import Info, Limits, Result, Searcher, Settings
from usi.book.db import blocks, open_book
from usi.workers.kept import load_once, on_release
from usi.workers.pool import in_order, worker_pool

BATCH = 8               # entries of a book, games or single positions that are one task

REPORT_INTERVAL = 10    # seconds


@dataclass(frozen=True)
class Labels:
    """How positions are searched. Hashable, so that a process keeps one searcher for each."""

    limits: Limits
    evaluation: str = MATERIAL                      # a name as eval.loading has it
    params: tuple[tuple[str, int], ...] = ()        # parameters of the search that differ from the defaults
    hash_mb: int = 16
    book_scale: float = 1.0                         # centipawns to a centipawn of a book


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

    def __init__(self, labels: Labels) -> None:
        """Raises as eval.loading has it for `evaluation`, and ValueError for an unknown parameter."""
        self.searcher = Searcher(labels.hash_mb, 1, dict(labels.params), own_threads=False,
                                 evaluator=load_once(labels.evaluation))
        self.limits = labels.limits
        self.book_scale = labels.book_scale
        self.settings = Settings()

    def search(self, position: Position, on_info: Callable[[Info], None] | None = None) -> Result:
        return self.searcher.search(position, self.limits, self.settings, on_info)

    def of_entry(self, entry: Entry) -> Records:
        """The positions after the moves of a book's entry. ValueError for a move that is not legal."""
        position = Position(entry.sfen)
        samples = []
        for move, score in entry.scores.items():
            position.push(move)
            bestmove = self.search(position).bestmove
            if bestmove is not None:
                samples.append(sample(position, round(-score * self.book_scale), bestmove))
            position.pop()
        return records(samples, None)

    def of_line(self, line: Line) -> Records:
        """The positions of a game, the last one too. ValueError for a move that is not legal."""
        position = Position(line.sfen)
        samples = []
        for move in [*line.moves, None]:
            result = self.search(position)
            if result.bestmove is not None:
                samples.append(sample(position, result.score, result.bestmove))
            if move:
                position.push(move)
        return records(samples, line.winner)

    def of_records(self, given: Records) -> Records:
        """Records of a training file (PSV) with new values and best moves; those in which the rules end the game are
        left out. Each search starts from an empty table, so that a value depends on its position alone. ValueError for
        bits that hold no position."""
        found = given.copy()
        searched = np.zeros(len(found), np.bool_)
        for index, record in enumerate(found):
            position = unpacked(record["sfen"].tobytes())
            self.searcher.clear()
            result = self.search(position)
            if result.bestmove is not None:
                new = sample(position, result.score, result.bestmove)
                record["score"], record["move"], searched[index] = new.score, new.move, True
        kept: Records = found[searched]
        return kept


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


def is_training_file(path: Path) -> bool:
    return (path.with_suffix("") if is_compressed(path) else path).suffix in DTYPES


def training_records(path: Path) -> Records:
    """All records of a training file, as PSV. ValueError as RecordFile has it."""
    found = read(path)
    return converted(found) if found.dtype != PSV else found


def draw(found: Records, count: int, seed: int) -> Records:
    """Quiet positions of PSV records, drawn at random, at most one of each game. ValueError for a record with a
    fault."""
    quiet = np.flatnonzero(wanted(open_records(found), Recipe(files={})))
    chance = np.random.default_rng(seed)
    chance.shuffle(quiet)
    _, first = np.unique(game_numbers(found["gamePly"])[quiet], return_index=True)
    chosen = chance.permutation(quiet[first])[:count]
    drawn: Records = found[chosen]
    return drawn


@dataclass(frozen=True)
class Batch:
    """What is labelled at a time, and how."""

    items: list[Entry | Line | Records]
    labels: Labels


@cache
def labeller(labels: Labels) -> Labeller:
    """The one that this process keeps from batch to batch."""
    return Labeller(labels)


on_release(labeller.cache_clear)


def label_batch(batch: Batch) -> list[Records]:
    own = labeller(batch.labels)
    return [own.of_entry(item) if isinstance(item, Entry) else own.of_line(item) if isinstance(item, Line)
            else own.of_records(item) for item in batch.items]


def items_of(path: Path, drawn: int | None, seed: int, file: SampleFile) -> Iterator[Entry | Line | Records]:
    """What a file holds; of a training file single records, without those that `file` has already."""
    if is_book(path):
        yield from book(path)
    elif is_training_file(path):
        found = training_records(path)
        if drawn is not None:
            found = draw(found, drawn, seed)
        found = found[~file.holds(found)]
        yield from (found[index:index + 1] for index in range(len(found)))
    else:
        yield from lines(path)


def label(paths: list[Path], out: Path, labels: Labels, jobs: int, drawn: int | None = None, seed: int = 1,
          ) -> tuple[int, int]:
    """Add positions of books, records and training files (of each of these, `drawn` quiet ones) to a file: how many
    were met, and how many of them were new. ValueError for what cannot be read, and as eval.loading has it for
    the evaluation."""
    load_once(labels.evaluation)    # raises before anything is written
    with SampleFile(out) as file, worker_pool(label_batch, jobs) as run_all:
        had, met, reported = file.count, 0, time.monotonic()
        items = chain.from_iterable(items_of(path, drawn, seed, file) for path in paths)
        batches = (Batch(several, labels) for several in iter(lambda: list(islice(items, BATCH)), []))
        for found in chain.from_iterable(in_order(run_all(enumerate(batches)))):
            file.add(found)
            met += len(found)
            if time.monotonic() - reported >= REPORT_INTERVAL:
                reported = time.monotonic()
                print(f"{met} positions, {file.count - had} of them new", file=sys.stderr)
    return met, file.count - had
