from collections.abc import Callable, Iterable

class Work:
    """A call in a thread of its own that can always be waited for: `Thread.join` cannot once Ctrl-C has ended it."""
    def __init__(self, call: Callable[[], object]) -> None: ...
    def __call__(self) -> None: ...

def outlast_all(works: Iterable[Work]) -> None:
    """Wait for all that were started. If a handler of signals raises something meanwhile, raise it in the end."""
def abandon_all(works: Iterable[Work]) -> None:
    """The same where the start of one of them was interrupted."""
