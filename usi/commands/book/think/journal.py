"""The file that a book is made from and continued from: a position on each line."""
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from usi import journal
from usi.book.db import BookMove


def _read(row: Any) -> tuple[str, list[BookMove]]:
    placement, moves = row
    return placement, [BookMove(*move) for move in moves]


KIND = journal.Kind("positions thought about, for a book", "engine book think", "position with its moves", _read)


class Journal:
    """The moves that were found in each position."""

    def __init__(self, path: Path, conditions: Mapping[str, int | str]) -> None:
        """OSError and ValueError as usi.journal.Journal has them."""
        self._journal = journal.Journal(path, KIND, conditions)
        self.found = dict(self._journal.rows)

    def add(self, placement: str, moves: Sequence[BookMove]) -> None:
        """OSError if it cannot be written."""
        self.found[placement] = list(moves)
        self._journal.append([placement, moves])

    def close(self) -> None:
        self._journal.close()
