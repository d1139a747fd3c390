"""Many games at a time: none is lost with a worker, and nothing outlives the run."""
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import match as match_module
from scripts.arena.game import Pairing, play
from scripts.arena.search_player import SearchPlayer
from scripts.arena.usi_player import UsiPlayer
from scripts.games.rules import Rules
from scripts.workers.interface import in_order
from scripts.workers.pool import worker_pool

Stub = Callable[..., UsiPlayer]
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find child processes")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def workers_of(pid: int) -> list[int]:
    return [child for child in children(pid) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 100
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def pairings(quick: SearchPlayer, count: int) -> list[tuple[int, Pairing]]:
    return list(enumerate([Pairing("startpos", (quick, quick), Rules(max_plies=20))] * count))


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_game_comes_back_with_its_number(quick: SearchPlayer, jobs: int) -> None:
    with worker_pool(play, jobs) as play_all:
        assert sorted(number for number, _ in play_all(pairings(quick, 5))) == [0, 1, 2, 3, 4]
        assert [number for number, _ in play_all(iter(pairings(quick, 1)))] == [0], "and they take more"


def test_what_goes_wrong_in_a_worker_is_raised_here(quick: SearchPlayer) -> None:
    with worker_pool(play, 2) as play_all, pytest.raises(ValueError, match="7g7e"):
        list(play_all([(0, Pairing("startpos moves 7g7e", (quick, quick)))]))


@NEEDS_PROC
def test_the_games_of_a_worker_that_dies_are_played_by_another(quick: SearchPlayer) -> None:
    with worker_pool(play, 2) as play_all:
        games = play_all(pairings(quick, 12))
        numbers = [next(games)[0]]
        for worker in workers_of(os.getpid()):
            os.kill(worker, signal.SIGKILL)
        numbers += [number for number, _ in games]
        assert sorted(numbers) == list(range(12))


def test_results_are_put_in_order() -> None:
    results = in_order([(1, "b"), (0, "a"), (3, "d"), (2, "c"), (5, "f")])
    assert list(results) == ["a", "b", "c", "d"]


def test_no_pool_without_workers() -> None:
    with pytest.raises(ValueError, match="0 jobs"), worker_pool(play, 0):
        pass


@NEEDS_PROC
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_neither_workers_nor_engines_outlive_a_run_that_is_stopped(stub: Stub, number: signal.Signals) -> None:
    engine = " ".join(stub("stubborn").command)     # it does not even end with its input
    command = [sys.executable, match_module.__file__, engine, engine, "--nodes", "1", "--games", "2000", "--jobs=2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONSAFEPATH": ""}) as running:
        assert running.stderr
        while "game 2 " not in (line := running.stderr.readline()):
            assert line
        started = workers_of(running.pid)
        started += [child for worker in started for child in children(worker)]
        running.send_signal(number)
        running.communicate(timeout=100)
    assert len(started) > 3, "two workers, and the engines of one at least"
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
