"""Samples for a learner, streamed from files of records: a pool at a time, in another order in each epoch.

A pool is as many blocks of records as the recipe allows in memory, drawn at random from all files; its samples are
shuffled together. While the learner has one pool, the next one is read. With a pool as large as all files, the whole
data set is in memory.

Some games are held out for validation. Held-out games come from only a part of the blocks, so that not everything has
to be read to find them. Only games that begin and end within a block are taken, so that each block can be read alone
and no game is in both sets.
"""
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import Phrase, UserError, telling
from eval.learning.records import HCPE, converted
from eval.learning.samples import FLAGS, SAMPLE, UNKNOWN_RESULT, open_records
from scripts.training.files import RecordBlock, RecordFile
from scripts.training.recipe import Recipe
from scripts.training.samples import Records, Samples, game_numbers
from scripts.training.teachers import Teachers
from scripts.training.traces import trace
from usi.files.reading import require_different

MOST_HELD = 1_000_000   # records that are kept apart, however large the files
HELD_BLOCKS = 1 / 8     # least share of a file's blocks from which games are held out
HELD_GAMES = 1 / 2      # most of these blocks' games that are held out; else more blocks are used
# The reasons why a record is left out, in the order in which they are checked.
LEFT_OUT = ("in check", "best move captures", "beyond --max-value", "held out")
KEPT, IN_CHECK, CAPTURES, BEYOND, HELD = range(len(LEFT_OUT) + 1)

Counts = NDArray[np.int64]      # of records by reason: int64[len(LEFT_OUT) + 1], those that are kept first


class Sources(NamedTuple):
    """The files of a run, by the names that its recipe has for them."""

    files: dict[str, RecordFile]
    books: dict[str, RecordFile]    # of positions that no game has judged


def counts(files: Mapping[str, RecordFile]) -> dict[str, int]:
    """The number of records of each file."""
    return {name: len(file) for name, file in files.items()}


def open_sources(files: Sequence[Path], books: Sequence[Path] = ()) -> Sources:
    """The sources of these files. Raises UserError for a file that is given twice, and as `RecordFile`."""
    names = short_names([*files, *books])
    return Sources({names[path]: RecordFile(path) for path in files}, {names[path]: RecordFile(path) for path in books})


def short_names(paths: Sequence[Path]) -> dict[Path, str]:
    """A short name for each file: the file's name, with as many of its folders as make it unique. Raises UserError for
    a file that is given twice."""
    require_different(paths)
    parts = [path.absolute().parts for path in paths]
    return {path: next("/".join(own[-count:]) for count in range(1, len(own) + 1)
                       if [other[-count:] for other in parts].count(own[-count:]) == 1)
            for path, own in zip(paths, parts, strict=True)}


class Piece(NamedTuple):
    """A block of a file, and the share of its games to hold out."""

    file: RecordFile
    block: RecordBlock
    is_book: bool
    held: float                 # share of the games that begin and end here which are kept apart
    seed: tuple[int, int]       # of which games these are

    @property
    def ends_file(self) -> bool:
        return self.block.first + self.block.count == len(self.file)


class SamplePool(NamedTuple):
    """Samples that are in memory together."""

    number: int                 # in the epoch, from 0
    samples: Samples
    done: float                 # share of the epoch's records that came before it
    share: float                # share of the epoch's records that are its own
    counts: Counts              # of these records


