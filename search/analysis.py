"""Analysis of a position: one call that searches and returns all lines."""
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from weakref import WeakKeyDictionary

from engine import Position
from engine.errors import UserError, of_type, whole
from search.lending import HASH_MB, Queue, SearcherPool
from search.limits import Clock, Info, LastLines, Limits, Result, Settings, as_limits, mate_plies
from search.searcher import Searcher, SearchHandle
from search.threads import usable_cores

# Awaited analyses wait for their turn: for the searcher that the caller passes, or for a free place among the searchers
# made for one analysis, at most one for each processor.
_turns: "WeakKeyDictionary[Searcher, Queue[None]]" = WeakKeyDictionary()
_turns_lock = threading.Lock()
_fresh = Queue([None] * usable_cores())
BOUND_SIGNS = {"exact": "", "lower": "≥ ", "upper": "≤ "}      # before a score


@dataclass(frozen=True)
class PositionAnalysis:
    """The result of an analysis: its lines, the best first; a notebook shows them as a table. There are none if the
    side to move is mated or declares a win.

    All lines are exact and of the last iteration that was finished. But if the search was stopped after it had found a
    better move, or a mate, in the next iteration, the line of that move comes first, and the scores of the others may
    be upper bounds (`Info.bound`)."""

    lines: tuple[Info, ...]
    result: Result
    position: Position | None = field(default=None, compare=False)      # that was analysed

    @property
    def bestmove(self) -> str | None:
        """The best move, in USI; None if there is none."""
        return self.result.bestmove

    @property
    def best(self) -> str | None:
        """The old name of `bestmove`."""
        warnings.warn("PositionAnalysis.best is now PositionAnalysis.bestmove", DeprecationWarning, stacklevel=2)
        return self.bestmove

    @property
    def score(self) -> int:
        """The score of the best line for the side to move, in centipawns; see also `mate`."""
        return self.lines[0].score if self.lines else self.result.score

    @property
    def mate(self) -> int | None:
        """The plies to mate, negative if the side to move is mated; None if the score is no mate."""
        return mate_plies(self.score)

    def _repr_html_(self) -> str:
        """The lines as a table, with the moves in Japanese."""
        rows = [_row("th", ["", "score", "depth", "line"])]
        for place, line in enumerate(self.lines, 1):
            moves = self.position.format_moves(line.pv) if self.position else line.pv
            rows.append(_row("td", [str(place), BOUND_SIGNS[line.bound] + _shown_score(line), str(line.depth),
                                    " ".join(moves)]))
        return f"<table>{''.join(rows)}</table>"


def _shown_score(line: Info) -> str:
    return f"{line.score / 100:+.2f}" if line.mate is None else f"mate {line.mate}"


def _row(kind: str, cells: Sequence[str]) -> str:
    shown = "".join(f'<{kind} style="text-align: left">{escape(cell)}</{kind}>' for cell in cells)
    return f"<tr>{shown}</tr>"


class _Lines(LastLines):
    """Collects lines, and passes the reports on to `on_info`."""

    def __init__(self, position: Position, on_info: Callable[[Info], None] | None) -> None:
        super().__init__()
        self._position = of_type("position", position, Position).copy()
        self._on_info = on_info
        self._run: list[Info] = []          # exact lines of one iteration that came one after another, from the first
        self._finished: list[Info] = []     # the last such run of all lines, which is a finished iteration

    def __call__(self, info: Info) -> None:
        self.hear(info)
        if info.bound != "exact":
            self._run = []
        elif info.multipv == 1:
            self._run = [info]
        elif len(self._run) == info.multipv - 1 and self._run[0].depth == info.depth:
            self._run.append(info)
        if self._run and len(self._run) >= len(self._finished):
            self._finished = self._run
        if self._on_info:
            self._on_info(info)

    def of(self, result: Result) -> PositionAnalysis:
        lines = self.lines
        mixed = any(line.bound != "exact" or line.depth != lines[0].depth for line in lines)
        found_mate = lines and lines[0].bound == "exact" and lines[0].mate is not None
        if mixed and not found_mate and self._finished and self._finished[0].pv[0] == result.bestmove:
            lines = self._finished
        return PositionAnalysis(tuple(lines), result, self._position)


