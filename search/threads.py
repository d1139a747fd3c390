"""Threads that a search may run in: with a stack for MAX_PLY nodes one above the other."""
import os
import sys
import threading
import time

STACK_SIZE = 64 << 20       # bytes
LONGEST_WAIT_S = 0.1 if sys.platform == "win32" else None
_starting = threading.Lock()


def start_deep(thread: threading.Thread) -> None:
    """Start a thread with that stack; MemoryError if the system has no more threads, or no stack for them."""
    with _starting:     # the size is the whole process's
        ordinary = threading.stack_size(STACK_SIZE)
        try:
            thread.start()
        except RuntimeError:
            raise MemoryError(
                f"there is no room for one more thread, whose stack takes {STACK_SIZE >> 20} MB") from None
        finally:
            threading.stack_size(ordinary)


def wait_for_end(thread: threading.Thread) -> None:
    """Wait until a thread has ended. Handlers of signals run meanwhile, on Windows too, where a wait hears of none."""
    while thread.is_alive():
        thread.join(LONGEST_WAIT_S)


def stall_ms(watched_ms: float) -> float:
    """For how long a thread that could run had to wait at worst, in the time given."""
    now = time.perf_counter_ns()
    end = now + int(watched_ms * 1e6)
    worst = 0
    while now < end:
        last, now = now, time.perf_counter_ns()
        worst = max(worst, now - last)
    return worst / 1e6


def usable_cores() -> int:
    """The processors that this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
