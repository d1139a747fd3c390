"""Pools that run tasks in this process, in processes of this machine, or on Dask's workers."""
import atexit
import multiprocessing
import os
import signal
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Generic

from engine.errors import UserError
from engine.system.concurrency import save_addresses
from usi.client.groups import GROUPS
from usi.console.streams import guarded_streams
from usi.words.extras import how_to_install
from usi.workers.tasks import R, RunTasks, T, TasksLost, release_all

ATTEMPTS = 3        # at a task during which a process dies


def worker_pool(work: Callable[[T], R], jobs: int, apart: bool = False, scheduler: str | None = None,
                files: Iterable[str] = ()) -> AbstractContextManager[RunTasks[T, R]]:
    """Enter a block with a function that runs numbered tasks, `jobs` at a time, and yields each result with its number
    as it comes. Tasks that are unfinished when the block ends are abandoned.

    A single job runs in this process, unless `apart` gives it a worker process, whose child processes end with it even
    if this process is killed. With a `scheduler`, the address of a Dask scheduler, its workers run the tasks instead.
    Then `work` must be a function that they can import; the `files`, names of evaluations as `own_files` returns them,
    are sent to workers that lack them.

    A task whose process dies is run again; after ATTEMPTS deaths, TasksLost is raised. Raises UserError for less than
    one job, if Dask is not installed, and if there is no such scheduler. Raises OSError if a file cannot be read.
    """
    if scheduler is not None:
        try:
            from usi.workers.dask import dask_pool
        except ModuleNotFoundError:
            raise UserError("--scheduler needs Dask: {how}", how=how_to_install("cluster")) from None
        return dask_pool(work, scheduler, files)
    if jobs < 1:
        raise UserError("{count} jobs cannot be done; give 1 or more", count=jobs)
    if jobs > 1 or apart:
        return _processes(work, jobs)
    return nullcontext(lambda tasks: ((number, work(task)) for number, task in tasks))


@contextmanager
def _processes(work: Callable[[T], R], jobs: int) -> Iterator[RunTasks[T, R]]:
    pool = _ProcessPool(work, jobs)
    try:
        yield pool.run
    finally:
        pool.end(pool.workers)


class _WorkerTraceback(Exception):
    """The traceback of an error that another process raised, shown as its cause."""


class _WorkerProcess(Generic[T, R]):
    """A process that does one task at a time. It has a pipe of its own: the standard library's pool shares queues, so a
    process that dies while it writes a result would block the others."""

    def __init__(self, work: Callable[[T], R]) -> None:
        # Not forked: a child would inherit locks that threads of this process hold.
        spawn = multiprocessing.get_context("spawn")
        self.under_way: tuple[int, T] | None = None
        self.pipe, its_own = spawn.Pipe()
        self.process = spawn.Process(target=_serve, args=(work, its_own))
        self.process.start()
        its_own.close()

    def begin(self, numbered: tuple[int, T]) -> None:
        self.under_way = numbered
        with suppress(OSError):         # if it has died idle, `result` says so
            self.pipe.send(numbered[1])

    def result(self) -> R:
        """The result of the task under way. Raises what the work raises. Raises EOFError if the process has died."""
        try:
            succeeded, result, told = self.pipe.recv()
        except OSError:
            raise EOFError from None
        self.under_way = None
        if succeeded:
            return result       # type: ignore[no-any-return]
        raise result from _WorkerTraceback(told)

    def end(self) -> None:
        """End the process: at once if it has a task, otherwise after it has released its state."""
        if self.under_way:
            self.process.terminate()
        self.pipe.close()


class _ProcessPool(Generic[T, R]):
    """Worker processes, started as there are tasks for them; one that dies is replaced."""

    def __init__(self, work: Callable[[T], R], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self.workers: list[_WorkerProcess[T, R]] = []

    def run(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """Run tasks, as described at `worker_pool`; raises what the work raises."""
        self.end([worker for worker in self.workers if worker.under_way])     # of a run that was broken off
        waiting = iter(tasks)
        again: deque[tuple[int, T]] = deque()
        deaths: Counter[int] = Counter()
        while True:
            busy = [worker for worker in self.workers if worker.under_way]
            while len(busy) < self._jobs and (given := again.popleft() if again else next(waiting, None)):
                busy.append(self._idle())
                busy[-1].begin(given)
            if not busy:
                return
            done = wait([worker.pipe for worker in busy])
            for worker in busy:
                if worker.pipe not in done:
                    continue
                assert worker.under_way
                number, task = worker.under_way
                try:
                    result = worker.result()
                except EOFError:
                    self.end([worker])
                    deaths[number] += 1
                    if deaths[number] == ATTEMPTS:
                        raise TasksLost("task {number} was given up: {count} times a process died while it was under "
                                        "way", number=number, count=ATTEMPTS) from None
                    again.append((number, task))
                else:
                    yield number, result

    def _idle(self) -> _WorkerProcess[T, R]:
        for worker in self.workers:
            if not worker.under_way:
                return worker
        self.workers.append(_WorkerProcess(self._work))
        return self.workers[-1]

    def end(self, workers: list[_WorkerProcess[T, R]]) -> None:
        self.workers = [worker for worker in self.workers if worker not in workers]
        for worker in workers:
            worker.end()
        for worker in workers:
            worker.process.join()


def _serve(work: Callable[[T], R], pipe: "Connection[tuple[bool, R | Exception, str], T]") -> None:
    """Do tasks in a new process until there are no more. Ctrl-C is left to the parent. If the parent ends, even by a
    kill, this process ends too."""
    save_addresses()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, GROUPS.end)
    atexit.register(release_all)
    Thread(target=_end_with_parent, daemon=True).start()
    with guarded_streams(), suppress(EOFError, BrokenPipeError):       # the other end is closed
        while True:
            task = pipe.recv()
            answer: tuple[bool, R | Exception, str]
            try:
                answer = True, work(task), ""
            except Exception as error:
                answer = False, error, traceback.format_exc()
            pipe.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
