"""One function for whoever does the work: this process, processes of this machine, or Dask's workers."""
import atexit
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import Generic, TypeVar

from usi.groups import GROUPS
from usi.workers.faults import judged
from usi.workers.kept import release_all

T = TypeVar("T")
R = TypeVar("R")
# Of numbered tasks, numbered results as they come. Tasks are taken only as workers get free, so they may be endless.
RunTasks = Callable[[Iterable[tuple[int, T]]], Iterator[tuple[int, R]]]

ATTEMPTS = 3        # at a task during which a process dies


def worker_pool(work: Callable[[T], R], jobs: int, apart: bool = False, scheduler: str | None = None,
                files: Iterable[str] = ()) -> AbstractContextManager[RunTasks[T, R]]:
    """For a block, a function that runs numbered tasks, `jobs` of them at a time, and yields each result with its
    number as it comes; what has not ended with the block is given up.

    One job is done in this process, unless it is to be kept `apart`: what a worker has started ends with it even if
    this process is killed. With a `scheduler`, the address of Dask's, its workers run the tasks instead, however many
    there are: `work` has to be a function that they can import, and the `files` that it reads have to be theirs too, at
    the same paths.

    A task whose process dies is run again. RuntimeError if that happens again and again. ValueError for less than one
    job and without Dask; OSError if there is no such scheduler, or no such file.
    """
    if scheduler is not None:
        try:
            from usi.workers.dask import dask_pool
        except ModuleNotFoundError as missing:
            raise ValueError(f"{missing}, which --scheduler needs; pip install 'gakushi[cluster]'") from None
        return dask_pool(work, scheduler, files)
    if jobs < 1:
        raise ValueError(f"{jobs} jobs cannot be done; give 1 or more")
    return _processes(work, jobs) if jobs > 1 or apart else _this_process(work)


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """The results in the order of their numbers, which begin with 0."""
    early: dict[int, R] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


@contextmanager
def _this_process(work: Callable[[T], R]) -> Iterator[RunTasks[T, R]]:
    yield lambda tasks: ((number, work(task)) for number, task in tasks)


@contextmanager
def _processes(work: Callable[[T], R], jobs: int) -> Iterator[RunTasks[T, R]]:
    pool = _ProcessPool(work, jobs)
    try:
        yield pool.run
    finally:
        pool.shut_down()


class _ProcessPool(Generic[T, R]):
    """The standard library's pool, and another in its place whenever one of its processes dies."""

    def __init__(self, work: Callable[[T], R], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._others = set(multiprocessing.active_children())
        self._under_way: dict[Future[R], tuple[int, T]] = {}
        self._executor = self._started()

    def _started(self) -> ProcessPoolExecutor:
        # Not forked: a child would inherit locks that threads of this process hold.
        return ProcessPoolExecutor(self._jobs, multiprocessing.get_context("spawn"), _begin)

    def run(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """As `worker_pool` has it; raises what the work raises."""
        waiting = iter(tasks)
        again: deque[tuple[int, T]] = deque()
        deaths: Counter[int] = Counter()
        while True:
            while len(self._under_way) < self._jobs and (given := again.popleft() if again else next(waiting, None)):
                self._under_way[self._submit(given[1])] = given
            if not self._under_way:
                return
            done = wait(self._under_way, return_when=FIRST_COMPLETED).done
            if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                done = wait(self._under_way).done       # the others are lost with it
                self._restart()
            for future in done:
                number, task = self._under_way.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    deaths[number] += 1
                    if deaths[number] == ATTEMPTS:
                        raise RuntimeError(f"task {number} was given up: {ATTEMPTS} times a process died while it was "
                                           "under way") from None
                    again.append((number, task))
                else:
                    yield number, result

    def _submit(self, task: T) -> Future[R]:
        try:
            return self._executor.submit(judged, self._work, task)
        except BrokenProcessPool:       # one died idle
            self._restart()
            return self._executor.submit(judged, self._work, task)

    def _restart(self) -> None:
        self._executor.shutdown()
        self._executor = self._started()

    def shut_down(self) -> None:
        if not all(future.done() for future in self._under_way):
            for process in set(multiprocessing.active_children()) - self._others:
                process.terminate()
        self._executor.shutdown()


def _begin() -> None:
    """In a new process: leave Ctrl-C to the parent, end with the parent even if it is killed, and leave nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, GROUPS.end)
    atexit.register(release_all)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
