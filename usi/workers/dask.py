"""The workers of a Dask scheduler as a pool: on any machines, coming and going while the work is done.

They import this package from an installation of their own. Tasks and results travel as pickles, so whoever reaches the
scheduler runs programs as its workers' user. Before its first task a worker compares its modules and its search with
ours, by digest, and asks for the weights that it lacks.
"""
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic
from uuid import uuid4

import dask
from distributed import Client, Future, get_worker
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from engine.errors import UserError
from eval.loading import load_evaluator, weights_file
from search import Searcher
from search.bench import fingerprint
from usi.workers.tasks import R, RunTasks, T, TasksLost, release_all, stand_in

AHEAD = 2               # tasks in flight for each worker: one that it does, and one that waits for it
CONNECT_SECONDS = 30
LOOK_SECONDS = 1        # between two looks for new workers, while no result comes
FETCH_SECONDS = 10      # for a result that a worker has; then it is asked for again
LOST_SECONDS = 120      # in all, while no worker does the task again: then the scheduler cannot reach the worker
VERSION_NODES = 500     # of each search for the version's digest


ADDRESS = re.compile(r"((?:tcp|tls)://)?(\[[^\]]+\]|[^:/]+):\d{1,5}")


def address_of(text: str) -> str:
    """A scheduler's address from HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT. Raises UserError for anything else, and
    for tls:// without certificates in Dask's configuration."""
    match = ADDRESS.fullmatch(text)
    if not match:
        raise UserError("--scheduler {text!r} is no address; give tcp://HOST:PORT or tls://HOST:PORT, as the scheduler "
                        "prints it (Dask's usual port is 8786)", text=text)
    if match[1] == "tls://" and not dask.config.get("distributed.comm.tls.client.cert", None):
        raise UserError("--scheduler {text} needs certificates in Dask's configuration; docs/MATCHES.md shows how",
                        text=text)
    return text if match[1] else f"tcp://{text}"


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def bytes_of(name: str) -> bytes:
    """The bytes of the weights of an evaluation from `own_files`. Raises OSError if they cannot be read."""
    path = weights_file(name)
    assert path
    return path.read_bytes()


@cache
def _modules(package: str) -> str:
    """A digest of a package's modules at the first call: they may change while a worker runs."""
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
    files: tuple[tuple[str, str], ...]  # names of evaluations, and digests of their weights


class Lacking(UserError):
    """A worker lacks weights. The fields are its address and the name of the evaluation."""


class WorkerState:
    """State that a worker's process keeps between tasks."""

    def __init__(self) -> None:
        self._run = ""

    def begin(self, requirements: Requirements) -> None:
        """Begin a run, unless it is the current one. Raises UserError if its requirements are not fulfilled."""
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
            with suppress(OSError):
                if digest(bytes_of(name)) == wanted:
                    continue
            path = _sent(wanted)
            if not path.exists():
                raise Lacking("the worker at {address} has not our {name}", address=worker.address, name=name)
            stand_in(name, path)
        self._run = requirements.run

    def end(self, run: str) -> None:
        """Release this run's state, unless the worker already does another run's tasks."""
        if run == self._run:
            self._run = ""
            release_all()


STATE = WorkerState()


def _do(requirements: Requirements, work: Callable[[T], R], task: T) -> R:
    STATE.begin(requirements)
    return work(task)


def receive(digest: str, data: bytes) -> None:
    """Store weights as long as the worker lives."""
    _sent(digest).write_bytes(data)


def _sent(digest: str) -> Path:
    return Path(get_worker().local_directory) / f"{digest}.weights"


def _end(run: str) -> None:
    STATE.end(run)


def _opener() -> Callable[[bytes], object]:
    """The function that a worker runs. As an inner function it travels with its code, so the scheduler needs none of
    our modules, and a worker without them can report that."""
    def opened(payload: bytes) -> object:
        import pickle

        from distributed import get_worker
        try:
            do = pickle.loads(payload)
        except ImportError as missing:
            raise UserError("the worker at {address} lacks what this takes ({missing}); install the same version "
                            "there, or start it in a built checkout, with PYTHONPATH=.",
                            address=get_worker().address, missing=str(missing)) from None
        return do()
    return opened


