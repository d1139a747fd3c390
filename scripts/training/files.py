"""Files of training records: read block by block, and written so that a kill loses little.

A file is an array of records without a header: `.psv` holds PackedSfenValue (40 bytes each), `.hcpe` hcpe (38 bytes).
With `.xz` after that it is compressed to about a third. The records of a game lie together, in the order of play. No
position comes twice in a file that SampleFile has written.
"""
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Listed, UserError, one_line
from engine.system.parts import naming
from eval.learning.records import HCPE, PSV, converted
from eval.learning.samples import open_records
from scripts.training import xz
from scripts.training.samples import Records
from usi.files.writing import append

Keys = NDArray[np.uint64]

DTYPES = {".psv": PSV, ".hcpe": HCPE}
POSITION = {".psv": "sfen", ".hcpe": "hcp"}     # the field that holds it
COMPRESSED = ".xz"
BLOCK = 1 << 14         # records of a block; larger blocks compress no better
LONGEST_WAIT = 10       # seconds until records are compressed, even if they are no whole block
MOST_CUT = 1 << 20      # bytes: a longer stream that is cut off was not written by SampleFile
LARGEST_BLOCK = 1 << 28     # bytes of a block that others have compressed
CHECKED = 1000          # records of the first and the last block that must be positions before a file is continued
MERGED_AT = 1 << 17     # number of recent keys at which they are merged into the sorted ones
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def is_compressed(path: Path) -> bool:
    return path.suffix == COMPRESSED


def form_of(path: Path) -> str:
    """The record form by the file's name: a key of DTYPES. Raises UserError for other names."""
    suffix = path.with_suffix("").suffix if is_compressed(path) else path.suffix
    if suffix not in DTYPES:
        raise UserError("files of positions are named {names}, compressed ones with {ending} after that",
                        names=Listed(("*" + each for each in DTYPES), " or "), ending=COMPRESSED).at(path)
    return suffix


@dataclass(frozen=True)
class RecordBlock:
    """Some records of a file that are read together."""

    first: int              # of the file's records
    count: int
    packed: xz.XzBlock | None     # where they are, in a compressed file


