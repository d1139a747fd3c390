"""Many games at a time: none is lost with a worker, and nothing outlives the run."""
import os
import signal
from collections.abc import Callable

import pytest

from scripts import match as match_module
from scripts.arena.game import Pairing, play
from scripts.arena.search_player import SearchPlayer
from scripts.arena.usi_player import UsiPlayer
from scripts.games.rules import Rules
from scripts.workers.interface import in_order
from scripts.workers.pool import worker_pool
from tests.processes import NEEDS_PROC, children_of, running, until, wait_for_end, workers_of
from tests.scripts.commands import line

Stub = Callable[..., UsiPlayer]


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


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_neither_workers_nor_engines_outlive_a_run_that_is_stopped(stub: Stub, number: signal.Signals) -> None:
    engine = " ".join(stub("stubborn").command)     # it does not even end with its input
    command = line(match_module, engine, engine, "--nodes", 1, "--games", 2000, "--jobs", 2)
    with running(command) as run:
        until(run, "game 2 ")
        started = workers_of(run.pid)
        started += [child for worker in started for child in children_of(worker)]
        run.send_signal(number)
        run.communicate()
        assert len(started) > 3, "two workers, and the engines of one at least"
        wait_for_end(started)
