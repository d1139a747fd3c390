"""The thread that thinks while another listens to the GUI, and what its answer waits for."""
import threading
from collections.abc import Callable
from contextlib import suppress

from search.limits import TimeLimit
from search.threads import start_deep
from usi.session.jobs import Guess, Job
from usi.session.protocol import Until
from usi.session.wire import Wire

LAST_MOMENT_S = 1.0     # a thread that has answered ends within microseconds, unless the GUI does not read


class Gate:
    """A gate that holds the answer to a `go` back until it may be sent, and passes one answer. Nothing else knows what
    an answer waits for."""

    def __init__(self, until: Until) -> None:
        self._until = until
        self._opened = threading.Event()
        self._passes = threading.Semaphore()
        self.is_passed = False          # the answer is sent, or about to be
        if until is Until.FOUND:
            self._opened.set()

    @property
    def awaits_hit(self) -> bool:
        return self._until is Until.HIT and not self._opened.is_set()

    def open(self) -> None:
        self._opened.set()

    def wait(self) -> bool:
        """Wait until the gate is open. Returns whether the answer may be sent, which only one may."""
        self._opened.wait()
        first = self._passes.acquire(blocking=False)
        self.is_passed = True
        return first


class Thinking:
    """The thread that works on one job at a time."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._job: Job | None = None                    # that is being done, or was done last
        self._thread: threading.Thread | None = None    # that does it
        self._gate = Gate(Until.FOUND)                  # before its answer

    @property
    def busy(self) -> bool:
        """Whether a job is running. A job whose answer was sent is over: this waits for its thread, so that a GUI's
        `isready` right after `bestmove` finds the searcher free."""
        if self._thread and self._gate.is_passed:
            self._thread.join(LAST_MOMENT_S)
        return self._thread is not None and self._thread.is_alive()

    @property
    def awaits_hit(self) -> bool:
        """Whether a `go ponder` has neither been hit nor ended."""
        return self._gate.awaits_hit

    @property
    def guess(self) -> Guess | None:
        """The expected move of a stochastic ponder, which waits for a ponderhit; None if there is none."""
        return self._job.guess if self._job and self.awaits_hit else None

    def start(self, job: Job, until: Until = Until.FOUND) -> None:
        """Start a job. Its answer is sent when the job has found it and `until` allows it. The job before must have
        ended."""
        gate = Gate(until)
        thread = threading.Thread(target=do, args=(job, self._wire, gate), daemon=True)
        self._job, self._gate, self._thread = job, gate, thread
        try:
            start_deep(thread)
        except Exception as fault:
            self._wire.report(fault)
            self._thread = None
            if until is Until.FOUND:
                self._finish()

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        """Pass a ponderhit on to the job, if it waits for one. Its clock runs from `asked_at`, and then it answers."""
        if self._job and self.awaits_hit:
            self._job.ponderhit(time, asked_at)
            self._gate.open()
            if not self._thread:
                self._finish()

    def end(self, timeout_s: float | None = None) -> None:
        """Stop the running job, if any, and wait for its answer, at most `timeout_s`."""
        if self._job:
            try:
                self._job.stop()
            except Exception as fault:
                self._wire.report(fault)
                self._thread = None     # it works on, but another answer is sent
            self._gate.open()
            self._finish(timeout_s)

    def _finish(self, timeout_s: float | None = None) -> None:
        """Wait for the answer of the job's thread. If there is no thread, send the job's fallback, unless an answer was
        sent."""
        if self._thread:
            self._thread.join(timeout_s)
        elif self._job:
            _send(_first(self._wire, self._job.fallback), self._wire, self._gate)


def do(job: Job, wire: Wire, gate: Gate) -> None:
    """Do a job and send its answer as soon as the gate is open. A failed job is answered as well, because a GUI would
    wait for ever."""
    with suppress(BrokenPipeError):     # a GUI that is gone needs no answer, and the wire ends the session
        _send(_first(wire, job.answer, job.fallback), wire, gate)


def _first(wire: Wire, *ways: Callable[[], str | None]) -> str | None:
    """The answer by the first of these that does not fail. Failures are reported."""
    for find in ways:
        try:
            return find()
        except BrokenPipeError:
            raise
        except Exception as fault:
            wire.report(fault)
    return None


def _send(answer: str | None, wire: Wire, gate: Gate) -> None:
    if answer and gate.wait():
        wire.send(answer)
