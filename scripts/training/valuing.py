"""Training records made of books, game records, matches and other training files, with the values of a search or of the
match's players."""
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import Position
from engine.errors import Phrase, UserError, telling
from engine.packed import unpacked
from engine.records.files import read_records
from engine.sfen import parse_position
from eval.learning.records import PSV, converted
from eval.learning.samples import open_records
from scripts.games.played import GAMES, PlayedGame
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer
from scripts.training.files import DTYPES, SampleFile, is_compressed, read
from scripts.training.recipe import Recipe
from scripts.training.samples import Records, game_numbers, records, sample
from scripts.training.stream import wanted
from scripts.training.valuers import Labels, valuer
from usi.book.db import blocks, open_book
from usi.console.progress import Progress
from usi.files.journal import read_journal
from usi.files.locking import alone
from usi.workers.pool import worker_pool
from usi.workers.tasks import in_order, load_once, on_release

BATCH = 8               # entries of a book, games or single positions that are one task

MATCH = ".jsonl"        # of files that matches keep
FIRST_DRAWN = 26        # ply from which positions of records and matches are drawn, because openings end before it


class BookPosition(NamedTuple):
    """A position of a book and its moves, each with the mover's score in centipawns."""

    sfen: str
    scores: dict[str, int]


class RecordedGame(NamedTuple):
    """A game of a record."""

    sfen: str
    moves: list[str]
    winner: int | None


class Item(NamedTuple):
    """A unit of labelling, with its place for errors."""

    place: str
    content: BookPosition | RecordedGame | Records


class Labeller:
    """A maker of labelled records."""

    def __init__(self, labels: Labels) -> None:
        """Make the valuer. Raises UserError as the valuers do."""
        self.by = valuer(labels)
        self.book_scale = labels.book_scale

    def of(self, item: Item) -> Records:
        """The records of an item. Raises UserError, naming its place, for faults of its content."""
        content = item.content
        with telling(item.place):
            return (self.of_entry(content) if isinstance(content, BookPosition) else
                    self.of_line(content) if isinstance(content, RecordedGame) else self.of_records(content))

    def of_entry(self, entry: BookPosition) -> Records:
        """The positions after the moves of a book's entry. Raises UserError for a move that is not legal."""
        position = Position(entry.sfen)
        samples = []
        for move, score in entry.scores.items():
            position.push(move)
            bestmove = self.by.value(position).bestmove
            if bestmove is not None:
                samples.append(sample(position, round(-score * self.book_scale), bestmove))
            position.pop()
        return records(samples, None)

    def of_line(self, line: RecordedGame) -> Records:
        """The positions of a game, the last one too. Raises UserError for a move that is not legal."""
        position = Position(line.sfen)
        samples = []
        for move in [*line.moves, None]:
            score, bestmove = self.by.value(position)
            if bestmove is not None:
                samples.append(sample(position, score, bestmove))
            if move:
                position.push(move)
        return records(samples, line.winner)

    def of_records(self, given: Records) -> Records:
        """Records of a training file (PSV) with new values and best moves; those in which the rules end the game are
        left out. Each search starts from an empty table, so that a value depends on its position alone. Raises
        UserError for bits that hold no position."""
        found = given.copy()
        searched = np.zeros(len(found), np.bool_)
        for index, record in enumerate(found):
            position = unpacked(record["sfen"].tobytes())
            self.by.forget()
            score, bestmove = self.by.value(position)
            if bestmove is not None:
                new = sample(position, score, bestmove)
                record["score"], record["move"], searched[index] = new.score, new.move, True
        kept: Records = found[searched]
        return kept


def is_book(path: Path) -> bool:
    return ".db" in path.suffixes


def book(path: Path) -> Iterator[BookPosition]:
    """The entries of a book in YANEURAOU-DB2016 form. Raises UserError, naming file and line, for a line that cannot be
    read, and for a compressed file that is damaged."""
    with lzma.open(path) if path.suffix == ".xz" else open_book(path) as file:
        try:
            for block in blocks(file, path):
                entry = block.entry()
                if entry.moves:
                    yield BookPosition(entry.sfen, {move.move: move.score for move in entry.moves})
        except (lzma.LZMAError, EOFError) as fault:
            raise UserError("{path} is damaged or cut off ({fault}); copy it again", path=path, fault=fault) from None


def games_of(path: Path) -> list[PlayedGame]:
    """The games of a match's file, in order. Raises UserError, naming the file, if it cannot be read, or for a move
    that is not legal."""
    _, games = read_journal(path, GAMES)
    for number, game in games.items():
        with telling(Phrase("{path}, game {number}", path=path, number=number + 1)):
            Position.from_usi(game.record)
    return [game for _, game in sorted(games.items())]


def lines(path: Path) -> Iterator[RecordedGame]:
    """The games of a record, or of a match's file (.jsonl). Raises UserError, naming the file, if it cannot be read."""
    if path.suffix == MATCH:
        for game in games_of(path):
            sfen, moves = parse_position(game.record)
            yield RecordedGame(sfen, moves, game.winner)
        return
    with telling(path):
        for record in read_records(path):
            yield RecordedGame(record.initial_sfen, record.moves, record.winner)


