from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from engine import Position
from eval.evaluator import Evaluator
from search.clock import Budget
from search.limits import Info, Limits, Result, Settings, TimeLimit
from tt.table import TranspositionTable

class Searcher:
    """What searches have in common: memory, threads, evaluation. One search at a time: while it goes on, a second one
    and whatever would change the searcher or its table raise RuntimeError.

    It evaluates by the packaged network; or by `evaluator`, or by what load_evaluator has of this name: "material",
    "tables" or a weights file. OSError and UserError as load_evaluator. `params` changes margins of the search
    (search/parameters.py); UserError for an unknown one and for a value outside of its range. If there is too little
    memory for the table or the threads, they become smaller and fewer, with a RuntimeWarning.

    Without `own_threads`, `search` searches in the thread that calls it, which must have 2 MB of stack to spare and
    notices Ctrl-C only between iterations: for many short searches, each of which a new thread would make longer by a
    fifth.

    >>> from engine import Position
    >>> from search import Limits, Searcher
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """

    table: TranspositionTable

    @property
    def threads(self) -> int:
        """How many it searches with."""
    def __init__(self, hash_mb: int = 256, threads: int = 1, params: Mapping[str, int] | None = None,
                 own_threads: bool = True, evaluator: Evaluator | str | PathLike[str] | None = None) -> None: ...
    def resize_hash(self, megabytes: int) -> int:
        """Give the table so much memory, or as much as can be had, and empty it. Returns the MB obtained."""
    def set_threads(self, threads: int) -> int:
        """Search with so many threads, or with as many as fit into half of the memory that this process may take yet,
        as the machine, its containers and its limits have it, and forget what they have learnt. Returns how many there
        are now; UserError if none are wanted, MemoryError if there is no memory for one."""
    def set_evaluator(self, evaluator: Evaluator) -> None:
        """Evaluate by this one, and forget what was learnt by others."""
    def clear(self) -> None:
        """Forget all that was learnt: the next search depends on nothing before it."""
    def measure_lateness(self) -> None:
        """See for how long a thread that could run has to wait on this machine, before any search on a clock; those see
        it too."""
    def evaluate(self, position: Position) -> int:
        """The static evaluation in centipawns from the side to move, a function of the position alone."""
    def best_unsearched(self, position: Position, wanted: Sequence[str] = ()) -> str | None:
        """A move without any search, for when none can be had: the best of `wanted`, or else of all legal moves, by the
        evaluation after it and the exchanges that the opponent then wins. None where there is no move."""
    @property
    def loops(self) -> dict[str, int]:
        """What the threads' registries of loops did in the last search: loops found on the path and spliced from known
        ones, bounds noted that rest on them, and reuses of such bounds granted and refused (see
        search/tree/loops.pxd)."""
    @property
    def traffic(self) -> dict[str, int]:
        """Results that the threads have stored up to the end of the last search, and contradictions among them by cause
        (see tt/table.pxd)."""
    def prepare(self, position: Position, limits: Limits, settings: Settings | None = None,
                on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> SearchHandle:
        """A search that is ready to `run` or `start`, and whose clock is running: from `asked_at`, in nanoseconds of
        time.perf_counter_ns(), or from now.

        `on_info` is called with an `Info` for every line of every finished iteration, and for a line that failed low or
        high, in the thread that searches. Raises UserError for an illegal move in `searchmoves` and for an unknown
        entering-king rule, RuntimeError while a search is going on."""
    def start(self, position: Position, limits: Limits, settings: Settings | None = None,
              on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> SearchHandle:
        """A search that is going on, in a thread of its own. As `prepare`."""
    def search(self, position: Position, limits: Limits, settings: Settings | None = None,
               on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> Result:
        """Search a position and return the result, with the interpreter free for other threads meanwhile. As
        `prepare`. Ctrl-C, and whatever else a handler of signals raises, ends the search before it is raised here."""
    def stop(self, wait: bool = False) -> None:
        """End the search at once, if one is going on; with `wait`, return when it is over. Not from its `on_info`."""

class SearchHandle:
    """One search. Made by `Searcher.prepare` and `Searcher.start`.

    Its first iteration is always finished, whatever limits it or stops it: where the rules leave anything to decide,
    `on_info` hears of a line and the result has a move that was searched. `Limits.nodes` holds for all threads
    together, and exactly from that iteration on."""

    limits: Limits
    is_running: bool

    @property
    def budget(self) -> Budget | None:
        """The time for it; None if time does not limit it (yet)."""
    def add_done_callback(self, callback: Callable[[SearchHandle], object]) -> None:
        """Have `callback` called with this search when it is over, in the thread that has searched; at once if it is
        over already."""
    def start(self) -> None:
        """Search in a new thread. RuntimeError if this search has begun already, or another search of its searcher is
        going on; MemoryError if there is no room for a thread."""
    def run(self) -> Result:
        """Search in this thread, which needs the stack of search.threads (or 2 MB, see Searcher). RuntimeError as
        `start`."""
    def result(self) -> Result:
        """Wait for the end of a search that was started; raises what its thread raised."""
    def stop(self) -> None:
        """End it at once, or as soon as its first iteration is finished. From any thread, also before it has begun."""
    def give_time(self, time: TimeLimit, asked_at: int | None = None) -> None:
        """Let this time limit it, and no other, from `asked_at` (as in Searcher.prepare). From any thread. A search
        that ponders begins without a time, and gets one at the hit."""
