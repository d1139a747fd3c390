"""A position searched, and all of its lines at once."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine import Position
from search.limits import Info, Limits, Result, Settings
from search.searcher import Searcher, SearchHandle

HASH_MB = 16            # of a searcher that is made for one analysis


@dataclass(frozen=True)
class PositionAnalysis:
    """What a search found: its lines, the best first, as it last reported them. Where it was stopped, some may carry an
    upper bound (`Info.bound`). There is none where the side to move is mated, or declares a win."""

    lines: tuple[Info, ...]
    result: Result

    @property
    def best(self) -> str | None:
        """The best move, in USI; None if there is none."""
        return self.result.bestmove

    @property
    def score(self) -> int:
        """Of the best move, for the side to move, in centipawns; see `mate`."""
        return self.result.score

    @property
    def mate(self) -> int | None:
        """Plies to the mate, negative when the side to move is mated; None if the score is no mate."""
        return self.result.mate


class _Lines:
    """Hears a search, and keeps its last report: all lines, from the best on."""

    def __init__(self, on_info: Callable[[Info], None] | None) -> None:
        self._on_info = on_info
        self._lines: dict[int, Info] = {}

    def __call__(self, info: Info) -> None:
        if info.multipv == 1:
            self._lines.clear()
        self._lines[info.multipv] = info
        if self._on_info:
            self._on_info(info)

    def of(self, result: Result) -> PositionAnalysis:
        return PositionAnalysis(tuple(info for _, info in sorted(self._lines.items())), result)


def search_lines(searcher: Searcher, position: Position, limits: Limits, settings: Settings,
                 on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """As Searcher.search, with all lines."""
    lines = _Lines(on_info)
    return lines.of(searcher.search(position, limits, settings, lines))


def analyse(position: Position, *, nodes: int | None = None, depth: int | None = None, movetime: int | None = None,
            lines: int = 1, moves: Sequence[str] = (), searcher: Searcher | None = None,
            settings: Settings | None = None, on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """Search a position within limits (`movetime` in ms), one of which has to be given, and return the best `lines`
    with their scores.

    `moves` are the only ones to consider (all, if none are given). Without a `searcher` one is made, of one thread,
    16 MB and the packaged network; several analyses are faster with one that is kept. ValueError as Searcher.prepare.

    >>> found = analyse(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), depth=3, lines=2)
    >>> found.best, found.mate, len(found.lines)
    ('G*5b', 1, 2)
    """
    limits, settings = _asked(nodes, depth, movetime, moves), replace(settings or Settings(), multi_pv=lines)
    return search_lines(searcher or Searcher(HASH_MB), position, limits, settings, on_info)


async def analyse_async(position: Position, *, nodes: int | None = None, depth: int | None = None,
                        movetime: int | None = None, lines: int = 1, moves: Sequence[str] = (),
                        searcher: Searcher | None = None, settings: Settings | None = None,
                        on_info: Callable[[Info], None] | None = None) -> PositionAnalysis:
    """The same without blocking the event loop. If it is cancelled, the search ends. `on_info` is called in the thread
    that searches."""
    limits, settings = _asked(nodes, depth, movetime, moves), replace(settings or Settings(), multi_pv=lines)
    heard = _Lines(on_info)
    return heard.of(await _result_of((searcher or Searcher(HASH_MB)).start(position, limits, settings, heard)))


def _asked(nodes: int | None, depth: int | None, movetime: int | None, moves: Sequence[str]) -> Limits:
    if nodes is None and depth is None and movetime is None:
        raise ValueError("without nodes, depth or movetime the analysis would never end; give one of them")
    return Limits(depth, nodes, movetime, searchmoves=tuple(moves))


async def _result_of(search: SearchHandle) -> Result:
    import asyncio  # takes long to load, and who plays never needs it

    waiting = asyncio.get_running_loop().run_in_executor(None, search.result)
    try:
        return await asyncio.shield(waiting)
    except asyncio.CancelledError:
        search.stop()
        await waiting       # so that the searcher is free again
        raise
