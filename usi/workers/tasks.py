"""Tasks and their results for every kind of pool, and the state that a process keeps between tasks."""
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from engine.errors import UserError
from eval.evaluator import Evaluator
from eval.loading import MATERIAL, TABLES, load_evaluator, weights_file

T = TypeVar("T")
R = TypeVar("R")
# A function from numbered tasks to numbered results as they come. It takes tasks only as workers get free, so they may
# be endless.
RunTasks = Callable[[Iterable[tuple[int, T]]], Iterator[tuple[int, R]]]


class TasksLost(UserError):
    """Processes died again and again, the scheduler was lost, or results did not arrive."""


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """The results in the order of their numbers, from 0."""
    early: dict[int, R] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


# -- State between tasks -----------------------------------------------------------------------------------------------

_releases: list[Callable[[], object]] = []


def on_release(release: Callable[[], object]) -> None:
    """Register a function for `release_all`, which may call it several times. For modules that keep state between
    tasks."""
    _releases.append(release)


def release_all() -> None:
    """Release all kept state: at the end of a worker, and before it works for another run."""
    for release in _releases:
        release()


_stand_ins: dict[str, Path] = {}


@cache      # tasks come by the thousand
def load_once(name: str | None) -> Evaluator:
    """The evaluator for a name, as from `load_evaluator`, kept until release. A stand-in's file replaces its own."""
    if name in _stand_ins:
        return load_evaluator(f"{_stand_ins[name]}{_scale_of(name)}")
    return load_evaluator(name)


def stand_in(name: str, path: Path) -> None:
    """Use a file in place of an evaluation's own, which is not on this machine, until everything is released."""
    _stand_ins[name] = path


def _scale_of(name: str) -> str:
    """The suffix of the file's name: `@20` for an FV_SCALE, or nothing."""
    file = weights_file(name)
    return Path(name).name.removeprefix(file.name) if file else ""


on_release(load_once.cache_clear)   # the next run's file of the same name may hold other weights
on_release(_stand_ins.clear)


def own_files(names: Iterable[str | None]) -> list[str]:
    """The names among these evaluations that are the user's files, as `load_once` takes them."""
    return sorted({name for name in names if name and name not in (MATERIAL, TABLES)})
