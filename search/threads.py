"""Search threads: their stack, deep enough for MAX_PLY plies, and their number."""
import os
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from engine.errors import OutOfMemory
from engine.system.memory import addressable_megabytes, available_megabytes

STACK_MB = 16               # a ply takes some 8 KB, several times that in debug builds
STACK_TOUCHED_MB = 2        # of that, used by a search
THREADS_SHARE = 2           # threads get at most 1 / THREADS_SHARE of the available memory, as a table does
ADDRESSES_KEPT_MB = 32      # of addresses, for everything else
# The longest wait of the main thread at a time: on Windows signals do not interrupt a wait, and elsewhere a signal that
# comes just before the wait does not.
LONGEST_WAIT_S = 0.1
_starting = threading.Lock()


def threads_that_fit(wanted: int, worker_mb: int, held: int = 0) -> int:
    """The number of threads, at most `wanted`, that memory allows. Each takes `worker_mb` and its stack; `held` of them
    already have theirs. New threads together may take half of the available memory; if there is no thread yet, the
    first one may take all of it. Raises MemoryError if there is not enough for one."""
    each = worker_mb + STACK_TOUCHED_MB
    available = available_megabytes()
    addresses = addressable_megabytes()
    more = available // THREADS_SHARE // each
    if not held and not more:
        more = min(available // each, 1)
    if addresses is not None:       # stacks are not yet mapped: that happens when a search begins
        more = min(more, (addresses - ADDRESSES_KEPT_MB - held * STACK_MB) // (worker_mb + STACK_MB))
    if held + more < 1:
        raise OutOfMemory("no memory for a search thread: it takes {each} MB, and addresses for a stack of {stack} MB",
                          each=each, stack=STACK_MB)
    return min(wanted, held + more)


def start_deep(thread: threading.Thread) -> None:
    """Start a thread with a stack of STACK_MB. Raises MemoryError if the system refuses another thread or stack."""
    with _starting:     # the stack size is a setting of the process
        ordinary = threading.stack_size(STACK_MB << 20)
        try:
            thread.start()
        except RuntimeError:
            raise OutOfMemory("there is no room for one more thread, whose stack takes {stack} MB",
                              stack=STACK_MB) from None
        finally:
            threading.stack_size(ordinary)


class KeptThread:
    """A thread with a deep stack that makes calls one after another, until this object is dropped. Raises MemoryError
    as `start_deep` does."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=_make_calls, args=(self._calls,), daemon=True)
        start_deep(self._thread)

    def call(self, call: Callable[[], object]) -> None:
        """Make this call in the thread, after all earlier calls. An exception that it raises is printed."""
        self._calls.put(call)

    def end(self) -> None:
        """End the thread after its last call, and wait until its stack is free."""
        self._calls.put(None)
        wait_for_end(self._thread)

    def __del__(self) -> None:
        self._calls.put(None)


def _make_calls(calls: "SimpleQueue[Callable[[], object] | None]") -> None:
    while (call := calls.get()) is not None:
        try:
            call()
        except BaseException:
            sys.excepthook(*sys.exc_info())
        del call        # it may hold a searcher's memory


def wait_for_end(thread: threading.Thread) -> None:
    """Wait until a thread has ended; signal handlers run meanwhile."""
    while thread.is_alive():
        thread.join(LONGEST_WAIT_S)


def stall_ms(watched_ms: float) -> float:
    """The longest wait of this runnable thread for the processor, in ms, during `watched_ms`."""
    now = time.perf_counter_ns()
    end = now + int(watched_ms * 1e6)
    worst = 0
    while now < end:
        last, now = now, time.perf_counter_ns()
        worst = max(worst, now - last)
    return worst / 1e6


def usable_cores() -> int:
    """The number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_threads() -> int:
    """The number of search threads of an engine that plays, unless its user sets another."""
    return min(usable_cores(), 4)
