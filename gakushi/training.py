"""Training records for programs that learn: their fields, and files of them in shuffled batches. This module needs
NumPy: `pip install "gakushi[learn]"`.

>>> from gakushi import Position
>>> from gakushi.training import best_move, position_of, record_of
>>> record = record_of(Position(), "7g7f", score=35, result=1)
>>> int(record["score"]), position_of(record) == Position(), best_move(record)
(35, True, '7g7f')
"""
import lzma
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import Position, UserError
from engine.errors import LONG_MAX, of_type, quoted, whole
from engine.packed import move16, packed, unpacked, usi
from eval.learning.feature_planes import LABELS, PLANES, feature_planes, planes_and_labels, policy_label
from eval.learning.records import HCPE, PSV, converted

__all__ = ["HCPE", "LABELS", "PLANES", "PSV", "batches", "best_move", "converted", "count", "feature_planes",
           "planes_and_labels", "policy_label", "position_of", "record_of"]

DTYPES = {".psv": PSV, ".bin": PSV, ".hcpe": HCPE}
BLOCK = 1 << 14         # records that are read together; what comes next in the file belongs to the same games
POOL = 1 << 18          # records that are shuffled together: 10 MB
_PACKED = {PSV: ("sfen", "psfen", "move"), HCPE: ("hcp", "hcp", "bestMove16")}


def position_of(record: Any) -> Position:
    """The position of a record, PSV or HCPE. Raises UserError if it holds none."""
    field, coding, _ = _form(record)
    return unpacked(record[field].tobytes(), coding)


def best_move(record: Any) -> str:
    """The move of a record, in USI; "" if it has none."""
    _, coding, move = _form(record)
    return usi(int(record[move]), coding)


def _form(record: Any) -> tuple[str, str, str]:
    """The names of the fields of position and move, and how they are coded. Raises TypeError for anything but a
    record."""
    if of_type("record", record, np.void).dtype not in _PACKED:
        raise TypeError(f"record is of dtype {quoted(record.dtype)}: give a record of PSV or HCPE, as records[0]")
    return _PACKED[record.dtype]


def record_of(position: Position, move: str, score: int, result: int) -> Any:
    """A PSV record: a position, its best move, its score in centipawns and the result of the game (1, 0, -1), the
    latter two for the side to move."""
    record = np.zeros(1, PSV)
    record[0] = (np.frombuffer(packed(position), np.uint8), whole("score", score, -32768, 32767), move16(move),
                 min(position.move_number, 0xFFFF), whole("result", result, -1, 1), 0)
    return record[0]


def count(*files: str | PathLike[str]) -> int:
    """The number of records in uncompressed files. Raises UserError for others, and as `batches` raises it."""
    total = 0
    for path in map(Path, files):
        if path.suffix == ".xz":
            raise UserError("{path} is compressed, so its records are counted only by reading it", path=path)
        total += _count(path, _dtype(path))
    return total


def batches(files: Sequence[str | PathLike[str]], size: int, *, shuffle: bool = True, seed: int | None = None,
            pool: int = POOL) -> Iterator[NDArray[Any]]:
    """Yield all records of files, `size` at a time; the last batch has the rest. The files' names end in .psv or .bin
    (PSV), or all in .hcpe (HCPE); .xz may follow.

    The records of a game lie together in a file, in the order of play, so a batch of neighbours would hold little
    news. With `shuffle`, blocks of uncompressed files are read in random order, and `pool` records (at least) are
    shuffled together; those of compressed files in the order of the file. `seed` makes it the same each time: for
    epochs, give seed + epoch. Memory is that of the pool.

    Raises OSError, and UserError for an ending that is not known, a file that is damaged or cut off, and files of both
    kinds.
    """
    if isinstance(files, str | PathLike):
        raise TypeError(f"files={quoted(files)}: give a list of files, not one")
    paths = [Path(of_type("file", path, str, PathLike)) for path in files]
    size, pool = whole("size", size, 1), whole("pool", pool, 1)
    if len({_dtype(path) for path in paths}) > 1:
        raise UserError("records of PSV and of HCPE are not mixed; convert one of them (gakushi.training.converted)")
    random = np.random.default_rng(None if seed is None else whole("seed", seed, 0, LONG_MAX))
    return _batches(paths, size, random if shuffle else None, pool)


def _batches(paths: list[Path], size: int, random: np.random.Generator | None, pool: int) -> Iterator[NDArray[Any]]:
    waiting: list[NDArray[Any]] = []
    held = 0
    for block in _blocks(paths, random):
        waiting.append(block)
        held += len(block)
        if held >= max(pool if random else size, size):
            whole_batches, rest = _cut(waiting, size, random)
            yield from whole_batches
            waiting, held = [rest], len(rest)
    if held:
        whole_batches, rest = _cut(waiting, size, random)
        yield from whole_batches
        if len(rest):
            yield rest


def _cut(waiting: list[NDArray[Any]], size: int,
         random: np.random.Generator | None) -> tuple[list[NDArray[Any]], NDArray[Any]]:
    """The full batches of these records, and the remaining records."""
    records = np.concatenate(waiting)
    if random:
        random.shuffle(records)
    end = len(records) - len(records) % size
    return [records[start:start + size] for start in range(0, end, size)], records[end:]


def _blocks(paths: list[Path], random: np.random.Generator | None) -> Iterator[NDArray[Any]]:
    """The records in blocks, in random order for uncompressed files if `random` is given."""
    places = [(path, first) for path in paths if path.suffix != ".xz"
              for first in range(0, _count(path, _dtype(path)), BLOCK)]
    for number in random.permutation(len(places)).tolist() if random else range(len(places)):
        path, first = places[number]
        yield np.fromfile(path, _dtype(path), BLOCK, offset=first * _dtype(path).itemsize)
    for path in paths:
        if path.suffix == ".xz":
            yield from _unpacked_blocks(path, _dtype(path))


def _unpacked_blocks(path: Path, dtype: "np.dtype[Any]") -> Iterator[NDArray[Any]]:
    done = 0
    try:
        with lzma.open(path) as file:
            while data := file.read(BLOCK * dtype.itemsize):
                if len(data) % dtype.itemsize:
                    raise EOFError
                done += len(data) // dtype.itemsize
                yield np.frombuffer(data, dtype)
    except (lzma.LZMAError, EOFError):
        raise UserError("{path} is damaged or cut off after {count} records", path=path, count=done) from None


def _count(path: Path, dtype: "np.dtype[Any]") -> int:
    records, rest = divmod(path.stat().st_size, dtype.itemsize)
    if rest:
        raise UserError("{path} is damaged or cut off after {count} records", path=path, count=records)
    return records


def _dtype(path: Path) -> "np.dtype[Any]":
    suffix = path.with_suffix("").suffix if path.suffix == ".xz" else path.suffix
    if suffix not in DTYPES:
        raise UserError("{path}: records are in files that end in .psv, .bin or .hcpe, compressed ones with .xz after "
                        "that", path=path)
    return DTYPES[suffix]
