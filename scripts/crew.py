"""Many tasks at a time: in worker processes, which may die without a task being lost; here, or on other machines.

What works and what is done does not matter here: a task is plain data, the work a function of a module.
"""
import argparse
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Generic, TypeVar

from scripts.usi_engine import ROSTER
from scripts.usi_player import close_engines

ATTEMPTS = 3        # at a task whose worker dies

T = TypeVar("T")
R = TypeVar("R")
DoAll = Callable[[Iterable[tuple[int, T]]], Iterator[tuple[int, R]]]    # of numbered tasks, numbered results


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _serve(line: Connection, work: Callable[[T], R]) -> None:
    """A worker: does what it is sent and sends the result, or the exception that stopped it, until nobody is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, ROSTER.end)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            number, task = line.recv()
            try:
                outcome: R | Exception = work(task)
            except Exception as failure:
                outcome = failure
            line.send((number, outcome))
    close_engines()


class Crew(Generic[T, R]):
    """Worker processes on this machine, each with a line to it."""

    def __init__(self, work: Callable[[T], R], jobs: int) -> None:
        # Not forked: a child would inherit locks that the parent's search threads hold.
        self._context = multiprocessing.get_context("spawn")
        self._work = work
        self._workers: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, tuple[int, T]] = {}
        self._deaths: Counter[int] = Counter()
        for _ in range(jobs):
            self._hire()

    def _hire(self) -> None:
        line, other_end = self._context.Pipe()
        worker = self._context.Process(target=_serve, args=(other_end, self._work), daemon=True)
        worker.start()
        other_end.close()       # so that the worker's is the only one, and its end is seen
        self._workers[line] = worker

    def do_all(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """The results as they come. A task whose worker dies is done again, by another. RuntimeError if that happens
        again and again, and what the work raises."""
        waiting = iter(tasks)
        again: deque[tuple[int, T]] = deque()
        while True:
            for line in self._workers.keys() - self._busy.keys():
                task = again.popleft() if again else next(waiting, None)
                if task:
                    with suppress(BrokenPipeError):     # a worker that died idle is found dead below
                        line.send(task)
                    self._busy[line] = task
            if not self._busy:
                return
            for ready in wait(list(self._busy)):
                line = next(line for line in self._busy if line is ready)
                task = self._busy.pop(line)
                try:
                    number, outcome = line.recv()
                except (EOFError, OSError):
                    self._bury(line, task[0])
                    again.append(task)
                    continue
                if isinstance(outcome, Exception):
                    raise outcome
                yield number, outcome

    def _bury(self, line: Connection, number: int) -> None:
        worker = self._workers.pop(line)
        worker.join()
        self._deaths[number] += 1
        if self._deaths[number] == ATTEMPTS:
            raise RuntimeError(f"task {number} was given up: {ATTEMPTS} workers died of it, the last with exit code "
                               f"{worker.exitcode}")
        self._hire()

    def dismiss(self) -> None:
        for line, worker in self._workers.items():
            if line in self._busy:
                worker.terminate()
            line.close()        # an idle worker sees the end of it, and lets its engines quit
        for worker in self._workers.values():
            worker.join()


@contextmanager
def _local_workers(work: Callable[[T], R], jobs: int, apart: bool) -> Iterator[DoAll[T, R]]:
    if jobs == 1 and not apart:
        yield lambda tasks: ((number, work(task)) for number, task in tasks)
        return
    crew = Crew(work, jobs)
    try:
        yield crew.do_all
    finally:
        crew.dismiss()


def workers(work: Callable[[T], R], jobs: int, apart: bool = False, scheduler: str | None = None,
            files: Iterable[str] = ()) -> AbstractContextManager[DoAll[T, R]]:
    """For a block, a function that does numbered tasks, `jobs` of them at a time, and yields each result with its
    number as it comes; what has not ended with the block is given up.

    One job is done in this process, unless it is to be kept `apart`: the engines of a worker end with it even if this
    process is killed. With a `scheduler`, the address of Dask's, its workers do the tasks instead, however many there
    are (cluster.py): `work` has to be a function that they can import, and the `files` that it reads have to be theirs
    too, at the same paths.

    ValueError for less than one job and without Dask; OSError if there is no such scheduler, or no such file.
    """
    if scheduler is not None:
        try:
            from scripts.cluster import cluster_workers
        except ModuleNotFoundError as missing:
            raise ValueError(f"{missing}, which --scheduler needs; pip install 'gakushi[cluster]'") from None
        return cluster_workers(work, scheduler, files)
    if jobs < 1:
        raise ValueError(f"{jobs} jobs cannot be done; give 1 or more")
    return _local_workers(work, jobs, apart)


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """The results in the order of their numbers, which begin with 0."""
    early: dict[int, R] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def add_options(parser: argparse.ArgumentParser, jobs: int = 1, option: str = "--jobs") -> None:
    """Those that say who plays: so many processes here, or the workers of a scheduler."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(option, type=int, default=jobs, help=f"games played at the same time ({jobs})")
    group.add_argument("--scheduler", metavar="ADDRESS", help="let the workers of this Dask scheduler play instead "
                       "(tcp://HOST:PORT, docs/MATCHES.md)")
