"""Look positions up in a book: in memory, or on disk if the file is sorted."""
import re
from collections.abc import Callable
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Protocol

from engine.errors import Phrase, UserError
from usi.book.db import MOST_LINES, BookBlock, BookEntry, blocks, lines_of, open_book, read_entries, refuse
from usi.files.reading import quoted

SAMPLES = 64        # positions sampled from a file to notice, without reading it all, that it is not sorted

_PLACEMENT = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*+sfen[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)")


class Book(Protocol):
    """Looks positions up in one file."""

    path: Path

    def find(self, placement: str) -> list[BookEntry]:
        """The entries of a position, given as its SFEN without the move number; one for each move number in the file,
        in the file's order. Raises OSError and UserError as the file's reading raises them."""

    def close(self) -> None: ...


class InMemory:
    """Reads the whole file at once; `fault_in` gets malformed lines, as in `blocks`. Raises OSError if it
    cannot be read, UserError if there is no position."""

    def __init__(self, path: Path, fault_in: Callable[[UserError], None] = refuse) -> None:
        self.path = path
        self._blocks: dict[bytes, list[BookBlock]] = {}
        with open_book(path) as file:
            for block in blocks(file, path, fault_in=fault_in):
                self._blocks.setdefault(block.placement, []).append(block)
        if not self._blocks:
            raise UserError("{path} holds no position", path=path)

    def find(self, placement: str) -> list[BookEntry]:
        return read_entries(self._blocks.get(placement.encode(), []), self.path)

    def close(self) -> None:
        self._blocks.clear()


class OnTheFly:
    """Searches the file by bisection; it must be sorted by the bytes of its `sfen` lines. Raises OSError if it cannot
    be opened, UserError if it turns out not to be sorted. A malformed line is only noticed when its position is looked
    up; `fault_in` gets it each time, as in `blocks`."""

    def __init__(self, path: Path, fault_in: Callable[[UserError], None] = refuse) -> None:
        self.path = path
        self._fault_in = fault_in
        self._file = open_book(path)
        try:
            self._size = self._file.seek(0, 2)
            self._require_sorted()
        except (OSError, ValueError):
            self._file.close()
            raise

    def find(self, placement: str) -> list[BookEntry]:
        wanted = placement.encode()
        low, high = 0, self._size       # the first entry not before `wanted` begins at a byte from low to high
        while low < high:
            middle = (low + high) // 2
            start, found = self._next(middle)
            if found is None or found >= wanted:
                high = middle
            else:
                low = start + 1
        start, found = self._next(low)
        if found != wanted:
            return []
        found_from_here = blocks(self._file, self.path, start, self._fault_in)
        same = takewhile(lambda block: block.placement == wanted, found_from_here)
        return read_entries(same, self.path)

    def close(self) -> None:
        self._file.close()

    def _next(self, offset: int) -> tuple[int, bytes | None]:
        """The place and the placement of the first position at or after `offset`; None if there is none. Raises
        UserError if none begins in the next MOST_LINES lines."""
        self._file.seek(max(offset - 1, 0))
        lines = lines_of(self._file, self.path)
        if offset:
            offset += len(next(lines, b"")) - 1
        start = offset
        for number, line in enumerate(lines):
            if match := _PLACEMENT.match(line):
                return offset, b" ".join(match.groups())
            if number == MOST_LINES:
                raise UserError("no position begins in the next {count} lines; give a book", count=MOST_LINES).at(
                    Phrase("{path}, byte {number}", path=self.path, number=start))
            offset += len(line)
        return offset, None

    def _require_sorted(self) -> None:
        if self._next(0)[1] is None:
            raise UserError("{path} holds no position", path=self.path)
        found = (self._next(self._size * sample // SAMPLES)[1] for sample in range(SAMPLES))
        for before, after in pairwise(found):
            if before is not None and after is not None and after < before:
                raise UserError("{path} is not sorted ({line} comes behind {other}), so it cannot be searched on the "
                                "fly: turn BookOnTheFly off, or sort it with 'engine book merge {path} --out SORTED'",
                                path=self.path, line=quoted(after), other=quoted(before))
