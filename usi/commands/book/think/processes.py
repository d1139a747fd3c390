"""Worker processes of this machine."""
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Thread

from usi.book.db import BookMove
from usi.commands.book.think.analyst import Task, think_about
from usi.commands.book.think.run import RunTasks


@contextmanager
def workers(jobs: int) -> Iterator[RunTasks]:
    """For a block, what runs tasks: this process, or a pool of others. BrokenProcessPool if one of those is killed."""
    if jobs == 1:
        yield lambda tasks: ((number, think_about(task)) for number, task in tasks)
        return
    # Not forked: a child would inherit locks that threads of this process hold.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin) as pool:
        def run(tasks: Iterable[tuple[int, Task]]) -> Iterator[tuple[int, list[BookMove]]]:
            numbers = {pool.submit(think_about, task): number for number, task in tasks}
            for done in as_completed(numbers):
                yield numbers[done], done.result()
        try:
            yield run
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
