"""What a worker pool is, whoever its workers are: a function that runs numbered tasks."""
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
# Of numbered tasks, numbered results as they come. Tasks are taken only as workers get free, so they may be endless.
RunTasks = Callable[[Iterable[tuple[int, T]]], Iterator[tuple[int, R]]]


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """The results in the order of their numbers, which begin with 0."""
    early: dict[int, R] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1
