"""Samples for training and for validation, from files of records."""
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


def data_of(given: SimpleNamespace) -> dict[str, Any]:
    """A DataRecipe's fields, of what data_options (scripts.cli.options) has. ValueError for a file that is named
    otherwise."""
    unknown = [path for path in [*given.files, *given.book] if path.suffix not in DTYPES]
    if unknown:
        raise ValueError(f"{unknown[0]}: training files are named {' or '.join('*' + suffix for suffix in DTYPES)}")
    return {"files": {path.name: len(read(path)) for path in given.files},
            "books": {path.name: len(read(path)) for path in given.book}, "blend": given.blend,
            "validation": given.validation, "max_value": given.max_value, "checks": given.checks,
            "captures": given.captures, "threads": given.threads, "seed": given.seed}


def game_numbers(plies: NDArray[Any]) -> NDArray[np.int64]:
    """The game, from 0, of each record: a new one begins where the ply does not rise. Where all plies are 0, as hcpe
    has them, BLOCK_GAME records in a row are taken as one."""
    if not plies.any():
        return np.arange(len(plies)) // BLOCK_GAME
    return np.concatenate([[0], np.cumsum(plies[1:] <= plies[:-1])])


def load(paths: Sequence[Path], books: Sequence[Path], recipe: DataRecipe) -> tuple[Samples, Samples]:
    """Samples for training and for validation, from different games; books are for training alone. ValueError for a
    file with a fault."""
    rng = np.random.default_rng(recipe.seed)
    training, validation = [], []
    total = sum(recipe.files.values()) + sum(recipe.books.values())
    with click.progressbar(length=total, label="reading", file=sys.stderr,
                           hidden=not sys.stderr.isatty()) as bar:
        for path in paths:
            records = read(path)
            games = game_numbers(records["gamePly"] if records.dtype != HCPE else np.zeros(len(records)))
            held = rng.random(games[-1] + 1 if len(games) else 0) < recipe.validation
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                kept = wanted(samples, recipe)
                apart = held[games[start : start + CHUNK]]
                training.append(samples[kept & ~apart])
                validation.append(samples[kept & apart])
                bar.update(len(samples))
        for path in books:
            records = read(path)
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                samples["result"] = UNKNOWN_RESULT
                training.append(samples[wanted(samples, recipe)])
                bar.update(len(samples))
    both = np.concatenate(training), np.concatenate(validation)
    if not all(map(len, both)):
        raise ValueError(f"{len(both[0])} positions are left for training and {len(both[1])} for validation: too few")
    return both


def wanted(samples: Samples, recipe: DataRecipe) -> NDArray[np.bool_]:
    unwanted = (0 if recipe.checks else FLAGS["in_check"]) | (0 if recipe.captures else FLAGS["captures"])
    quiet: NDArray[np.bool_] = (samples["flags"] & unwanted == 0) & (np.abs(samples["value"]) <= recipe.max_value)
    return quiet


def opened(path: Path, start: int, records: Records) -> Samples:
    try:
        return open_records(converted(records) if records.dtype == HCPE else np.asarray(records))
    except ValueError as error:
        raise ValueError(f"{path}, counted from record {start}: {error}") from None
