"""Chooses the reports of a search that a GUI gets: not too many lines, but always the last ones."""
from collections.abc import Callable
from dataclasses import dataclass

from search import Info

BOUNDS_AFTER = 10       # intervals; earlier, bounds would only flood the screen


@dataclass(frozen=True)
class Reporting:
    """The options that decide which reports are sent."""

    interval_ms: int = 300      # between two iterations shown; 0: show every one
    bounds: bool = True         # show lines that failed low or high, too


class Reporter:
    """A filter for the reports of one search. It shows all exact lines of an iteration, or none. `end` shows what is
    missing: the last finished iteration, and the latest line of each place (`multipv`). Without `bounds`, a latest line
    that failed low or high is shown only if it names another best move than that iteration."""

    def __init__(self, reporting: Reporting, show: Callable[[Info], None]) -> None:
        self._reporting = reporting
        self._show = show
        self._iteration_ms: int | None = None   # the time of the last iteration shown
        self._showing = True                    # whether the present iteration's exact lines are shown
        self._exact: dict[int, dict[int, Info]] = {}    # of the last two depths, by places
        self._depth = 0                         # of the present iteration
        self._shown_depths: set[int] = set()    # whose exact lines were shown
        self._last: dict[int, Info] = {}        # by places, the latest line heard
        self._shown: dict[int, Info] = {}       # … and the latest line shown
        self.best: str | None = None            # the best move of the latest report

    def hear(self, info: Info) -> None:
        interval_ms = self._reporting.interval_ms
        if info.multipv == 1:
            self.best = info.pv[0]
            self._depth = info.depth
        self._last[info.multipv] = info
        if info.bound != "exact":
            if self._reporting.bounds and info.time_ms >= BOUNDS_AFTER * interval_ms:
                self._put(info)
            return
        if info.multipv == 1:
            self._exact[info.depth] = {}
            if len(self._exact) > 2:
                del self._exact[min(self._exact)]
            self._showing = self._iteration_ms is None or info.time_ms - self._iteration_ms >= interval_ms
            if self._showing:
                self._iteration_ms = info.time_ms
        if info.depth == self._depth and info.depth in self._exact:     # else a stop has mixed two iterations
            self._exact[info.depth][info.multipv] = info
        if self._showing:
            self._shown_depths.add(self._depth)
            self._put(info)

    def _put(self, info: Info) -> None:
        self._shown[info.multipv] = info
        self._show(info)

    def end(self, depth: int) -> None:
        """Show the last reports of a search that has ended; `depth` is its last finished iteration."""
        finished = self._exact.get(depth, {})
        last = [info for _, info in sorted(self._last.items())]
        if depth not in self._shown_depths and any(self._last[place] is not info for place, info in finished.items()):
            for _, info in sorted(finished.items()):
                self._put(info)
        if self._only_bounds(last, finished):
            return
        if any(self._shown.get(info.multipv) is not info for info in last):
            for info in last:
                self._put(info)

    def _only_bounds(self, last: list[Info], finished: dict[int, Info]) -> bool:
        """Whether the last lines can be left out where no bounds are wanted: they name the same best move."""
        if self._reporting.bounds or not finished or last[0].bound == "exact":
            return False
        return last[0].pv[0] == finished[1].pv[0]
