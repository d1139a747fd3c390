"""Ctrl-C while a command's modules are imported, when nothing needs closing yet."""
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def end_at_interrupts() -> None:
    """Let Ctrl-C kill the process at once, without a traceback, from now on. Does nothing outside the main thread, or
    if another handler is set."""
    if threading.current_thread() is threading.main_thread() \
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, from now on."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def ended_at_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the process during a block of imports."""
    end_at_interrupts()
    try:
        yield
    finally:
        raise_interrupts()
