"""Files of training records: positions with what a search and the game made of them.

A file is an array of records without a header: `.psv` holds PackedSfenValue (40 bytes each), `.hcpe` hcpe (38 bytes).
The records of a game lie together, in the order of play. No position comes twice.
"""
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import Position
from engine.packed import HCPE, PSV, converted, move16, packed

Records = NDArray[Any]
Keys = NDArray[np.uint64]

DTYPES = {".psv": PSV, ".hcpe": HCPE}
POSITION = {".psv": "sfen", ".hcpe": "hcp"}     # the field that holds it
MAX_SCORE = 27000       # centipawns: what is beyond is a proven mate, or as good as one
MERGED_AT = 1 << 17     # keys that are kept apart from the sorted ones
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Sample(NamedTuple):
    """One position of a game, before it is known how the game ends."""

    bits: bytes         # packed as psfen
    turn: int
    score: int          # centipawns, from the side to move
    move: int           # 16 bits; 0: not known
    ply: int


def sample(position: Position, score: int, bestmove: str | None) -> Sample:
    """The record of a position; mate scores are cut to MAX_SCORE. ValueError if a king is missing."""
    return Sample(packed(position), position.turn, max(-MAX_SCORE, min(MAX_SCORE, score)),
                  move16(bestmove) if bestmove else 0, position.ply)


def records(samples: Iterable[Sample], winner: int | None) -> Records:
    """Samples of one game as an array of PSV; `winner` is BLACK, WHITE, or None for a draw or if it is not known."""
    return np.array([(np.frombuffer(one.bits, np.uint8), one.score, one.move, min(one.ply, 0xFFFF),
                      0 if winner is None else 1 if winner == one.turn else -1, 0) for one in samples], PSV)


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

    def add(self, new: Keys) -> NDArray[np.bool_]:
        """Take keys in; which of them are seen here for the first time."""
        places = np.searchsorted(self._sorted, new)
        places[places == len(self._sorted)] = 0
        fresh: NDArray[np.bool_] = (self._sorted[places] != new if len(self._sorted)
                                    else np.ones(len(new), np.bool_))
        for index, key in enumerate(new.tolist()):
            if fresh[index] and key in self._recent:
                fresh[index] = False
            self._recent.add(key)
        if len(self._recent) >= MERGED_AT:
            self._sorted = np.union1d(self._sorted, np.fromiter(self._recent, np.uint64, len(self._recent)))
            self._recent.clear()
        return fresh


class SampleFile:
    """A file of records that grows by whole games, and continues where it ended."""

    def __init__(self, path: Path) -> None:
        """Open or begin the file; a record that was cut off at its end is removed. ValueError for an unknown suffix."""
        if path.suffix not in DTYPES:
            raise ValueError(f"{path}: name it {' or '.join('*' + suffix for suffix in DTYPES)}, for what it holds")
        self.path = path
        self.dtype = DTYPES[path.suffix]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            self.count = file.tell() // self.dtype.itemsize
            file.truncate(self.count * self.dtype.itemsize)
        self._seen = Seen(keys(read(path)[POSITION[path.suffix]]))

    def add(self, game: Records) -> int:
        """Append the records (PSV) whose positions are new, in one piece; how many these were."""
        written = game if self.dtype == PSV else converted(game)
        written = written[self._seen.add(keys(written[POSITION[self.path.suffix]]))]
        with self.path.open("ab") as file:
            file.write(written.tobytes())
        self.count += len(written)
        return len(written)


def read(path: Path) -> Records:
    """The records of a file, mapped and not loaded; what is cut off at its end is left out."""
    dtype = DTYPES[path.suffix]
    count = path.stat().st_size // dtype.itemsize
    return np.memmap(path, dtype, "r", shape=(count,)) if count else np.zeros(0, dtype)
