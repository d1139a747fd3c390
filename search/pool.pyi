from collections.abc import Callable, Mapping

from engine import Position
from eval.tables import EvalTables
from search.limits import Info, Limits, Result, Settings
from tt.table import TranspositionTable

class Searcher:
    """A searching mind: its memory, its threads, and at most one search at a time.

    It evaluates by `tables`, or by material alone if they are None.

    Without `own_threads` a single thread searches in the caller's, which must have 2 MB of stack to spare and is deaf
    to Ctrl-C meanwhile: for many short searches, each of which a new thread would make longer by a fifth.
    """

    table: TranspositionTable

    def __init__(self, hash_mb: int = 256, threads: int = 1, params: Mapping[str, int] | None = None,
                 own_threads: bool = True, tables: EvalTables | None = None) -> None: ...
    def resize_hash(self, megabytes: int) -> int:
        """Give the table so much memory, or as much as can be had, and empty it. Returns the MB obtained."""
    def set_threads(self, threads: int) -> int:
        """Search with so many threads, or with half of what memory can be had for. Returns how many there are now;
        ValueError if none are wanted."""
    def set_tables(self, tables: EvalTables | None) -> None:
        """Evaluate by these tables, or by material alone if they are None, and forget what was learnt by others."""
    def clear(self) -> None:
        """Forget all that was learnt: the next search depends on nothing before it."""
    def evaluate(self, position: Position) -> int:
        """The static evaluation in centipawns from the side to move, a function of the position alone."""
    @property
    def loops(self) -> dict[str, int]: ...
    @property
    def traffic(self) -> dict[str, int]:
        """Results that the threads have stored so far, and contradictions among them by cause (see tt/table.pxd)."""
    def arm(self) -> None:
        """Say that `search` is about to be called in another thread. Its time begins now, and every `stop` and
        `ponderhit` from now on is meant for it, even one that comes before that thread has got going."""
    def stop(self) -> None:
        """End the search at once, whatever it waits for; without a search nothing happens."""
    def ponderhit(self, limits: Limits | None = None) -> None:
        """The move pondered on was played: the time budget begins now, with new clocks if they are given."""
    def search(self, position: Position, limits: Limits, settings: Settings,
               on_info: Callable[[Info], None] | None = None) -> Result:
        """Think about a position and return a `Result`. Blocks, with the interpreter free for other threads.

        `on_info` is called with an `Info` for every line reported, in the thread of the search. After `infinite` and
        `ponder` the answer waits for `stop` or `ponderhit`. Raises ValueError for an illegal move in `searchmoves` and
        for an unknown entering-king rule.
        """
