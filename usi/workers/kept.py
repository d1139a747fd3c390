"""What a process keeps from task to task, evaluators, child processes and caches, and how it lets go of it."""
from collections.abc import Callable, Iterable
from functools import cache

from eval.loading import load_evaluator, weights_file

_releases: list[Callable[[], object]] = []


def on_release(release: Callable[[], object]) -> None:
    """Have this called by `release_all`, any number of times. For modules that keep something between tasks."""
    _releases.append(release)


def release_all() -> None:
    """Let go of all that is kept: at the end of a worker, and before it works for another run."""
    for release in _releases:
        release()


load_once = cache(load_evaluator)   # tasks come by the thousand
on_release(load_once.cache_clear)   # the next run's file of the same name may hold other weights


def own_files(names: Iterable[str | None]) -> list[str]:
    """Those names of evaluations, as `load_once` takes them, that stand for files of the user's."""
    return sorted({name for name in names if name and weights_file(name)})
