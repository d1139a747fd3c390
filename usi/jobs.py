"""What a `go` sets going. A job works in one thread and is told from another when to end."""
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from engine import Position
from search import Info, Limits, Searcher, Settings
from usi.book.choice import Choice
from usi.mate import solve
from usi.protocol import format_bestmove, format_choice, format_info
from usi.wire import Wire

UNINTERRUPTED_DEPTH = 4     # plies that the core counts in well under a second from any usual position


class Job(ABC):
    """The work for one `go`. `answer` and `makeshift` belong to the thread that works, the rest to any, at any time."""

    @abstractmethod
    def answer(self) -> str | None:
        """Work until done or told to end; returns the line that answers the `go`, None if none is due."""

    @abstractmethod
    def makeshift(self) -> str | None:
        """The answer if `answer` has raised, no sooner than one may be given."""

    @abstractmethod
    def stop(self) -> None:
        """End the work at once."""

    def ponderhit(self, times: Limits | None) -> None:
        """The move pondered on was played: go on by the clocks that came with it, or else by those that are known."""
        return


class Think(Job):
    """The search for a move."""

    def __init__(self, searcher: Searcher, position: Position, limits: Limits, settings: Settings, wire: Wire) -> None:
        searcher.arm()      # a stop may come before the thread has got going
        self._searcher = searcher
        self._position = position
        self._limits = limits
        self._settings = settings
        self._wire = wire
        self._best: str | None = None       # reported so far
        self._released = threading.Event()  # nothing holds back the answer, if anything did

    def answer(self) -> str | None:
        return format_bestmove(self._searcher.search(self._position, self._limits, self._settings, self._report))

    def makeshift(self) -> str | None:
        if self._limits.infinite or self._limits.ponder:
            self._released.wait()
        moves = self._limits.searchmoves or self._position.legal_moves()
        return f"bestmove {self._best or next(iter(moves), 'resign')}"

    def stop(self) -> None:
        self._searcher.stop()
        self._released.set()

    def ponderhit(self, times: Limits | None) -> None:
        self._searcher.ponderhit(times)
        if not self._limits.infinite:
            self._released.set()

    def _report(self, info: Info) -> None:
        if info.multipv == 1:
            self._best = info.pv[0]
        self._wire.send(format_info(info))


class WarmUp(Job):
    """A search without a word, and without an answer, that fills the table for one to come."""

    def __init__(self, searcher: Searcher, position: Position, settings: Settings) -> None:
        searcher.arm()
        self._searcher = searcher
        self._position = position
        self._settings = settings

    def answer(self) -> str | None:
        self._searcher.search(self._position, Limits(infinite=True), self._settings)
        return None

    def makeshift(self) -> str | None:
        return None

    def stop(self) -> None:
        self._searcher.stop()


class Recite(Job):
    """A move from the book; with `held` its answer waits for `stop` or `ponderhit`."""

    def __init__(self, choice: Choice, held: bool, wire: Wire) -> None:
        self._choice = choice
        self._wire = wire
        self._released = threading.Event()
        if not held:
            self._released.set()

    def answer(self) -> str | None:
        self._wire.send(*format_choice(self._choice))
        return self.makeshift()

    def makeshift(self) -> str | None:
        self._released.wait()
        return format_bestmove(self._choice)

    def stop(self) -> None:
        self._released.set()

    def ponderhit(self, times: Limits | None) -> None:
        self._released.set()


class Solve(Job):
    """The search for a mate."""

    def __init__(self, searcher: Searcher, position: Position, limits: Limits, settings: Settings) -> None:
        self._searcher = searcher
        self._position = position
        self._limits = limits
        self._settings = settings
        self._stopped = threading.Event()

    def answer(self) -> str | None:
        solution = solve(self._searcher, self._position, self._limits, self._settings, self._stopped.is_set)
        return f"checkmate {solution}"

    def makeshift(self) -> str | None:
        return "checkmate timeout"

    def stop(self) -> None:
        self._stopped.set()     # first: the solver asks for it once its next search can be stopped
        self._searcher.stop()


class Perft(Job):
    """The leaves of the tree of legal moves, counted move by move."""

    def __init__(self, position: Position, depth: int, wire: Wire) -> None:
        self._position = position
        self._depth = depth
        self._wire = wire
        self._stopped = threading.Event()

    def answer(self) -> str | None:
        total = 0
        for move in self._position.legal_moves():
            self._position.push(move)
            leaves = _count(self._position, self._depth - 1, self._stopped.is_set)
            self._position.pop()
            if self._stopped.is_set():
                return None
            total += leaves
            self._wire.send(f"{move}: {leaves}")
        return f"Nodes searched: {total}"

    def makeshift(self) -> str | None:
        return None

    def stop(self) -> None:
        self._stopped.set()


def _count(position: Position, depth: int, stopped: Callable[[], bool]) -> int:
    """The leaves `depth` plies below `position`; once `stopped()` is true, a number that means nothing."""
    if depth <= UNINTERRUPTED_DEPTH:
        return position.perft(depth)
    leaves = 0
    for move in position.legal_moves():
        if stopped():
            break
        position.push(move)
        leaves += _count(position, depth - 1, stopped)
        position.pop()
    return leaves
