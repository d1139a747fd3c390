"""Threads that a search may run in: with a stack for MAX_PLY nodes one above the other."""
import os
import sys
import threading

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


def usable_cores() -> int:
    """The processors that this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
