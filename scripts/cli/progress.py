"""How far a run is that fills a file with positions."""
import sys
import time
from datetime import datetime, timedelta

from usi.console.terminal import progress

REPORT_INTERVAL = (1, 60)   # seconds between two lines of progress on a terminal, and elsewhere


class PositionProgress:
    """Lines on stderr that say how far a run is, how fast, and when it will be done."""

    def __init__(self, wanted: int, have: int) -> None:
        self.wanted = wanted
        self.began_with = have
        self.began = self.reported = time.monotonic()

    def tell(self, have: int) -> None:
        """Print the line, if it is time for one."""
        terminal = sys.stderr.isatty()
        if time.monotonic() - self.reported >= REPORT_INTERVAL[not terminal]:
            self.reported = time.monotonic()
            if terminal:
                progress(self.line(have))
            else:
                print(self.line(have), file=sys.stderr, flush=True)

    def line(self, have: int) -> str:
        elapsed = time.monotonic() - self.began
        rate = (have - self.began_with) / elapsed if elapsed > 0 else 0
        if have >= self.wanted:
            end = "done"
        elif rate:
            end = f"done by {datetime.now() + timedelta(seconds=(self.wanted - have) / rate):%Y-%m-%d %H:%M}"
        else:
            end = "none yet"
        return ", ".join([f"{have} of {self.wanted} positions", *self.details(have),
                          f"{rate:.{0 if rate >= 10 else 1}f}/s", end])

    def details(self, have: int) -> list[str]:
        """What else the line says."""
        return []