def is_training_file(path: Path) -> bool:
    return (path.with_suffix("") if is_compressed(path) else path).suffix in DTYPES


def training_records(path: Path) -> Records:
    """All records of a training file, as PSV. Raises UserError, naming the file, for a record with a fault, and as
    `RecordFile` raises it."""
    found = read(path)
    with telling(path):
        found = converted(found) if found.dtype != PSV else found
        open_records(found)
    return found


def unvalued_records(path: Path) -> Records:
    """The positions of a record's or a match's games from ply FIRST_DRAWN on, with their results and without values.
    Raises UserError as `lines`, and for a move that is not legal."""
    found = [np.zeros(0, PSV)]
    for line in lines(path):
        position = Position(line.sfen)
        samples = []
        for move in line.moves:
            position.push(move)
            if position.move_number >= FIRST_DRAWN:
                samples.append(sample(position, 0, None))
        found.append(records(samples, line.winner))
    return np.concatenate(found)


def played_records(game: PlayedGame) -> Records:
    """The positions of a match's game for which the player reported a score, with score, move and result. Raises
    UserError for a move that is not legal."""
    sfen, moves = parse_position(game.record)
    position = Position(sfen)
    samples = []
    for ply, move in enumerate(moves):
        if ply >= game.opening_plies:
            _, score, *_ = game.thoughts[ply - game.opening_plies]
            if score is not None:
                samples.append(sample(position, score, move))
        position.push(move)
    return records(samples, game.winner)


@dataclass(frozen=True)
class Drawing:
    """Limits on the positions drawn from each file and from each game."""

    count: int
    per_game: int = 1
    seed: int = 1


def draw(found: Records, drawing: Drawing) -> NDArray[np.intp]:
    """The indices of quiet positions in PSV records, drawn at random. Raises UserError for a record with a fault."""
    quiet = np.flatnonzero(wanted(open_records(found), Recipe(files={})))
    chance = np.random.default_rng(drawing.seed)
    chance.shuffle(quiet)
    games = game_numbers(found)[quiet]
    drawn = np.zeros(0, np.intp)
    for _ in range(drawing.per_game):
        _, first = np.unique(games, return_index=True)
        drawn = np.append(drawn, quiet[first])
        quiet, games = np.delete(quiet, first), np.delete(games, first)
    return chance.permutation(drawn)[:drawing.count]


@dataclass(frozen=True)
class Batch:
    """A batch of positions to label."""

    items: list[Item]
    labels: Labels


@cache
def labeller(labels: Labels) -> Labeller:
    """The labeller that this process keeps between batches."""
    return Labeller(labels)


on_release(labeller.cache_clear)


def label_batch(batch: Batch) -> list[Records]:
    own = labeller(batch.labels)
    return [own.of(item) for item in batch.items]


def items_of(path: Path, drawing: Drawing | None, file: SampleFile) -> Iterator[Item]:
    """The items of a file to label: the entries of a book; the games of a record or match; single records of a training
    file, or if positions are drawn. Records that `file` already holds are left out."""
    if is_book(path):
        yield from (Item(str(path), entry) for entry in book(path))
    elif drawing or is_training_file(path):
        found = training_records(path) if is_training_file(path) else unvalued_records(path)
        numbers = draw(found, drawing) if drawing else np.arange(len(found))
        numbers = numbers[~file.holds(found[numbers])]
        yield from (Item(f"{path}, record {number}", found[number:number + 1]) for number in numbers)
    else:
        yield from (Item(str(path), line) for line in lines(path))


def take_played(paths: list[Path], out: Path) -> tuple[int, int]:
    """Add positions of matches to a file, with their players' scores. Returns numbers as `label` does. Raises UserError
    for files that are no matches or cannot be read."""
    for path in paths:
        if path.suffix != MATCH:
            raise UserError("--played takes the games of matches, files named *{ending}", ending=MATCH).at(path)
    with alone(out), SampleFile(out) as file:
        return _collect(map(played_records, chain.from_iterable(map(games_of, paths))), file)


def label(paths: list[Path], out: Path, labels: Labels, jobs: int, drawing: Drawing | None = None) -> tuple[int, int]:
    """Add positions of books, records, matches and training files to a file. Returns the number of positions met, and
    how many of them were new. Raises UserError for files that cannot be read, and as the valuers do."""
    if labels.engine:       # either call raises here, before the workers would
        UsiPlayer.parse(labels.engine, PlayerLimits(depth=1))
    else:
        load_once(labels.evaluation)
    with alone(out), SampleFile(out) as file, worker_pool(label_batch, jobs, bool(labels.engine)) as run_all:
        items = chain.from_iterable(items_of(path, drawing, file) for path in paths)
        batches = (Batch(several, labels) for several in iter(lambda: list(islice(items, BATCH)), []))
        return _collect(chain.from_iterable(in_order(run_all(enumerate(batches)))), file)


def _collect(found: Iterable[Records], file: SampleFile) -> tuple[int, int]:
    """Add records to a file and show the progress. Returns the number of positions met, and how many were new."""
    had, met, course = file.count, 0, Progress(None, "positions")
    for each in found:
        file.add(each)
        met += len(each)
        course.tell(met, f"{file.count - had} of them new")
    return met, file.count - had
