"""The signals of a game on the terminal. None of them comes between a move and its save, or interrupts a save."""
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Ctrl-C, a closed window, and the end of the session; not all systems have all of them.
_NAMES = ("SIGINT", "SIGHUP", "SIGTERM")
TICK_S = 0.25           # how late a signal is seen at worst
EARLY_S = 0.001         # by which the system's timer may ring too early


class Signals:
    """Signal handlers. The first signal ends the game, by KeyboardInterrupt if it is Ctrl-C, else by SystemExit with
    the shell's status. Later ones are ignored, because a closed window sends several within a few milliseconds."""

    def __init__(self) -> None:
        self._is_deaf = False
        self._holds = 0
        self._waiting: int | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Handle the signals during the block. Those that are ignored already (nohup) stay ignored."""
        numbers = [number for name in _NAMES if (number := getattr(signal, name, None)) is not None]
        before = {number: handler for number in numbers if (handler := signal.getsignal(number)) != signal.SIG_IGN}
        for number in before:
            signal.signal(number, self._handle)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold signals back until the end of the block."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds and self._waiting is not None:
                number, self._waiting = self._waiting, None
                self._leave(number)

    def ignore(self) -> None:
        """Ignore all signals from now on. One that comes during this call is raised."""
        self._is_deaf = True

    @contextmanager
    def heard_again(self) -> Iterator[None]:
        """Handle signals again during the block, so that a person who is leaving can be asked a question."""
        self._is_deaf = False
        try:
            yield
        finally:
            self._is_deaf = True

    def _handle(self, number: int, _frame: object) -> None:
        if self._is_deaf:
            return
        if self._holds:
            if self._waiting in (None, signal.SIGINT):      # a question may follow; a closed window gives none
                self._waiting = number
        else:
            self._leave(number)

    def _leave(self, number: int) -> None:
        self._is_deaf = True
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


class TimeIsUp(Exception):
    """The time of `alarm` is up."""


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeIsUp in the block, also while it waits for a line, once this many seconds have passed; never if that is
    None, and where the system has no such alarm (Windows).

    The alarm ticks all the time. A signal that arrives just as the wait for a line begins interrupts nothing, and
    Python would not look at it until a line is typed: the next tick makes it look."""
    if sys.platform == "win32":
        yield
        return
    end = None if seconds is None else time.monotonic() + seconds

    def ring(*_signal: object) -> None:
        if end is not None and time.monotonic() > end - EARLY_S:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max((seconds or TICK_S) % TICK_S, EARLY_S), TICK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
