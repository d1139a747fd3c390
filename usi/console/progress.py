"""Progress of long work, on stderr."""
import os
import shutil
import sys
import time
from collections.abc import Callable

import click

from usi.console.streams import unguarded
from usi.words.language import _
from usi.words.visible import visible
from usi.words.wording import fold

REPORT_SECONDS = (0.1, 60)      # between two reports: on a terminal, and elsewhere
BAR = 20                # columns


def is_terminal() -> bool:
    """Whether standard error is a terminal that can clear a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def progress(text: str) -> None:
    """Show `text` in place of the last such text, shortened to fit a line; nothing unless `is_terminal`."""
    if is_terminal():
        width = shutil.get_terminal_size().columns - 1
        text = fold(visible(text), width)[0][:width]
        click.echo(f"\r{text}\x1b[K", nl=False, file=unguarded(sys.stderr))


class Progress:
    """Progress of long work, on stderr: on a terminal a bar with rate and time left, elsewhere a line now and then."""

    def __init__(self, total: float | None, unit: str, done: float = 0,
                 now: Callable[[], float] = time.monotonic) -> None:
        """`total` is None if unknown. `done` is the part that was finished before. `unit` is a plural, in the reader's
        language."""
        self.total = total
        self._unit = unit
        self._first = done
        self._now = now
        self._began = now()
        self._told = self._began - REPORT_SECONDS[is_terminal()]

    def tell(self, done: float, *details: str) -> None:
        """Show the progress, if it is time."""
        on_terminal = is_terminal()
        if self._now() - self._told >= REPORT_SECONDS[not on_terminal]:
            self._told = self._now()
            if on_terminal:
                bar = f"[{'#' * round(BAR * done / self.total):{BAR}}] " if self.total else ""
                progress(bar + self.line(done, *details))
            else:
                click.echo(self.line(done, *details), err=True)

    def line(self, done: float, *details: str) -> str:
        """One line: the amount done, the details, the rate, and the time left."""
        rate = (done - self._first) / max(self._now() - self._began, 1e-9)
        told = f"{done} {self._unit}" if self.total is None else _(
            "{done} of {total} {unit}", done=done, total=self.total, unit=self._unit)
        speed = [f"{rate:.{0 if rate >= 10 else 1}f}/s"] if rate >= 0.1 else []
        return ", ".join([told, *filter(None, details), *speed]) + self.left(done)

    def left(self, done: float) -> str:
        """The time left, behind a comma; "" before the first part is done and after the last."""
        if self.total is None or not self._first < done < self.total:
            return ""
        each = (self._now() - self._began) / (done - self._first)
        return _(", {time} left", time=duration(each * (self.total - done)))


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(seconds) for seconds in (4.4, 89, 600, 7200)]
    ['4 s', '89 s', '10 min', '2.0 h']
    """
    if seconds < 90:
        return _("{seconds:.0f} s", seconds=seconds)
    return (_("{minutes:.0f} min", minutes=seconds / 60) if seconds < 5400 else
            _("{hours:.1f} h", hours=seconds / 3600))
