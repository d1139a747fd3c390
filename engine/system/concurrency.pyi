from collections.abc import Callable, Iterable

def save_addresses() -> None:
    """Let all threads allocate from one memory arena, if the addresses of this process are limited (`ulimit -v`): glibc
    would reserve 64 MB of them for each thread. To be called in our own processes, before their first thread."""

class Work:
    """A call in its own thread that can be waited for even after Ctrl-C has interrupted a wait, unlike
    `Thread.join`."""
    def __init__(self, call: Callable[[], object]) -> None: ...
    def __call__(self) -> None: ...

def outlast_all(works: Iterable[Work]) -> None:
    """Wait for all these calls. Exceptions of signal handlers are raised only at the end."""
def abandon_all(works: Iterable[Work]) -> None:
    """Like `outlast_all`, after the start of one of them was interrupted."""
