"""Samples for training and for validation, from files of records."""
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from engine.packed import HCPE, converted
from eval.samples import FLAGS, UNKNOWN_RESULT, open_records
from scripts.training.recipe import DataRecipe
from scripts.training.samples import DTYPES, Records, read

Samples = NDArray[Any]  # of eval.samples.SAMPLE

CHUNK = 1 << 18         # records that are opened at a time
BLOCK_GAME = 200        # records taken as one game where the file does not say when a game begins


class Data(NamedTuple):
    """What a run learns from, and what it is judged by: positions of other games."""

    training: Samples
    held: Samples
    held_of: dict[str, int]     # how many of those kept apart each file has, by name, in their order


def counted(*groups: Sequence[Path]) -> list[dict[str, int]]:
    """The files of each group by name, with how many records each has. ValueError for a file that is named otherwise,
    or as another."""
    paths = [path for group in groups for path in group]
    for number, path in enumerate(paths):
        if path.suffix not in DTYPES:
            raise ValueError(f"{path}: training files are named {' or '.join('*' + suffix for suffix in DTYPES)}")
        if path.name in (other.name for other in paths[:number]):
            raise ValueError(f"{path}: a run knows its files by their names; rename one of the two {path.name}")
    return [{path.name: len(read(path)) for path in group} for group in groups]


def data_of(given: SimpleNamespace) -> dict[str, Any]:
    """A DataRecipe's fields, of what data_options (scripts.cli.options) has. ValueError as `counted` has it."""
    files, books = counted(given.files, given.book)
    return {"files": files, "books": books, "blend": given.blend, "validation": given.validation,
            "max_value": given.max_value, "checks": given.checks, "captures": given.captures,
            "threads": given.threads, "seed": given.seed}


def game_numbers(plies: NDArray[Any]) -> NDArray[np.int64]:
    """The game, from 0, of each record: a new one begins where the ply does not rise. Where all plies are 0, as hcpe
    has them, BLOCK_GAME records in a row are taken as one."""
    if not plies.any():
        return np.arange(len(plies)) // BLOCK_GAME
    return np.concatenate([[0], np.cumsum(plies[1:] <= plies[:-1])])


def load(paths: Sequence[Path], books: Sequence[Path], recipe: DataRecipe) -> Data:
    """The samples of files; books are for training alone. ValueError for a file with a fault."""
    rng = np.random.default_rng(recipe.seed)
    training: list[Samples] = []
    validation: list[Samples] = []
    held_of: dict[str, int] = {}
    total = sum(recipe.files.values()) + sum(recipe.books.values())
    with click.progressbar(length=total, label="reading", file=sys.stderr,
                           hidden=not sys.stderr.isatty()) as bar:
        for path in paths:
            records = read(path)
            games = game_numbers(records["gamePly"] if records.dtype != HCPE else np.zeros(len(records)))
            held = rng.random(games[-1] + 1 if len(games) else 0) < recipe.validation
            first = len(validation)
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                kept = wanted(samples, recipe)
                apart = held[games[start : start + CHUNK]]
                training.append(samples[kept & ~apart])
                validation.append(samples[kept & apart])
                bar.update(len(samples))
            held_of[path.name] = sum(map(len, validation[first:]))
        for path in books:
            records = read(path)
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                samples["result"] = UNKNOWN_RESULT
                training.append(samples[wanted(samples, recipe)])
                bar.update(len(samples))
    data = Data(np.concatenate(training), np.concatenate(validation), held_of)
    if not len(data.training) or not len(data.held):
        raise ValueError(f"{len(data.training)} positions are left for training and {len(data.held)} for validation: "
                         "too few")
    return data


def wanted(samples: Samples, recipe: DataRecipe) -> NDArray[np.bool_]:
    """Which to learn from. One that is judged beyond max_value is kept where the material says nearly the same: there
    is no attack to learn there, but that so many pieces decide."""
    unwanted = (0 if recipe.checks else FLAGS["in_check"]) | (0 if recipe.captures else FLAGS["captures"])
    value = samples["value"].astype(int)
    near = np.minimum(np.abs(value), np.abs(value - samples["material"])) <= recipe.max_value
    quiet: NDArray[np.bool_] = near & (samples["flags"] & unwanted == 0)
    return quiet


def opened(path: Path, start: int, records: Records) -> Samples:
    try:
        return open_records(converted(records) if records.dtype == HCPE else np.asarray(records))
    except ValueError as error:
        raise ValueError(f"{path}, counted from record {start}: {error}") from None