def search_lines(searcher: Searcher, position: Position, limits: Limits, settings: Settings,
                 on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Like Searcher.search; returns all lines."""
    lines = _Lines(position, on_info)
    return lines.of(searcher.search(position, limits, settings, lines))


def analyse(position: Position, limits: Limits | Clock | None = None, *, nodes: int | None = None,
            depth: int | None = None, movetime: int | None = None, lines: int = 1, moves: Sequence[str] = (),
            searcher: Searcher | SearcherPool | None = None, settings: Settings | None = None,
            on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Search a position and return the best `lines` with their scores. Give `limits`, or at least one of `nodes`,
    `depth` and `movetime` (ms).

    `moves` restricts the root moves. Without a `searcher` a new one is made, with one thread, 16 MB and the packaged
    network; for several analyses keep one. From a SearcherPool the next idle searcher is borrowed. Raises UserError as
    Searcher.prepare does, RuntimeError if the searcher is busy. Ctrl-C stops the search before it is raised.

    >>> found = analyse(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), depth=3, lines=2)
    >>> found.bestmove, found.mate, len(found.lines)
    ('G*5b', 1, 2)
    """
    asked, settings = _asked(limits, nodes, depth, movetime, lines, moves, settings)
    with _lent(searcher) as own:
        return search_lines(own, position, asked, settings, on_info)


async def analyse_async(position: Position, limits: Limits | Clock | None = None, *, nodes: int | None = None,
                        depth: int | None = None, movetime: int | None = None, lines: int = 1,
                        moves: Sequence[str] = (), searcher: Searcher | SearcherPool | None = None,
                        settings: Settings | None = None,
                        on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Like `analyse`, without blocking the event loop. Cancelling stops the search. `on_info` is called in the
    searching thread.

    Analyses on the same searcher wait for each other. Without a searcher, at most one analysis for each processor runs
    at once; the others wait.
    """
    asked, settings = _asked(limits, nodes, depth, movetime, lines, moves, settings)
    # A copy of the position as it is now, because the caller may change it while this analysis waits for its turn.
    position = of_type("position", position, Position).copy()
    heard = _Lines(position, on_info)
    async with _lent_async(searcher) as own:
        return heard.of(await result_of(own.start(position, asked, settings, heard)))


@contextmanager
def _lent(searcher: Searcher | SearcherPool | None) -> Iterator[Searcher]:
    if isinstance(searcher, SearcherPool):
        with searcher.lend() as lent:
            yield lent
    else:
        yield Searcher(HASH_MB) if searcher is None else of_type("searcher", searcher, Searcher, SearcherPool)


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
            turns = _turns.setdefault(of_type("searcher", searcher, Searcher, SearcherPool), Queue([None]))
        async with turns.lend_async():
            yield searcher


def _asked(limits: Limits | Clock | None, nodes: int | None, depth: int | None, movetime: int | None, lines: int,
           moves: Sequence[str], settings: Settings | None) -> tuple[Limits, Settings]:
    """The limits and settings of an analysis, checked."""
    own = Limits(depth, nodes, movetime, searchmoves=moves)     # type: ignore[arg-type]   # it makes them a tuple
    if limits is None:
        asked = own
    elif own == Limits():
        asked = as_limits(limits)
    else:
        raise UserError("{limits} and also nodes, depth, movetime or moves: put all of them into the Limits",
                        limits=limits)
    if replace(asked, searchmoves=()) == Limits():
        raise UserError("without nodes, depth or movetime the analysis would never end; give one of them")
    chosen = Settings() if settings is None else of_type("settings", settings, Settings)
    return asked, replace(chosen, multi_pv=whole("lines", lines, 1))


async def result_of(search: SearchHandle) -> Result:
    """Wait for a search and return its result. When this returns or raises, the search has ended, so its searcher is
    free."""
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
