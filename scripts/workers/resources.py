"""What a process holds from task to task, child processes and caches, and how it lets go of them."""
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_releases: list[Callable[[], object]] = []


def on_release(release: Callable[[], object]) -> None:
    """Have this called by `release_all`, any number of times. For modules that keep something between tasks."""
    _releases.append(release)


def release_all() -> None:
    """Let go of all that is kept: at the end of a worker, and before it works for another run."""
    for release in _releases:
        release()


class ProcessGroups:
    """The process groups that this process has started, and the one way out of it that leaves none behind, at whatever
    moment it is taken."""

    def __init__(self) -> None:
        self._leaders: set[int] = set()
        self._starting = self._ended = False

    @contextmanager
    def starting(self) -> Iterator[Callable[[int], None]]:
        """Around the start of a group, with the function to add it: until that is done `end` has to wait."""
        self._starting = True
        try:
            yield self._leaders.add
        finally:
            self._starting = False
            if self._ended:
                self.end()

    def kill(self, leader: int) -> None:
        """End one group, if it has not ended."""
        with suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
        self._leaders.discard(leader)

    def end(self, *_signal: object) -> None:
        """End all groups and this process at once; a signal's handler."""
        self._ended = True
        if not self._starting:
            for leader in self._leaders.copy():
                self.kill(leader)
            os._exit(1)


GROUPS = ProcessGroups()
