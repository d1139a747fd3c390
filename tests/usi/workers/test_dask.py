"""Dask's workers as a pool, with a real scheduler: games equal those played locally, and none is lost or doubled."""
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ENVIRONMENT, ROOT, SECONDS, finished, running, until
from usi.workers.pool import on_release, worker_pool

dask = pytest.importorskip("usi.workers.dask", reason="needs distributed")

MATCH = ("-m", "scripts.match", "--a", "eval=material", "--b", "eval=material,history_bonus=9", "--nodes", "200",
         "--max-plies", "50")


class Machines:
    """A scheduler on loopback, and its workers; all end with the block, however it ends."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0")
        deadline = time.monotonic() + SECONDS
        while not (self._file.exists() and self._file.read_text().endswith("}")):
            assert self.scheduler.poll() is None, self.log("scheduler")
            assert time.monotonic() < deadline, self.log("scheduler")
            time.sleep(0.1)
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self, name: str, path: Path = ROOT) -> "subprocess.Popen[bytes]":
        """Without a nanny: a worker that dies stays dead."""
        return self._start(name, "worker", "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1",
                           "--memory-limit", "0", "--local-directory", str(self._folder), path=path)

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

    class state:
        nthreads = 1


def test_requirements_that_a_worker_has_to_fulfil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "get_worker", FakeWorker)
    weights = tmp_path / "weights"
    weights.write_bytes(b"ours")
    files = ((str(weights), dask.digest(weights)),)
    state = dask.WorkerState()
    ours = dask.version("usi")
    state.begin(dask.Requirements("1", "usi", ours, files))
    weights.write_bytes(b"others")
    state.begin(dask.Requirements("1", "usi", ours, files))        # one run asks once
    with pytest.raises(ValueError, match=r"tcp://there:1 has not our .*weights"):
        state.begin(dask.Requirements("2", "usi", ours, files))
    with pytest.raises(ValueError, match="tcp://there:1 plays otherwise than we do"):
        state.begin(dask.Requirements("2", "usi", "another", ()))
    monkeypatch.setattr(FakeWorker.state, "nthreads", 2)
    with pytest.raises(ValueError, match="tcp://there:1 plays 2 games in one process; start it with --nthreads 1"):
        state.begin(dask.Requirements("2", "usi", ours, ()))


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


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "usi.workers.dask")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"gakushi\[cluster\]"):
        worker_pool(print, 1, scheduler="tcp://127.0.0.1:1")
