"""Dask's workers as a pool, with a real scheduler: games equal those played locally, and none is lost or doubled."""
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from engine import Position
from scripts import match
from tests.each import each
from tests.faults import refused
from tests.processes import ENVIRONMENT, ROOT, SECONDS, finished, running, until
from tests.scripts.commands import invoke
from usi.words.typed import whole_number
from usi.workers.pool import worker_pool
from usi.workers.tasks import TasksLost, load_once, on_release

dask = pytest.importorskip("usi.workers.dask", reason="needs distributed")

MATCH = ("-m", "scripts.match", "--a", "eval=material", "--b", "eval=material,history_bonus=9", "--nodes", "200",
         "--max-plies", "50")


class Machines:
    """A scheduler on loopback, and its workers; all end with the block, however it ends."""

    def __init__(self, folder: Path, stack: ExitStack, *more: str) -> None:
        self._folder = folder
        self._stack = stack
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0", *more)
        deadline = time.monotonic() + SECONDS
        while not (self._file.exists() and self._file.read_text().endswith("}")):
            assert self.scheduler.poll() is None, self.log("scheduler")
            assert time.monotonic() < deadline, self.log("scheduler")
            time.sleep(0.1)
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self, name: str, path: Path = ROOT,
               more: tuple[str, ...] = ("--host", "127.0.0.1")) -> "subprocess.Popen[bytes]":
        """Without a nanny: a worker that dies stays dead."""
        return self._start(name, "worker", "--no-nanny", "--nthreads", "1", "--memory-limit", "0",
                           "--local-directory", str(self._folder), *more, path=path)

    def _start(self, log: str, *arguments: str, path: Path | None = None) -> "subprocess.Popen[bytes]":
        paths = [str(path or ""), os.environ.get("PYTHONPATH", "")]
        environment = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        with (self._folder / f"{log}.log").open("wb") as output:
            process = subprocess.Popen([sys.executable, "-m", "dask", *arguments, "--no-dashboard", "--scheduler-file",
                                        str(self._file)], stdout=output, stderr=output, env=environment,
                                       cwd=self._folder)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    folder = tmp_path / "machines"
    folder.mkdir()
    with ExitStack() as stack:
        yield Machines(folder, stack)


