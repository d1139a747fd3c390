"""Worker processes on this machine, which may die without a task being lost."""
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Generic

from scripts.cli.faults import to_be_sent
from scripts.workers.groups import GROUPS
from scripts.workers.interface import R, RunTasks, T
from scripts.workers.resources import release_all

ATTEMPTS = 3        # at a task whose worker dies


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _serve(pipe: Connection, work: Callable[[T], R]) -> None:
    """A worker: does what it is sent and sends the result, or the exception that stopped it, until nobody is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, GROUPS.end)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            number, task = pipe.recv()
            try:
                outcome: R | Exception = work(task)
            except Exception as failure:
                outcome = to_be_sent(failure)
            pipe.send((number, outcome))
    release_all()


class LocalPool(Generic[T, R]):
    """Worker processes, each with a pipe to it."""

    def __init__(self, work: Callable[[T], R], jobs: int) -> None:
        # Not forked: a child would inherit locks that the parent's search threads hold.
        self._context = multiprocessing.get_context("spawn")
        self._work = work
        self._workers: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, tuple[int, T]] = {}
        self._deaths: Counter[int] = Counter()
        for _ in range(jobs):
            self._spawn()

    def _spawn(self) -> None:
        pipe, other_end = self._context.Pipe()      # on Windows of another class, of the same methods
        worker = self._context.Process(target=_serve, args=(other_end, self._work), daemon=True)
        worker.start()
        other_end.close()       # so that the worker's is the only one, and its end is seen
        self._workers[pipe] = worker

    def run(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """The results as they come. A task whose worker dies is run again, by another. RuntimeError if that happens
        again and again, and what the work raises."""
        waiting = iter(tasks)
        again: deque[tuple[int, T]] = deque()
        while True:
            for pipe in self._workers.keys() - self._busy.keys():
                task = again.popleft() if again else next(waiting, None)
                if task:
                    with suppress(BrokenPipeError):     # a worker that died idle is found dead below
                        pipe.send(task)
                    self._busy[pipe] = task
            if not self._busy:
                return
            for ready in wait(list(self._busy)):
                pipe = next(pipe for pipe in self._busy if pipe is ready)
                task = self._busy.pop(pipe)
                try:
                    number, outcome = pipe.recv()
                except (EOFError, OSError):
                    self._reap(pipe, task[0])
                    again.append(task)
                    continue
                if isinstance(outcome, Exception):
                    raise outcome
                yield number, outcome

    def _reap(self, pipe: Connection, number: int) -> None:
        """Put another worker in the place of one that has died."""
        worker = self._workers.pop(pipe)
        worker.join()
        self._deaths[number] += 1
        if self._deaths[number] == ATTEMPTS:
            raise RuntimeError(f"task {number} was given up: {ATTEMPTS} workers died of it, the last with exit code "
                               f"{worker.exitcode}")
        self._spawn()

    def shut_down(self) -> None:
        for pipe, worker in self._workers.items():
            if pipe in self._busy:
                worker.terminate()
            pipe.close()        # an idle worker sees the end of it, and releases what it holds
        for worker in self._workers.values():
            worker.join()


@contextmanager
def local_pool(work: Callable[[T], R], jobs: int) -> Iterator[RunTasks[T, R]]:
    """As `worker_pool` has it, always in other processes."""
    pool = LocalPool(work, jobs)
    try:
        yield pool.run
    finally:
        pool.shut_down()