class Stream:
    """The samples of a run's files. `held` are the held-out samples, file by file, and `held_of` counts them by file.
    Held-out samples keep the search's values. The values of the others are blended with later values of the game
    (`recipe.trace`) and with the teachers'."""

    def __init__(self, sources: Sources, recipe: Recipe, teachers: Teachers | None = None) -> None:
        """Read the held-out samples. Raises UserError for a faulty file, and if nothing is left to learn from or to
        validate with."""
        for file in sources.files.values():
            if recipe.trace and file.form == ".hcpe":
                raise UserError("hcpe has no plies, so --td does not know where a game ends; give a .psv "
                                "file, or leave --td out").at(file.path)
        self.recipe = recipe
        self.teachers = teachers
        self.records = sum(map(len, [*sources.files.values(), *sources.books.values()]))
        share = min(recipe.validation, MOST_HELD / max(self.records, 1))
        self._pieces: list[Piece] = []
        found: list[Samples] = [np.zeros(0, SAMPLE)]
        self.held_of: dict[str, int] = {}
        for number, (name, file) in enumerate(sources.files.items()):
            pieces = list(self._pieces_of(file, number, share))
            own = [self._open(piece, apart=True)[0] for piece in pieces if piece.held]
            self.held_of[name] = sum(map(len, own))
            found += own
            self._pieces += pieces
        for file in sources.books.values():
            self._pieces += [Piece(file, block, True, 0, (0, 0)) for block in file.blocks]
        self.held: Samples = np.concatenate(found)
        if not len(self.held):
            raise UserError("none of {count} positions is held out for validation; give more files, or a larger "
                            "--validation", count=self.records)

    def _pieces_of(self, file: RecordFile, number: int, share: float) -> Iterator[Piece]:
        count = len(file.blocks)
        chosen = min(count, math.ceil(count * max(HELD_BLOCKS, share / HELD_GAMES)))
        blocks = set(np.random.default_rng([self.recipe.seed, number]).permutation(count)[:chosen].tolist())
        for index, block in enumerate(file.blocks):
            yield Piece(file, block, False, share * count / chosen if index in blocks else 0, (number, index))

    def _open(self, piece: Piece, apart: bool) -> tuple[Samples, Counts]:
        """The samples of a block for training (or the held-out ones), and the reasons why others are left out."""
        records = piece.file.read(piece.block)
        if not len(records):        # it is damaged
            return np.zeros(0, SAMPLE), np.zeros(len(LEFT_OUT) + 1, np.int64)
        samples = opened(piece, records)
        reasons = reasons_of(samples, self.recipe)
        if piece.held:
            reasons[held_records(records, piece, self.recipe.seed) & (reasons == KEPT)] = HELD
        if piece.is_book:
            samples["result"] = UNKNOWN_RESULT
        elif self.recipe.trace and not apart:
            traced = trace(records, self.recipe.trace, piece.ends_file)
            samples["value"] = np.where(samples["turn"], -traced, traced)
        counts: Counts = np.bincount(reasons, minlength=len(LEFT_OUT) + 1)
        return samples[reasons == (HELD if apart else KEPT)], counts

    def pools(self, epoch: int, first: int = 0) -> Iterator[SamplePool]:
        """The pools of an epoch, from the given one on. The recipe and these numbers alone decide each pool's content
        and order. Raises UserError for a faulty record."""
        order = np.random.default_rng([self.recipe.seed, epoch]).permutation(len(self._pieces)).tolist()
        groups: list[list[Piece]] = []
        room = 0
        for index in order:
            piece = self._pieces[index]
            if room < piece.block.count:
                groups.append([])
                room = max(self.recipe.pool, piece.block.count)
            groups[-1].append(piece)
            room -= piece.block.count
        with ThreadPoolExecutor(1) as reader:
            coming = None
            done = sum(piece.block.count for group in groups[:first] for piece in group)
            for number in range(first, len(groups)):
                samples, reasons = (coming or reader.submit(self._gathered, groups[number])).result()
                coming = reader.submit(self._gathered, groups[number + 1]) if number + 1 < len(groups) else None
                own = sum(piece.block.count for piece in groups[number])
                yield SamplePool(number, samples, done / self.records, own / self.records, reasons)
                done += own
                del samples     # frees the samples before the pool after the next is read

    def _gathered(self, pieces: list[Piece]) -> tuple[Samples, Counts]:
        opened = [self._open(piece, apart=False) for piece in pieces]
        samples = np.concatenate([each for each, _ in opened])
        if self.teachers:
            self.teachers.correct(samples)
        return samples, np.sum([reasons for _, reasons in opened], axis=0)


def held_records(records: Records, piece: Piece, seed: int) -> NDArray[np.bool_]:
    """A mask of the records of a block that are held out."""
    games = game_numbers(records)
    held = np.random.default_rng([seed, *piece.seed]).random(games[-1] + 1) < piece.held
    # The first and the last game may go on in other blocks.
    held[0] &= piece.block.first == 0
    held[-1] &= piece.ends_file
    kept: NDArray[np.bool_] = held[games]
    return kept


def reasons_of(samples: Samples, recipe: Recipe) -> NDArray[np.int64]:
    """The reason why each sample is left out: KEPT (it is not), IN_CHECK, CAPTURES or BEYOND. A position whose value
    exceeds max_value is kept if its material is nearly the same: such positions teach that a large advantage in
    material wins."""
    value = samples["value"].astype(int)
    beyond = np.minimum(np.abs(value), np.abs(value - samples["material"])) > recipe.max_value
    flags = samples["flags"]
    in_check = flags & (0 if recipe.checks else FLAGS["in_check"]) != 0
    captures = flags & (0 if recipe.captures else FLAGS["captures"]) != 0
    return np.select([in_check, captures, beyond], [IN_CHECK, CAPTURES, BEYOND], KEPT)


def wanted(samples: Samples, recipe: Recipe) -> NDArray[np.bool_]:
    """A mask of the samples to learn from."""
    kept: NDArray[np.bool_] = reasons_of(samples, recipe) == KEPT
    return kept


def opened(piece: Piece, records: Records) -> Samples:
    with telling(Phrase("{path}, in the {count} records from {first} on", path=piece.file.path,
                        count=len(records), first=piece.block.first)):
        return open_records(converted(records) if records.dtype == HCPE else records)