class DaskPool(Generic[T, R]):
    """Dask's workers."""

    def __init__(self, client: Client, address: str, work: Callable[[T], R],
                 requirements: Requirements) -> None:
        self._client = client
        self._address = address
        self._digests = dict(requirements.files)
        self._do = partial(_do, requirements, work)
        self._opener = _opener()
        self._deserted = False

    def run(self, tasks: Iterable[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        """The results as they come. Dask repeats a task whose worker is lost. Raises TasksLost if that happens again
        and again, if results do not arrive and if the scheduler is lost. Raises UserError for a worker that does not
        fulfil the requirements; and what the work raises."""
        waiting = iter(tasks)
        under_way: dict[Future, tuple[int, T]] = {}
        ended: SimpleQueue[Future] = SimpleQueue()
        exhausted = False

        def begin(task: tuple[int, T]) -> None:
            future = self._submit(partial(self._do, task[1]))
            under_way[future] = task
            future.add_done_callback(ended.put)

        while True:
            wanted = AHEAD * self._count()
            while not exhausted and len(under_way) < wanted:
                if task := next(waiting, None):
                    begin(task)
                else:
                    exhausted = True
            if exhausted and not under_way:
                return
            with suppress(Empty):
                future = ended.get(timeout=LOOK_SECONDS)
                task = under_way.pop(future)
                try:
                    result: R = self._result(future, task[0])
                except Lacking as lacking:
                    self._send(lacking)
                    begin(task)
                else:
                    yield task[0], result

    def _submit(self, work: Callable[[], object], workers: list[str] | None = None) -> Future:
        return self._client.submit(self._opener, pickle.dumps(work), pure=False, workers=workers)

    def _send(self, lacking: Lacking) -> None:
        """Send the weights to the worker. Raises UserError if they have been replaced since the run began."""
        name = str(lacking.fields["name"])
        data, wanted = bytes_of(name), self._digests[name]
        if digest(data) != wanted:
            raise UserError("{name} has been replaced while it was in use; run this again", name=name)
        with suppress(TasksLost):       # the worker may be gone by now
            self._result(self._submit(partial(receive, wanted, data), [str(lacking.fields["address"])]), -1)

    def _count(self) -> int:
        try:
            workers = len(self._client.nthreads())
        except OSError:
            raise self._loss() from None
        if not workers and not self._deserted:
            print(f"no worker at {self._address}; waiting for one (docs/MATCHES.md)", file=sys.stderr, flush=True)
        self._deserted = not workers
        return workers

    def _result(self, future: Future, number: int) -> Any:
        waited = 0.0
        while True:
            began = time.monotonic()
            try:
                return future.result(FETCH_SECONDS)
            except KilledWorker as killed:
                raise TasksLost("task {number} was given up: worker after worker died of it, the last at {address}",
                                number=number, address=killed.last_worker.address) from None
            except (CancelledError, CommClosedError):
                raise self._loss() from None
            except TimeoutError:
                if not self._is_done_again(future):
                    waited += time.monotonic() - began
            if waited >= LOST_SECONDS:
                raise TasksLost("the result of task {number} does not arrive, although a worker has it: the scheduler "
                                "at {address} cannot connect to the worker (docs/MATCHES.md)", number=number,
                                address=self._address)

    def _is_done_again(self, future: Future) -> bool:
        """Whether a worker is doing the task again, because the worker that had done it was lost."""
        try:
            return any(future.key in keys for keys in self._client.processing().values())
        except OSError:
            raise self._loss() from None

    def _loss(self) -> TasksLost:
        return TasksLost("the scheduler at {address} is lost", address=self._address)


@contextmanager
def dask_pool(work: Callable[[T], R], scheduler: str, files: Iterable[str] = ()) -> Iterator[RunTasks[T, R]]:
    """See `worker_pool`. Raises UserError if there is no such scheduler."""
    address = address_of(scheduler)
    package = work.__module__.partition(".")[0]
    digests = tuple((name, digest(bytes_of(name))) for name in files)
    requirements = Requirements(uuid4().hex, package, version(package), digests)
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError("there is no scheduler at {address} that lets us in: {reason}; start one (docs/MATCHES.md), or "
                        "leave --scheduler out", address=address, reason=error) from None
    with client:
        try:
            yield DaskPool(client, address, work, requirements).run
        finally:
            with suppress(OSError):     # the scheduler may be lost
                if client.status == "running":
                    client.run(_end, requirements.run, on_error="ignore")
