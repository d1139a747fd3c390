"""What a process holds from task to task, child processes and caches, and how it lets go of it."""
from collections.abc import Callable

_releases: list[Callable[[], object]] = []


def on_release(release: Callable[[], object]) -> None:
    """Have this called by `release_all`, any number of times. For modules that keep something between tasks."""
    _releases.append(release)


def release_all() -> None:
    """Let go of all that is kept: at the end of a worker, and before it works for another run."""
    for release in _releases:
        release()
