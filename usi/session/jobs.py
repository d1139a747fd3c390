"""Jobs that a `go` starts. A job works in one thread; another thread ends it."""
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from engine import Position
from engine.system.memory import largest_table_megabytes
from search import Info, Limits, Searcher, Settings
from search.bench import measure, positions
from search.limits import TimeLimit, is_superior, nodes_per_second
from search.mate import REFINE_MS, MateSolver
from search.skill import WeakSearch
from usi.book.choice import BookChoice
from usi.session.protocol import (
    Go,
    Until,
    format_bestmove,
    format_choice,
    format_info,
    format_mate_info,
    format_mate_result,
    format_result,
    format_superior,
)
from usi.session.reporter import Reporter, Reporting
from usi.session.wire import Wire
from usi.words.reasons import less_memory

MATE_ANSWER_MS = 150        # of the time for a mate, kept back for making and sending the answer
UNINTERRUPTED_DEPTH = 3     # plies that the core counts in a tenth of a second, whatever the hands


@dataclass(frozen=True)
class Guess:
    """The position after the move pondered on, and the `go ponder` that asked for it."""

    position: Position
    go: Go


class Job(ABC):
    """The work for one `go`. `answer` runs in the working thread, and so does `fallback`, unless there is no such
    thread. The rest may be called from any thread.

    usi/session/thinking.py decides when the answer may be sent.
    """

    guess: Guess | None = None      # what the job after a ponderhit has to search, if this job has no answer

    @abstractmethod
    def answer(self) -> str | None:
        """Work until done or stopped. Returns the line that answers the `go`, None if none is due."""

    def fallback(self) -> str | None:
        """The line that answers the `go` if `answer` has raised or could not run; None if none is due."""
        return None

    def stop(self) -> None:
        """End the work at once. Work that takes no time goes on."""
        return

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        """Stop pondering: the expected move was played. The clock runs from `asked_at`, with `time`, or with the times
        of `go ponder` if that is None."""
        return


class MoveSearch(Job):
    """The search for a move, asked for at `asked_at` (time.perf_counter_ns). `weak` limits its strength. While it
    ponders, it has no time limit."""

    def __init__(self, searcher: Searcher, position: Position, go: Go, settings: Settings, asked_at: int,
                 reporting: Reporting, resign_value: int, wire: Wire, weak: WeakSearch | None = None) -> None:
        self._wire = wire
        self._reporter = Reporter(reporting, self._show)
        self._weak = weak
        self._lines_shown = settings.multi_pv
        if weak:
            settings = weak.skill.settings(settings)
        self._go = go
        limits = go.limits.with_time(None) if go.until is Until.HIT else go.limits
        self._search = searcher.prepare(position, limits, settings, self._hear, asked_at)
        self._searcher = searcher
        self._position = position
        self._resign_value = resign_value
        self._rule = settings.entering_king_rule

    def _show(self, info: Info) -> None:
        name = [f"info string {format_superior(info)}"] if is_superior(info.score) else []
        self._wire.send(*name, format_info(info))

    def _hear(self, info: Info) -> None:
        if self._weak:
            self._weak.hear(info)
            if info.multipv > self._lines_shown:
                return
        self._reporter.hear(info)

    def answer(self) -> str | None:
        result = self._search.run()
        self._reporter.end(result.depth)
        if result.outcome == "declaration":
            self._wire.info_string(f"a win by declaration ({self._rule}): the answer is 'bestmove win'")
        if self._weak:
            result, line = self._weak.played(result)
            if line:
                self._show(line)
        return format_result(result, self._resign_value)

    def fallback(self) -> str | None:
        return format_bestmove(self._reporter.best or self._searcher.best_unsearched(
            self._position, self._go.limits.searchmoves) or "resign")

    def stop(self) -> None:
        self._search.stop()

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        if (given := self._go.hit(time).limits.time) is not None:
            self._search.give_time(given, asked_at)


class PonderSearch(Job):
    """A stochastic ponder: a silent search of the position before the expected move. It has no answer; it fills the
    table for the search after a ponderhit."""

    def __init__(self, searcher: Searcher, guess: Guess, settings: Settings) -> None:
        self.guess = guess
        before = guess.position.copy()
        before.pop()
        self._search = searcher.prepare(before, Limits(), settings)

    def answer(self) -> str | None:
        self._search.run()
        return None

    def stop(self) -> None:
        self._search.stop()


@dataclass
class BookAnswer(Job):
    """A move from the book."""

    choice: BookChoice
    wire: Wire

    def answer(self) -> str | None:
        self.wire.send(*format_choice(self.choice))
        return self.fallback()

    def fallback(self) -> str | None:
        return format_bestmove(self.choice.bestmove, self.choice.ponder)


