"""The thread that thinks while another listens to the GUI, and what its answer waits for."""
import sys
import threading
import traceback
from contextlib import suppress

from search.limits import TimeLimit
from search.threads import start_deep
from usi.session.jobs import Guess, Job
from usi.session.protocol import Until
from usi.session.wire import Wire
from usi.words.reasons import shortage


class Gate:
    """Holds an answer back until it may be sent. Nothing else knows what an answer waits for."""

    def __init__(self, until: Until) -> None:
        self._until = until
        self._opened = threading.Event()
        if until is Until.FOUND:
            self._opened.set()

    @property
    def awaits_hit(self) -> bool:
        return self._until is Until.HIT and not self._opened.is_set()

    def open(self) -> None:
        self._opened.set()

    def wait(self) -> None:
        self._opened.wait()


class Thinking:
    """Has one job at a time done in a thread of its own."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._job: Job | None = None                    # that is being done, or was done last
        self._thread: threading.Thread | None = None    # that does it
        self._gate = Gate(Until.FOUND)                  # before its answer

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def awaits_hit(self) -> bool:
        """Whether a `go ponder` has neither been hit nor ended."""
        return self._gate.awaits_hit

    @property
    def guess(self) -> Guess | None:
        """The guess that waits for a ponderhit without a search of its own; None if there is none."""
        return self._job.guess if self._job and self.awaits_hit else None

    def start(self, job: Job, until: Until = Until.FOUND) -> None:
        """Have it done, and answer when the job has found what to say and `until` allows it. The one before must have
        ended."""
        self._job = job
        self._gate = Gate(until)
        self._thread = threading.Thread(target=do, args=(job, self._wire, self._gate), daemon=True)
        try:
            start_deep(self._thread)
        except MemoryError as error:
            self._thread = None
            self._wire.info_string(str(shortage(error)))
            if answer := job.fallback():
                self._gate.open()
                self._wire.send(answer)

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        """The hit that was awaited, if one was: the job has its time from now on, and then answers."""
        if self._job and self.awaits_hit:
            self._job.ponderhit(time, asked_at)
            self._gate.open()

    def end(self, timeout_s: float | None = None) -> None:
        """End the job, if one is being done, and wait for its answer, or as long as `timeout_s`."""
        if self._job and self._thread:
            self._job.stop()
            self._gate.open()
            self._thread.join(timeout_s)


def do(job: Job, wire: Wire, gate: Gate) -> None:
    """Do a job and send its answer, as soon as the gate is open. One that fails is answered as well: a GUI would wait
    for ever."""
    with suppress(BrokenPipeError):     # a GUI that is gone needs no answer, and the wire ends the session
        try:
            answer = job.answer()
        except BrokenPipeError:
            raise
        except MemoryError as error:
            wire.info_string(str(shortage(error)))
            answer = job.fallback()
        except Exception as fault:
            _print_traceback()
            wire.info_string(f"an error in the engine, please report it: {type(fault).__name__}: {fault}")
            answer = job.fallback()
        if answer:
            gate.wait()
            wire.send(answer)


def _print_traceback() -> None:
    if sys.stderr:      # a closed one is None, and `print` would take that for standard output
        with suppress(OSError):
            traceback.print_exc()
