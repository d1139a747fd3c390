"""Tasks and their results, whoever runs them; and what a process keeps from one task to the next."""
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from engine.errors import UserError
from eval.evaluator import Evaluator
from eval.loading import MATERIAL, TABLES, load_evaluator, weights_file

T = TypeVar("T")
R = TypeVar("R")
# Of numbered tasks, numbered results as they come. Tasks are taken only as workers get free, so they may be endless.
RunTasks = Callable[[Iterable[tuple[int, T]]], Iterator[tuple[int, R]]]


class TasksLost(UserError):
    """Processes die again and again, the scheduler is lost, or results do not arrive."""


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """The results in the order of their numbers, which begin with 0."""
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
    """Have this called by `release_all`, any number of times. For modules that keep something between tasks."""
    _releases.append(release)


def release_all() -> None:
    """Let go of all that is kept: at the end of a worker, and before it works for another run."""
    for release in _releases:
        release()


_stand_ins: dict[str, Path] = {}


@cache      # tasks come by the thousand
def load_once(name: str | None) -> Evaluator:
    """The evaluator for a name, as `load_evaluator` has it; by the file that stands in for its own, if there is one."""
    if name in _stand_ins:
        return load_evaluator(f"{_stand_ins[name]}{_scale_of(name)}")
    return load_evaluator(name)


def stand_in(name: str, path: Path) -> None:
    """Let a file stand in for that of an evaluation, which is not on this machine, until all is released."""
    _stand_ins[name] = path


def _scale_of(name: str) -> str:
    """What stands behind the file's name: `@20` for an FV_SCALE, or nothing."""
    file = weights_file(name)
    return Path(name).name.removeprefix(file.name) if file else ""


on_release(load_once.cache_clear)   # the next run's file of the same name may hold other weights
on_release(_stand_ins.clear)


def own_files(names: Iterable[str | None]) -> list[str]:
    """The names of evaluations, as `load_once` takes them, that are files of the user."""
    return sorted({name for name in names if name and name not in (MATERIAL, TABLES)})
