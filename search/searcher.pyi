from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from engine import Position
from eval.evaluator import Evaluator
from search.clock import Budget
from search.limits import Clock, Info, Limits, Result, Settings, TimeLimit
from search.vote import ThreadVote
from tt.table import TranspositionTable

class Searcher:
    """Table, threads and evaluation for searches. A searcher runs one search at a time. During a search, a second
    search and any change of the searcher or its table raise RuntimeError.

    `evaluator` is an Evaluator or a name for load_evaluator ("material", "tables" or a weights file); by default the
    packaged network. Raises OSError and UserError as load_evaluator does. `params` changes margins of the search
    (search/parameters.py); raises UserError for an unknown name or a value out of range. If memory is short, the table
    becomes smaller or the threads fewer, with a RuntimeWarning.

    With `in_calling_thread`, `search` begins no thread: the caller needs 2 MB of free stack, and Ctrl-C is noticed only
    between iterations. Use this for many short searches: starting a thread for each would cost a fifth more time.

    >>> from engine import Position
    >>> from search import Limits, Searcher
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """

    table: TranspositionTable

    @property
    def threads(self) -> int:
        """The number of search threads."""
    def __init__(self, hash_mb: int = 256, threads: int = 1, params: Mapping[str, int] | None = None,
                 in_calling_thread: bool = False, evaluator: Evaluator | str | PathLike[str] | None = None) -> None: ...
    def resize_hash(self, megabytes: int) -> int:
        """Resize the table to `megabytes`, or as large as memory allows, and empty it. Returns the size obtained in
        MB."""
    def set_threads(self, threads: int) -> int:
        """Set the number of threads and forget what they have learned. If memory is short, uses as many threads as fit
        into half of the memory available to this process. Returns the number of threads. Raises UserError for a number
        below 1, MemoryError if there is no memory for one thread."""
    def set_evaluator(self, evaluator: Evaluator) -> None:
        """Use another evaluator, and forget everything learned."""
    def clear(self) -> None:
        """Forget everything learned, so that the next search depends on nothing before it."""
    def measure_lateness(self) -> None:
        """Measure how long runnable threads wait on this machine, for the first search on a clock; later ones learn
        from the searches before."""
    def evaluate(self, position: Position) -> int:
        """The static evaluation in centipawns for the side to move; depends on the position alone."""
    def best_unsearched(self, position: Position, wanted: Sequence[str] = ()) -> str | None:
        """A move chosen without a search: the best of `wanted`, or else of all legal moves, by the evaluation after it
        and the opponent's best exchange. None if there is no move."""
    @property
    def ballots(self) -> list[ThreadVote | None]:
        """The threads' votes in the last search, the leader's first; None for a thread without a result."""
    @property
    def traffic(self) -> dict[str, int]:
        """Counts of the search up to its last report: results stored in the table, and contradictions among them (a new
        bound that crosses the opposite old one)."""
    def prepare(self, position: Position, limits: Limits | Clock, settings: Settings | None = None,
                on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> SearchHandle:
        """Make a search that is ready to `run` or `start`. The search's time runs from `asked_at`, in nanoseconds of
        time.perf_counter_ns(), or from now.

        The searching thread calls `on_info` with an `Info` for every line of every completed iteration, and for lines
        that fail low or high. Raises UserError for an illegal move in `searchmoves` or an unknown entering-king rule,
        RuntimeError while a search is running. """
    def start(self, position: Position, limits: Limits | Clock, settings: Settings | None = None,
              on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> SearchHandle:
        """Start a search in a new thread, and return it. Arguments and errors as `prepare`."""
    def search(self, position: Position, limits: Limits | Clock, settings: Settings | None = None,
               on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> Result:
        """Search a position and return the result. Arguments and errors as `prepare`. Releases the GIL meanwhile.
        Ctrl-C, or another exception of a signal handler, stops the search before it is raised."""
    def stop(self, wait: bool = False) -> None:
        """Stop the running search, if any. With `wait`, return only when it has ended; not from its `on_info`."""

class SearchHandle:
    """One search, made by `Searcher.prepare` or `Searcher.start`.

    The first iteration is always completed, whatever the limits, and even after a stop. So unless the rules decide the
    position, `on_info` gets a line and the result has a searched move. `Limits.nodes` applies to all threads together.
    The limit is exact, but a search may end earlier, and the first iteration may exceed it. The nodes are shared
    equally. Each thread gets 100,000 nodes or more, so a smaller search has fewer threads; with several lines it has
    one. """

    limits: Limits
    is_running: bool

    @property
    def budget(self) -> Budget | None:
        """The time budget; None if time does not limit the search (yet)."""
    def add_done_callback(self, callback: Callable[[SearchHandle], object]) -> None:
        """Call `callback` with this search when it ends, in the searching thread; at once if it has already ended. The
        callback may ask for the search's result. If it raises an exception, that is printed, and the result stays."""
    def start(self) -> None:
        """Search in a new thread. Raises RuntimeError if this search has already begun or its searcher runs another
        one, MemoryError if there is no memory for a thread."""
    def run(self) -> Result:
        """Search in this thread, which needs the stack of search.threads (or 2 MB, see Searcher). Raises RuntimeError
        as `start` does."""
    def result(self) -> Result:
        """Wait for the end of a started search and return its result. Raises the exception of its thread, if any."""
    def stop(self) -> None:
        """Stop the search as soon as its first iteration is completed. From any thread, also before the search has
        begun."""
    def give_time(self, time: TimeLimit, asked_at: int | None = None) -> None:
        """Replace the time limit; the time runs from `asked_at` (as in Searcher.prepare). From any thread. A ponder
        search begins without time and gets it at the ponder hit."""
