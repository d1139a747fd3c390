"""Analysis of a position: one call that searches and returns all lines."""
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from engine import Position
from engine.errors import UserError, whole
from search.lending import HASH_MB, Queue, SearcherPool
from search.limits import Info, LastLines, Limits, Result, Settings
from search.searcher import Searcher, SearchHandle
from search.threads import usable_cores

# Awaited analyses take turns: on each searcher that callers pass, and for searchers made for one analysis, of which
# there are at most as many as processors.
_turns: "WeakKeyDictionary[Searcher, Queue[None]]" = WeakKeyDictionary()
_turns_lock = threading.Lock()
_fresh = Queue([None] * usable_cores())


@dataclass(frozen=True)
class PositionAnalysis:
    """The result of an analysis: the lines last reported, the best first. After a stop some may be upper bounds
    (`Info.bound`). There are none if the side to move is mated or declares a win."""

    lines: tuple[Info, ...]
    result: Result

    @property
    def best(self) -> str | None:
        """The best move, in USI; None if there is none."""
        return self.result.bestmove

    @property
    def score(self) -> int:
        """The score of the best move for the side to move, in centipawns; see also `mate`."""
        return self.result.score

    @property
    def mate(self) -> int | None:
        """The plies to mate, negative if the side to move is mated; None if the score is no mate."""
        return self.result.mate


class _Lines(LastLines):
    """Collects lines, and passes the reports on to `on_info`."""

    def __init__(self, on_info: Callable[[Info], None] | None) -> None:
        super().__init__()
        self._on_info = on_info

    def __call__(self, info: Info) -> None:
        self.hear(info)
        if self._on_info:
            self._on_info(info)

    def of(self, result: Result) -> PositionAnalysis:
        return PositionAnalysis(tuple(self.lines), result)


def search_lines(searcher: Searcher, position: Position, limits: Limits, settings: Settings,
                 on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Like Searcher.search; returns all lines."""
    lines = _Lines(on_info)
    return lines.of(searcher.search(position, limits, settings, lines))


def analyse(position: Position, *, nodes: int | None = None, depth: int | None = None, movetime: int | None = None,
            lines: int = 1, moves: Sequence[str] = (), searcher: Searcher | SearcherPool | None = None,
            settings: Settings | None = None, on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Search a position and return the best `lines` with their scores. Give at least one of `nodes`, `depth` and
    `movetime` (ms).

    `moves` restricts the root moves. Without a `searcher` a new one is made, with one thread, 16 MB and the packaged
    network; for several analyses keep one. From a SearcherPool the next idle searcher is borrowed. Raises UserError as
    Searcher.prepare does, RuntimeError if the searcher is busy. Ctrl-C stops the search before it is raised.

    >>> found = analyse(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), depth=3, lines=2)
    >>> found.best, found.mate, len(found.lines)
    ('G*5b', 1, 2)
    """
    limits, settings = _asked(nodes, depth, movetime, lines, moves, settings)
    with _lent(searcher) as own:
        return search_lines(own, position, limits, settings, on_info)


async def analyse_async(position: Position, *, nodes: int | None = None, depth: int | None = None,
                        movetime: int | None = None, lines: int = 1, moves: Sequence[str] = (),
                        searcher: Searcher | SearcherPool | None = None, settings: Settings | None = None,
                        on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Like `analyse`, without blocking the event loop. Cancelling stops the search. `on_info` is called in the
    searching thread.

    Analyses on the same searcher wait for each other. Without a searcher, as many run at once as there are processors;
    the others wait.
    """
    limits, settings = _asked(nodes, depth, movetime, lines, moves, settings)
    position = position.copy()      # its present state, however long this analysis waits for its turn
    heard = _Lines(on_info)
    async with _lent_async(searcher) as own:
        return heard.of(await result_of(own.start(position, limits, settings, heard)))


@contextmanager
def _lent(searcher: Searcher | SearcherPool | None) -> Iterator[Searcher]:
    if isinstance(searcher, SearcherPool):
        with searcher.lend() as lent:
            yield lent
    else:
        yield searcher or Searcher(HASH_MB)


@asynccontextmanager
async def _lent_async(searcher: Searcher | SearcherPool | None) -> AsyncIterator[Searcher]:
    import asyncio  # slow to load, and not needed for play

    if isinstance(searcher, SearcherPool):
        async with searcher.lend_async() as lent:
            yield lent
    elif searcher is None:
        async with _fresh.lend_async():
            yield await asyncio.to_thread(Searcher, HASH_MB)
    else:
        with _turns_lock:
            turns = _turns.setdefault(searcher, Queue([None]))
        async with turns.lend_async():
            yield searcher


def _asked(nodes: int | None, depth: int | None, movetime: int | None, lines: int, moves: Sequence[str],
           settings: Settings | None) -> tuple[Limits, Settings]:
    if nodes is None and depth is None and movetime is None:
        raise UserError("without nodes, depth or movetime the analysis would never end; give one of them")
    chosen = moves if isinstance(moves, str) else tuple(moves)      # Limits refuses a str with a message
    return (Limits(depth, nodes, movetime, searchmoves=chosen),  # type: ignore[arg-type]
            replace(settings or Settings(), multi_pv=whole("lines", lines, 1)))


async def result_of(search: SearchHandle) -> Result:
    """Wait for a search and return its result. However the wait ends, the search has ended, so the searcher is free."""
    import asyncio

    loop = asyncio.get_running_loop()
    is_over = asyncio.Event()
    search.add_done_callback(lambda _: loop.call_soon_threadsafe(is_over.set))
    cancelled: asyncio.CancelledError | None = None
    while not is_over.is_set():
        try:
            await is_over.wait()
        except asyncio.CancelledError as cancellation:
            search.stop()
            cancelled = cancellation
    if cancelled:
        raise cancelled
    return search.result()
