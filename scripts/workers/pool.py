"""The choice of workers: this process, processes of this machine, or Dask's."""
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from scripts.workers.interface import R, RunTasks, T
from scripts.workers.local import local_pool


@contextmanager
def _in_this_process(work: Callable[[T], R]) -> Iterator[RunTasks[T, R]]:
    yield lambda tasks: ((number, work(task)) for number, task in tasks)


def worker_pool(work: Callable[[T], R], jobs: int, apart: bool = False, scheduler: str | None = None,
                files: Iterable[str] = ()) -> AbstractContextManager[RunTasks[T, R]]:
    """For a block, a function that runs numbered tasks, `jobs` of them at a time, and yields each result with its
    number as it comes; what has not ended with the block is given up.

    One job is done in this process, unless it is to be kept `apart`: what a worker has started ends with it even if
    this process is killed. With a `scheduler`, the address of Dask's, its workers run the tasks instead, however many
    there are: `work` has to be a function that they can import, and the `files` that it reads have to be theirs too, at
    the same paths.

    ValueError for less than one job and without Dask; OSError if there is no such scheduler, or no such file.
    """
    if scheduler is not None:
        try:
            from scripts.workers.dask import dask_pool
        except ModuleNotFoundError as missing:
            raise ValueError(f"{missing}, which --scheduler needs; pip install 'gakushi[cluster]'") from None
        return dask_pool(work, scheduler, files)
    if jobs < 1:
        raise ValueError(f"{jobs} jobs cannot be done; give 1 or more")
    return local_pool(work, jobs) if jobs > 1 or apart else _in_this_process(work)
