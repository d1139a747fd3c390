"""Books put together in one, in the order in which a book can be searched on the fly."""
import heapq
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path

from usi.book.db import BookBlock, BookEntry, blocks, combined, open_book

_order = attrgetter("order")


def merged(paths: Iterable[Path]) -> Iterator[BookEntry]:
    """All positions of these books, each once, with the moves of all. A book that is sorted already is read as it goes,
    so that it may be larger than memory; another one is sorted in memory. Raises as `blocks` does."""
    streams = [_in_order(path) for path in paths]
    for _, group in groupby(heapq.merge(*streams, key=_order), key=_order):
        entries = [block.entry() for block in group]
        yield entries[0]._replace(moves=combined(move for entry in entries for move in entry.moves))


def _in_order(path: Path) -> Iterator[BookBlock]:
    is_sorted = all(before.order <= after.order for before, after in pairwise(_all_of(path)))
    return _all_of(path) if is_sorted else iter(sorted(_all_of(path), key=_order))


def _all_of(path: Path) -> Iterator[BookBlock]:
    with open_book(path) as file:
        yield from blocks(file, path)
