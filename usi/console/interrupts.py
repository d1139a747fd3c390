"""Ctrl-C while a command's modules are imported: nothing has begun that would have to be closed."""
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def end_at_interrupts() -> None:
    """From now on Ctrl-C ends the process as the system does it, at once and without a traceback; in the main thread,
    and if nobody else handles it."""
    if threading.current_thread() is threading.main_thread() \
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_interrupts() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt again."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def ended_at_interrupts() -> Iterator[None]:
    """For a block of imports: Ctrl-C ends the process."""
    end_at_interrupts()
    try:
        yield
    finally:
        raise_interrupts()
