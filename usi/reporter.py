"""What of a search's reports a GUI gets to see: no flood of lines, and always the last ones."""
from collections.abc import Callable
from dataclasses import dataclass

from search import Info

BOUNDS_AFTER = 10       # intervals; earlier, bounds would only flood the screen


@dataclass(frozen=True)
class Reporting:
    """How the GUI wants it."""

    interval_ms: int = 300      # between two iterations shown; 0: show every one
    bounds: bool = True         # show lines that failed low or high, too


class Reporter:
    """Hands on what it hears of one search. All lines of an iteration are shown, or none."""

    def __init__(self, reporting: Reporting, show: Callable[[Info], None]) -> None:
        self._reporting = reporting
        self._show = show
        self._shown_ms: int | None = None       # the time of the last iteration shown
        self._held: list[Info] = []             # of the last iteration, if it is not shown (yet)
        self._showing = True
        self.best: str | None = None            # the best move heard of so far

    def hear(self, info: Info) -> None:
        interval_ms = self._reporting.interval_ms
        if info.multipv == 1:
            self.best = info.pv[0]
        if info.bound != "exact":
            if self._reporting.bounds and info.time_ms >= BOUNDS_AFTER * interval_ms:
                self._show(info)
            return
        if info.multipv == 1:
            self._held.clear()
            self._showing = self._shown_ms is None or info.time_ms - self._shown_ms >= interval_ms
            if self._showing:
                self._shown_ms = info.time_ms
        if self._showing:
            self._show(info)
        else:
            self._held.append(info)

    def end(self) -> None:
        """The search has ended: show its last iteration, if that was held back."""
        for info in self._held:
            self._show(info)
        self._held.clear()
