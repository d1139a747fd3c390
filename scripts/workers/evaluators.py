"""Evaluators, as a process keeps them from task to task."""
from collections.abc import Iterable
from functools import cache

from eval.loading import load_evaluator, weights_file
from scripts.workers.resources import on_release

load_once = cache(load_evaluator)   # games come by the thousand
on_release(load_once.cache_clear)   # the next run's file of the same name may hold other weights


def own_files(names: Iterable[str | None]) -> list[str]:
    """Those names of evaluations, as `load_once` takes them, that stand for files of the user's."""
    return sorted({name for name in names if name and weights_file(name)})