class RecordFile:
    """A file of records, open for reading block by block; from any thread."""

    def __init__(self, path: Path) -> None:
        """Raise UserError for another suffix, and for a compressed file of blocks that cannot be read one by one.
        Damaged parts, and a record cut off at the end, are skipped, and stderr says so."""
        self.path = path
        self.form = form_of(path)
        self.dtype = DTYPES[self.form]
        self.blocks: list[RecordBlock] = []
        self._damaged: set[RecordBlock] = set()       # blocks that stderr has named
        self.size = self.end = path.stat().st_size      # records may be added at `end`; the rest behind it is cut off
        if is_compressed(path):
            found = xz.index(path)
            self._add(found.blocks)
            gaps = found.gaps
            if gaps and gaps[-1].end == self.size and gaps[-1].cut_off and self.size - gaps[-1].start <= MOST_CUT:
                self.end = gaps.pop().start
            for gap in gaps:
                fault = "cut off" if gap.cut_off else "damaged"
                print(f"{one_line(path)}, bytes {gap.start} to {gap.end}: this stream is {fault} and is passed over",
                      file=sys.stderr)
        else:
            self.end -= self.size % self.dtype.itemsize
            count = self.end // self.dtype.itemsize
            self.blocks = [RecordBlock(first, min(BLOCK, count - first), None) for first in range(0, count, BLOCK)]
        if self.end < self.size:
            print(f"{one_line(path)} is cut off: its last {self.size - self.end} bytes are no whole "
                  f"{'block' if is_compressed(path) else 'record'} and are lost; {len(self)} positions are left",
                  file=sys.stderr)

    def _add(self, packed: list[xz.XzBlock]) -> None:
        for block in packed:
            if block.length % self.dtype.itemsize or max(block.length, block.size // 2) > LARGEST_BLOCK:
                raise UserError("{path} has a block of {size} bytes; compress it with xz --block-size={block}, "
                                "for blocks of whole records that fit into memory", path=self.path,
                                size=max(block.length, block.size), block=BLOCK * self.dtype.itemsize)
            self.blocks.append(RecordBlock(len(self), block.length // self.dtype.itemsize, block))

    def __len__(self) -> int:
        return self.blocks[-1].first + self.blocks[-1].count if self.blocks else 0

    def read(self, block: RecordBlock) -> Records:
        """The records of one of `blocks`; none if it is damaged, and stderr says so."""
        if block.packed:
            try:
                return np.frombuffer(xz.read(self.path, block.packed), self.dtype)
            except xz.Damaged as fault:
                if block not in self._damaged:
                    self._damaged.add(block)
                    print(f"{one_line(fault)}; {block.count} positions are passed over", file=sys.stderr)
                return np.zeros(0, self.dtype)
        return np.fromfile(self.path, self.dtype, block.count, offset=block.first * self.dtype.itemsize)


def read(path: Path) -> Records:
    """All records of a file; an uncompressed file is mapped, not loaded. An incomplete record at the end is dropped.
    Raises UserError as `RecordFile` does."""
    file = RecordFile(path)
    if not len(file):
        return np.zeros(0, file.dtype)
    if is_compressed(path):
        return np.concatenate([file.read(block) for block in file.blocks])
    return np.memmap(path, file.dtype, "r", shape=(len(file),))


def keys(bits: NDArray[np.uint8]) -> Keys:
    """A 64-bit key for each packed position of an (n, 32) array."""
    words = np.ascontiguousarray(bits).view("<u8")
    mixed: Keys = np.zeros(len(words), np.uint64)
    for column in range(words.shape[1]):
        mixed = (mixed ^ words[:, column]) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed


class Seen:
    """A set of keys that costs little more than their 8 bytes each."""

    def __init__(self, known: Keys) -> None:
        self._sorted = np.unique(known)
        self._recent: set[int] = set()

    def holds(self, these: Keys) -> NDArray[np.bool_]:
        """A mask of the keys that are in the set."""
        recent = np.fromiter((key in self._recent for key in these.tolist()), np.bool_, len(these))
        if not len(self._sorted):
            return recent
        places = np.searchsorted(self._sorted, these)
        places[places == len(self._sorted)] = 0
        found: NDArray[np.bool_] = recent | (self._sorted[places] == these)
        return found

    def add(self, new: Keys) -> NDArray[np.bool_]:
        """Add keys. Returns a mask of those that were not in the set, of equal ones the first."""
        fresh = ~self.holds(new)
        first = np.zeros(len(new), np.bool_)
        first[np.unique(new, return_index=True)[1]] = True
        fresh &= first
        self._recent.update(new[fresh].tolist())
        if len(self._recent) >= MERGED_AT:
            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._sorted = np.sort(np.concatenate((self._sorted, recent)))     # none is in both
            self._recent.clear()
        return fresh


class SampleFile:
    """A file of records, for a `with` block, that grows by whole games and continues where it ended. In a compressed
    file, records wait until they fill a block or the `with` block ends; a kill loses the waiting ones. An error removes
    a file without records."""

    def __init__(self, path: Path) -> None:
        """Open or begin the file; a record or stream that was cut off at its end is removed. Raises UserError as
        `RecordFile` raises it, and for a file that holds no positions, which stays unchanged."""
        form_of(path)               # raises before there is a file
        append(path, b"")
        found = RecordFile(path)
        self.path = path
        self.dtype = found.dtype
        self._field = POSITION[found.form]
        known, self.count = [], 0
        for place, block in enumerate(found.blocks):
            own = found.read(block)
            if place in (0, len(found.blocks) - 1):
                self._require_positions(own[:CHECKED])
            known.append(keys(own[self._field]))
            self.count += len(own)
        if found.end < found.size:
            if not found.blocks and not is_compressed(path):
                raise self._foreign("it has not even one record")
            with naming(path):
                os.truncate(path, found.end)
        self._seen = Seen(np.concatenate(known) if known else np.zeros(0, np.uint64))
        self._waiting: list[Records] = []       # records to be compressed
        self._since = 0.0                       # time.monotonic() when the first of them came

    def _require_positions(self, records: Records) -> None:
        try:
            open_records(converted(records) if self.dtype == HCPE else records)
        except UserError as fault:
            raise self._foreign(str(fault)) from None

    def _foreign(self, fault: str) -> UserError:
        return UserError("{path} holds no positions ({fault}); name another file, or delete it", path=self.path,
                         fault=fault)

    def add(self, game: Records) -> int:
        """Append the records (PSV) whose positions are new, all at once. Returns their number."""
        written = game if self.dtype == PSV else converted(game)
        written = written[self._seen.add(keys(written[self._field]))]
        if is_compressed(self.path):
            if not self._waiting:
                self._since = time.monotonic()
            self._waiting.append(written)
            if sum(map(len, self._waiting)) >= BLOCK or time.monotonic() - self._since >= LONGEST_WAIT:
                self.flush()
        else:
            append(self.path, written.tobytes())
        self.count += len(written)
        return len(written)

    def holds(self, these: Records) -> NDArray[np.bool_]:
        """A mask of the records (PSV) whose positions the file has, or will have once waiting records are written."""
        written = these if self.dtype == PSV else converted(these)
        return self._seen.holds(keys(written[self._field]))

    def flush(self) -> None:
        """Write the records that wait in memory."""
        data = b"".join(each.tobytes() for each in self._waiting)
        self._waiting.clear()
        if data:
            append(self.path, xz.compressed(data))

    def __enter__(self) -> "SampleFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> Any:
        self.flush()
        if error and not self.count:
            self.path.unlink()