class MateSearch(Job):
    """The search for a mate, asked for at `asked_at` (time.perf_counter_ns)."""

    def __init__(self, position: Position, time_ms: int, asked_at: int, hash_mb: int, skip_useless: bool,
                 interval_ms: int, wire: Wire) -> None:
        obtained_mb = min(hash_mb, largest_table_megabytes())
        if obtained_mb < hash_mb:
            wire.info_string(str(less_memory("USI_Hash", hash_mb, obtained_mb)))
        self._solver = MateSolver(obtained_mb)
        self._asked_at = asked_at
        self._position = position
        self._time_ms = time_ms     # 0: as long as it takes
        self._skip_useless = skip_useless
        self._interval_ms = interval_ms
        self._wire = wire

    def answer(self) -> str | None:
        kept_back = min(self._time_ms // 5, MATE_ANSWER_MS)
        result = self._solver.solve(
            self._position, movetime=self._time_ms - kept_back if self._time_ms else None, refine_ms=REFINE_MS,
            end_early=self._skip_useless, report_ms=self._interval_ms,
            on_info=lambda info: self._wire.send(format_mate_info(info)), asked_at=self._asked_at, stops=0)
        if result.outcome == "mate" and not result.shortest:
            self._wire.info_string(f"a mate, but not proven to take just {result.plies} plies")
        return format_mate_result(result)

    def fallback(self) -> str | None:
        return "checkmate timeout"

    def stop(self) -> None:
        self._solver.stop()


class Makeshift(Job):
    """The answer to a `go` that failed before its own job began: a legal move, if possible a sensible one, or
    `checkmate timeout`; none for `go perft`. `line` is the `go` line."""

    def __init__(self, position: Position, line: str, searcher: Searcher | None) -> None:
        self._position = position
        self._words = line.split()
        self._searcher = searcher
        self.until = (Until.STOP if "infinite" in self._words else Until.HIT if "ponder" in self._words
                      else Until.FOUND)

    def answer(self) -> str | None:
        if self._searcher and not {"mate", "perft"} & set(self._words):
            return format_bestmove(self._searcher.best_unsearched(self._position) or "resign")
        return self.fallback()

    def fallback(self) -> str | None:
        if "perft" in self._words:
            return None
        if "mate" in self._words:
            return "checkmate timeout"
        return format_bestmove(next(iter(self._position.legal_moves()), "resign"))


@dataclass
class Bench(Job):
    """The positions of `engine bench`, each from an empty table, and the speed."""

    searcher: Searcher
    limits: Limits
    wire: Wire
    stopped: threading.Event = field(default_factory=threading.Event)

    def answer(self) -> str | None:
        nodes = time_ms = 0
        for number, sfen in enumerate(positions(), 1):
            if self.stopped.is_set():
                break
            measured = measure(self.searcher, sfen, self.limits, self._hear)
            nodes += measured.nodes
            time_ms += measured.time_ms
            self.wire.info_string(f"position {number}: {measured.nodes} nodes, {measured.time_ms} ms, "
                                   f"{measured.bestmove}")
        self.wire.info_string(f"{nodes_per_second(nodes, time_ms)} nodes a second")
        return f"Nodes searched: {nodes}"

    def _hear(self, _info: Info) -> None:
        """Stop a search that has just begun, if `stop` came before it."""
        if self.stopped.is_set():
            self.searcher.stop()

    def stop(self) -> None:
        self.stopped.set()
        self.searcher.stop()


@dataclass
class Perft(Job):
    """The leaves of the tree of legal moves, counted move by move."""

    position: Position
    depth: int
    wire: Wire
    stopped: threading.Event = field(default_factory=threading.Event)

    def answer(self) -> str | None:
        total = 0
        for move in self.position.legal_moves():
            self.position.push(move)
            leaves = count_leaves(self.position, self.depth - 1, self.stopped.is_set)
            self.position.pop()
            if self.stopped.is_set():
                return None
            total += leaves
            self.wire.send(f"{move}: {leaves}")
        return f"Nodes searched: {total}"

    def stop(self) -> None:
        self.stopped.set()


def count_leaves(position: Position, depth: int, stopped: Callable[[], bool]) -> int:
    """The number of leaves `depth` plies below `position`; meaningless once `stopped()` is true."""
    if depth <= UNINTERRUPTED_DEPTH:
        return position.perft(depth)
    leaves = 0
    for move in position.legal_moves():
        if stopped():
            break
        position.push(move)
        leaves += count_leaves(position, depth - 1, stopped)
        position.pop()
    return leaves
