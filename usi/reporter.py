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
    """Hands on what it hears of one search. All lines of an iteration are shown, or none; of each place the last one
    is, in the end."""

    def __init__(self, reporting: Reporting, show: Callable[[Info], None]) -> None:
        self._reporting = reporting
        self._show = show
        self._shown_ms: int | None = None       # the time of the last iteration shown
        self._held: dict[int, Info] = {}        # by places, the last that was heard of it, if it is not shown (yet)
        self._showing = True
        self._unwanted = False                  # a bound that is not wanted leads the lines that come now
        self.best: str | None = None            # the best move heard of so far

    def hear(self, info: Info) -> None:
        interval_ms = self._reporting.interval_ms
        if info.multipv == 1:
            self.best = info.pv[0]
        if info.bound != "exact":
            self._unwanted = not self._reporting.bounds
            showing = info.time_ms >= BOUNDS_AFTER * interval_ms
        else:
            if info.multipv == 1:
                self._unwanted = False
                self._held.clear()
                self._showing = self._shown_ms is None or info.time_ms - self._shown_ms >= interval_ms
                if self._showing:
                    self._shown_ms = info.time_ms
            showing = self._showing
        if self._unwanted:
            return
        if showing:
            self._held.pop(info.multipv, None)
            self._show(info)
        else:
            self._held[info.multipv] = info

    def end(self) -> None:
        """The search has ended: show what was held back."""
        for _, info in sorted(self._held.items()):
            self._show(info)
        self._held.clear()
