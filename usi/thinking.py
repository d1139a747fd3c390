"""The thread that thinks while another listens to the GUI."""
import sys
import threading
import traceback
from contextlib import suppress

from search import Limits
from search.threads import start_deep
from usi.jobs import Job
from usi.memory import shortage
from usi.wire import Wire


class Thinking:
    """Has one job at a time done in a thread of its own."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._job: Job | None = None                    # that is being done, or was done last
        self._thread: threading.Thread | None = None    # that does it
        self._released = threading.Event()              # nothing holds its answer back

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, job: Job) -> None:
        """Have it done. The one before must have ended."""
        self._job = job
        self._released = threading.Event()
        if not job.held:
            self._released.set()
        self._thread = threading.Thread(target=do, args=(job, self._wire, self._released), daemon=True)
        try:
            start_deep(self._thread)
        except MemoryError as error:
            self._thread = None
            self._wire.info_string(shortage(error))
            if answer := job.fallback():
                self._wire.send(answer)

    def ponderhit(self, times: Limits | None, asked_at: int) -> None:
        """Tell the job, if one is being done."""
        if self._job and self.busy:
            self._job.ponderhit(times, asked_at)
            if not self._job.held:
                self._released.set()

    def end(self, timeout_s: float | None = None) -> None:
        """End the job, if one is being done, and wait for its answer, or as long as `timeout_s`."""
        if self._job and self._thread:
            self._job.stop()
            self._released.set()
            self._thread.join(timeout_s)


def do(job: Job, wire: Wire, released: threading.Event) -> None:
    """Do a job and send its answer, as soon as it is released. One that fails is answered as well, for a GUI would wait
    for ever."""
    with suppress(BrokenPipeError):     # a GUI that is gone needs no answer; the main thread meets the end of its input
        try:
            answer = job.answer()
        except BrokenPipeError:
            raise
        except MemoryError as error:
            wire.info_string(shortage(error))
            answer = job.fallback()
        except Exception as fault:
            _print_traceback()
            wire.info_string(f"an error in the engine, please report it: {type(fault).__name__}: {fault}")
            answer = job.fallback()
        if answer:
            released.wait()
            wire.send(answer)


def _print_traceback() -> None:
    if sys.stderr:      # a closed one is None, and `print` would take that for standard output
        with suppress(OSError):
            traceback.print_exc()
