from typing import TypedDict

class Entry(TypedDict):
    check: int
    move: int
    evaluation: int
    lower: int
    upper: int
    lower_depth: int
    upper_depth: int
    marks: int
    spare: int

class Cutoff(TypedDict):
    answer: int
    value: int
    alpha: int
    beta: int

class TranspositionTable:
    """The memory of a table, and what is done with the whole of it."""

    megabytes: int

    def __init__(self, megabytes: int = 16, threads: int = 1) -> None: ...
    def resize(self, megabytes: int, threads: int = 1) -> int:
        """Make it so large, or as large as memory allows, and empty. Returns the size obtained in MB."""
    def clear(self, threads: int = 1) -> None:
        """Forget everything, with this number of threads."""
    def new_search(self) -> None:
        """From now on all that is stored here counts as older."""
    @property
    def hashfull(self) -> int:
        """How much of it the present search has filled, per mille."""
    def _store(self, key: int, *, move: int = 0, evaluation: int = 0, lower: int = ..., upper: int = ..., depth: int,
               on_pv: bool = False, on_path: bool = False) -> list[int]: ...
    def _probe(self, key: int) -> Entry | None: ...
    def _bounds(self, key: int, depth: int) -> tuple[int, int]: ...

def _bounds_cutoff(lower: int, upper: int, alpha: int, beta: int) -> Cutoff: ...
