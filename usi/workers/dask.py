"""The workers of a Dask scheduler as a pool: on any machines, coming and going while the work is done.

They import this package from an installation of their own. Tasks and results travel as pickles, so whoever reaches the
scheduler runs programs as its workers' user. Files are named, and have to be there already. Before its first task a
worker compares its modules, its search and those files with ours, by digest.
"""
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Generic
from uuid import uuid4

from distributed import Client, Future, get_worker
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from engine.errors import UserError
from eval.loading import load_evaluator
from search import Searcher
from search.bench import fingerprint
from usi.workers.pool import R, RunTasks, T, TasksLost, release_all

AHEAD = 2               # tasks in flight for each worker: one that it does, and one that waits for it
CONNECT_SECONDS = 30
LOOK_SECONDS = 1        # between two looks for new workers, while no result comes
VERSION_NODES = 500     # of each search that tells one version from another


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@cache
def _modules(package: str) -> str:
    """A digest of a package's modules, as they were when this was first asked: they may change while a worker runs."""
    (folder,) = import_module(package).__path__
    return sha256(b"".join(path.read_bytes() for path in sorted(Path(folder).rglob("*.py")))).hexdigest()[:16]


@cache
def version(package: str) -> str:
    """A digest of everything that determines a worker's results: this package, the package of the work, and a search
    with the packaged weights."""
    found = fingerprint(Searcher(16, 1, evaluator=load_evaluator(None)), VERSION_NODES)
    return "-".join([*map(_modules, sorted({"usi", package})), found])


@dataclass(frozen=True)
class Requirements:
    """Requirements that a worker must meet before it runs a task."""

    run: str                            # who asks
    package: str                        # that the work is from
    version: str
    files: tuple[tuple[str, str], ...]  # paths and digests


class WorkerState:
    """State that a worker's process keeps between tasks."""

    def __init__(self) -> None:
        self._run = ""

    def begin(self, requirements: Requirements) -> None:
        """Begin a run, if it is another than before. UserError if its requirements are not fulfilled."""
        if requirements.run == self._run:
            return
        self._run = ""
        release_all()       # engines and weights of the last run may have been replaced since
        worker = get_worker()
        if worker.state.nthreads != 1:
            raise UserError("the worker at {address} plays {count} games in one process; start it with --nthreads 1",
                            address=worker.address, count=worker.state.nthreads)
        if requirements.version != version(requirements.package):
            raise UserError("the worker at {address} plays otherwise than we do; give it the same checkout, build it "
                            "and start it anew", address=worker.address)
        for name, wanted in requirements.files:
            path = Path(name)
            if not path.is_file() or digest(path) != wanted:
                raise UserError("the worker at {address} has not our {name}; copy it there, to the same path",
                                address=worker.address, name=name)
        self._run = requirements.run

    def end(self, run: str) -> None:
        """Release the state that this run has left here, unless the worker already does another run's tasks."""
        if run == self._run:
            self._run = ""
            release_all()


STATE = WorkerState()


def _do(requirements: Requirements, work: Callable[[T], R], task: T) -> R:
    STATE.begin(requirements)
    return work(task)


def _end(run: str) -> None:
    STATE.end(run)


def _opener() -> Callable[[bytes], object]:
    """A function that travels with its code, as one inside another does: so the scheduler needs none of our modules,
    and a worker without them can say so instead of falling over what it cannot read."""
    def opened(payload: bytes) -> object:
        import pickle

        from distributed import get_worker
        try:
            do = pickle.loads(payload)
        except ImportError as missing:
            raise UserError("the worker at {address} lacks what this takes ({missing}); install the same version "
                            "there, or start it in a built checkout, with PYTHONPATH=.", address=get_worker().address,
                            missing=missing) from None
        return do()
    return opened


class DaskPool(Generic[T, R]):
    """Dask's workers."""

    def __init__(self, client: Client, address: str, work: Callable[[T], R],
                 requirements: Requirements) -> None:
        self._client = client
        self._address = address
        self._do = partial(_do, requirements, work)
        self._opener = _opener()
        self._deserted = False

    def run(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """The results as they come. Dask does a task again whose worker is lost. TasksLost if that happens again and
        again and if the scheduler is lost, UserError for a worker that does not fulfil the requirements, and what the
        work raises."""
        waiting = iter(tasks)
        under_way: dict[Future, int] = {}
        ended: SimpleQueue[Future] = SimpleQueue()
        exhausted = False
        while True:
            wanted = AHEAD * self._count()
            while not exhausted and len(under_way) < wanted:
                if task := next(waiting, None):
                    future = self._client.submit(self._opener, pickle.dumps(partial(self._do, task[1])), pure=False)
                    under_way[future] = task[0]
                    future.add_done_callback(ended.put)
                else:
                    exhausted = True
            if exhausted and not under_way:
                return
            with suppress(Empty):
                future = ended.get(timeout=LOOK_SECONDS)
                number = under_way.pop(future)
                yield number, self._result(future, number)

    def _count(self) -> int:
        try:
            workers = len(self._client.nthreads())
        except OSError:
            raise self._loss() from None
        if not workers and not self._deserted:
            print(f"no worker at {self._address}; waiting for one (docs/MATCHES.md)", file=sys.stderr, flush=True)
        self._deserted = not workers
        return workers

    def _result(self, future: Future, number: int) -> R:
        try:
            result: R = future.result()
        except KilledWorker as killed:
            raise TasksLost("task {number} was given up: worker after worker died of it, the last at {address}",
                            number=number, address=killed.last_worker.address) from None
        except (CancelledError, CommClosedError):
            raise self._loss() from None
        return result

    def _loss(self) -> TasksLost:
        return TasksLost("the scheduler at {address} is lost", address=self._address)


@contextmanager
def dask_pool(work: Callable[[T], R], scheduler: str, files: Iterable[str] = ()) -> Iterator[RunTasks[T, R]]:
    """See `worker_pool`."""
    package = work.__module__.partition(".")[0]
    digests = tuple((name, digest(Path(name))) for name in files)
    requirements = Requirements(uuid4().hex, package, version(package), digests)
    with Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False) as client:
        try:
            yield DaskPool(client, scheduler, work, requirements).run
        finally:
            with suppress(OSError):     # the scheduler may be lost
                if client.status == "running":
                    client.run(_end, requirements.run, on_error="ignore")
