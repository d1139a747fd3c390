from typing import TypedDict

from tt.table import TranspositionTable

class Counts(TypedDict):
    """As in `tt.statistics.quality.Quality`."""

    entries: int
    slots: int
    used: int
    references: int
    cases: tuple[int, ...]
    first: tuple[int, ...]
    expected: tuple[float, ...]
    variance: tuple[float, ...]
    blocks: tuple[int, ...]
    false_hits: int
    collisions: int
    expected_false_hits: float

class HashStatistics:
    """Counts for one table, which must be empty at first, must not be cleared, and is used by one thread."""

    def __init__(self, table: TranspositionTable) -> None: ...
    def counts(self) -> Counts:
        """All counts so far, as the arguments of `Quality`. Raises MemoryError if memory ran out."""