def done(*command: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
    return finished([sys.executable, *map(str, command)], status)


def games(path: Path) -> dict[int, Any]:
    """The moves and nodes of the games in a record, each of which must be there once."""
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    found = {line["number"]: (line["record"], [thought[1:] for thought in line["thoughts"]]) for line in lines}
    assert len(found) == len(lines)
    return found


@pytest.mark.slow
def test_three_workers_play_what_is_played_here(machines: Machines, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for name in "abc":
        machines.worker(name)
    scheduler = ("--scheduler", machines.address)
    for out, who in ((here, ()), (there, scheduler)):
        done(*MATCH, "--games", 12, "--out", out / "games.jsonl", *who)
        done("-m", "scripts.generate", "--out", out / "some.psv", "--positions", 2000, "--nodes", 40, "--hash", 1,
             "--eval-file", "material", "--max-plies", 40, *who)
        done("-m", "usi", "book", "think", "--out", out / "book.db", "--positions", 60, "--nodes", 200, "--hash", 1,
             *who)
    assert len(games(here / "games.jsonl")) == 12
    assert games(there / "games.jsonl") == games(here / "games.jsonl")
    assert (there / "some.psv").read_bytes() == (here / "some.psv").read_bytes()
    assert (there / "book.db").read_bytes() == (here / "book.db").read_bytes()
    tuning = ("-m", "scripts.tune", "--margin", "history_bonus=10,1,40,4,0.5", "--iterations", 2, "--nodes", 50)
    assert (done(*tuning, "--state", there / "state", *scheduler).stdout
            == done(*tuning, "--state", here / "state", "--jobs", 1).stdout)
    assert (there / "state").read_text() == (here / "state").read_text()


@pytest.mark.slow
def test_workers_come_and_die_and_every_game_is_there_once(machines: Machines, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    done(*MATCH, "--games", 24, "--out", here)
    first = machines.worker("first")
    command = [sys.executable, *MATCH, "--games", "24", "--out", str(there), "--scheduler", machines.address]
    with running(command) as match:
        until(match, "game 2 of 24")
        first.kill()        # in the middle of a game, and nobody is left
        until(match, "no worker")
        machines.worker("second")
        machines.worker("third")
        _, rest = match.communicate()
    assert match.returncode == 0, rest
    assert games(there) == games(here)


@pytest.mark.slow
def test_a_worker_without_our_modules_is_named(machines: Machines, tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()      # hides ours, which an installation in place has on its path everywhere
    (tmp_path / "scripts" / "__init__.py").touch()
    machines.worker("bare", path=tmp_path)
    ended = done(*MATCH, "--games", 2, "--scheduler", machines.address, status=1)
    assert "lacks what this takes (No module named 'scripts." in ended.stderr


@pytest.mark.slow
def test_a_scheduler_that_is_lost_ends_the_run(machines: Machines, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    machines.worker("only")
    command = [sys.executable, *MATCH, "--games", "200", "--out", str(out), "--scheduler", machines.address]
    with running(command) as match:
        until(match, "game 2 of 200")
        machines.scheduler.kill()
        _, rest = match.communicate()
    assert match.returncode == 1
    assert f"Error: the scheduler at {machines.address} is lost" in rest
    assert len(games(out)) >= 2


class FakeWorker:
    address = "tcp://there:1"
    local_directory = "/none"

    class state:
        nthreads = 1


def test_requirements_that_a_worker_has_to_fulfil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "get_worker", FakeWorker)
    weights = tmp_path / "weights"
    weights.write_bytes(b"ours")
    files = ((str(weights), dask.digest(b"ours")),)
    state = dask.WorkerState()
    ours = dask.version("usi")
    state.begin(dask.Requirements("1", "usi", ours, files))
    weights.write_bytes(b"others")
    state.begin(dask.Requirements("1", "usi", ours, files))        # one run asks once
    with pytest.raises(dask.Lacking) as caught:
        state.begin(dask.Requirements("2", "usi", ours, files))
    assert caught.value.fields == {"address": "tcp://there:1", "name": str(weights)}
    with refused(about="otherwise", address="tcp://there:1"):
        state.begin(dask.Requirements("2", "usi", "another", ()))
    monkeypatch.setattr(FakeWorker.state, "nthreads", 2)
    with refused(address="tcp://there:1", count=2):
        state.begin(dask.Requirements("2", "usi", ours, ()))


@each("name", ["own.weights", "own.weights@20"])
def test_weights_that_were_sent_stand_in_for_those_that_are_not_there(
    name: str, tmp_path: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "get_worker", FakeWorker)
    monkeypatch.setattr(FakeWorker, "local_directory", str(tmp_path))
    data, state, named = weights.read_bytes(), dask.WorkerState(), str(tmp_path / "absent" / name)
    requirements = dask.Requirements("1", "usi", dask.version("usi"), ((named, dask.digest(data)),))
    with pytest.raises(dask.Lacking):
        state.begin(requirements)
    dask.receive(dask.digest(data), data)
    state.begin(requirements)
    assert load_once(named).evaluate(Position()) == 12
    state.end("1")
    with pytest.raises(FileNotFoundError):
        load_once(named)
    os.remove(tmp_path / f"{dask.digest(data)}.weights")


@each(("text", "address"), [("tcp://host:8786", "tcp://host:8786"), ("host:8786", "tcp://host:8786"),
                            ("127.0.0.1:1", "tcp://127.0.0.1:1"), ("[::1]:8786", "tcp://[::1]:8786")])
def test_what_is_an_address(text: str, address: str) -> None:
    assert dask.address_of(text) == address


@each("text", ["localhost", "tcp://localhost", "tcp://localhost:", "http://localhost:8786", "tcp://a/b:1", "", ":8786",
               "tls://localhost:8786"])
def test_what_is_no_address_is_said_at_once(text: str) -> None:
    arguments = ["--a", "eval=material", "--b", "eval=material", "--nodes", 9, "--games", 2, "--scheduler", text]
    said = invoke(match, *arguments, status=1).output
    assert said.startswith("Error: --scheduler ")
    assert "give tcp://HOST:PORT" in said or "needs certificates in Dask's configuration" in said


def test_where_no_scheduler_is_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT_SECONDS", 1)
    with refused(address="tcp://127.0.0.1:1", reason=...), \
            worker_pool(whole_number, 1, scheduler="127.0.0.1:1"):
        pass


@pytest.mark.slow
def test_results_that_do_not_arrive_end_the_run(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker reaches the scheduler, but the scheduler cannot reach the worker, as through a one-way tunnel."""
    monkeypatch.setattr(dask, "FETCH_SECONDS", 0.5)
    monkeypatch.setattr(dask, "LOST_SECONDS", 2)
    machines.worker("behind", more=("--listen-address", "tcp://127.0.0.1:0", "--contact-address", "tcp://127.0.0.1:1"))
    with refused(TasksLost, number=0, address=machines.address), \
            worker_pool(whole_number, 1, scheduler=machines.address) as run:
        list(run([(0, "3")]))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_certificates_let_in_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The set-up of docs/MATCHES.md. Between two network namespaces it was tried by hand."""
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=gakushi",
                    "-keyout", key, "-out", cert], check=True, capture_output=True, timeout=SECONDS)
    pair = f"{{cert: {cert}, key: {key}}}"
    (tmp_path / "dask").mkdir()
    (tmp_path / "dask" / "tls.yaml").write_text(
        f"distributed: {{comm: {{require-encryption: true, tls: {{ca-file: {cert}, scheduler: {pair}, worker: {pair}, "
        f"client: {pair}}}}}}}\n")
    monkeypatch.setitem(ENVIRONMENT, "DASK_CONFIG", str(tmp_path / "dask"))
    with ExitStack() as stack:
        machines = Machines(tmp_path, stack, "--protocol", "tls")
        machines.worker("only", more=("--host", "127.0.0.1", "--protocol", "tls"))
        assert machines.address.startswith("tls://127.0.0.1:")
        done(*MATCH, "--games", 2, "--out", tmp_path / "games.jsonl", "--scheduler", machines.address)
        assert len(games(tmp_path / "games.jsonl")) == 2
        monkeypatch.setitem(ENVIRONMENT, "DASK_CONFIG", str(tmp_path / "none"))
        for address, words in ((machines.address, "needs certificates"),
                               (machines.address.replace("tls", "tcp"), "there is no scheduler at")):
            assert words in done(*MATCH, "--games", 2, "--scheduler", address, status=1).stderr


@pytest.mark.slow
def test_weights_are_sent_to_a_worker_that_lacks_them(machines: Machines, tmp_path: Path, weights: Path) -> None:
    """The worker's own folder lacks the file."""
    machines.worker("only")
    here = tmp_path / "here"
    here.mkdir()
    shutil.copy(weights, here / "own.weights")
    command = [sys.executable, *MATCH[:3], "eval=own.weights", *MATCH[4:], "--games", "2", "--out", "games.jsonl"]
    for more in ([], ["--scheduler", machines.address]):
        subprocess.run([*command, *more], check=True, cwd=here, env=ENVIRONMENT, timeout=SECONDS)
        (here / "games.jsonl").rename(here / f"{len(more)}.jsonl")
    assert games(here / "0.jsonl") == games(here / "2.jsonl")


def test_the_end_of_a_run_releases_nothing_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "get_worker", FakeWorker)
    released = []
    on_release(lambda: released.append(1))
    state = dask.WorkerState()
    state.begin(dask.Requirements("1", "usi", dask.version("usi"), ()))
    state.begin(dask.Requirements("2", "usi", dask.version("usi"), ()))
    assert released == [1, 1], "the files of each run may be others"
    state.end("1")
    assert released == [1, 1]
    state.end("2")
    assert released == [1, 1, 1]


def test_a_version_is_that_of_the_package_that_the_work_is_from() -> None:
    assert dask.version("scripts") != dask.version("usi")
