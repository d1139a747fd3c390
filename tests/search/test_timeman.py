"""When a search ends, on a clock that the test drives."""
from dataclasses import replace

import pytest

from engine import MATE
from search import Clock, Settings
from search.clock import Budget
from search.limits import TimeLimit
from search.timeman import MILLISECOND, ONLY_MOVE_DEPTH, TimeManager

ASKED = 7_000 * MILLISECOND     # on the clock
UNHURRIED = Settings(round_up_to_full_second=False, minimum_thinking_time=0, network_delay=0, network_delay2=0)


def manager(limit: TimeLimit, settings: Settings = UNHURRIED) -> TimeManager:
    """The time manager of a search with this time from ASKED on."""
    time = TimeManager(settings, turn=0, ply=1)
    time.give(limit, ASKED)
    return time


def budget_of(time: TimeManager) -> Budget:
    assert time.budget
    return time.budget


def enough(time: TimeManager, ms: int, depth: int = 9, best: str = "7g7f", score: int = 0, moves: int = 30) -> bool:
    return time.note_iteration(depth, best, score, moves, ASKED + ms * MILLISECOND)


def test_the_deadline_counts_from_when_it_was_asked_for() -> None:
    time = manager(1000)
    assert time.deadline == ASKED + budget_of(time).maximum * MILLISECOND


def test_without_a_time_nothing_is_enough() -> None:
    time = TimeManager(UNHURRIED, turn=0, ply=1)
    assert (time.budget, time.deadline) == (None, 0)
    assert not enough(time, 10**9, score=MATE - 1, moves=1)


def settle(time: TimeManager) -> None:
    for depth in range(1, 10):
        assert not enough(time, 0, depth)


def test_a_settled_search_ends_before_its_optimum_and_one_that_is_not_after() -> None:
    settled, new = (manager(Clock((100_000, 100_000))) for _ in range(2))
    assert not enough(new, budget_of(settled).optimum)
    settle(settled)
    assert enough(settled, budget_of(settled).optimum // 2)
    assert not enough(settled, budget_of(settled).optimum // 2, best="2g2f")


@pytest.mark.parametrize("limit", [Clock(byoyomi=1000), Clock((500, 500), byoyomi=1000), 1000])
def test_byoyomi_and_a_time_for_one_move_are_used_however_settled(limit: TimeLimit) -> None:
    time = manager(limit)
    settle(time)
    assert not enough(time, budget_of(time).optimum - 1)
    assert limit != 1000 or not enough(manager(limit), budget_of(time).maximum - 1, moves=1)


def test_a_settled_search_takes_the_minimum_thinking_time() -> None:
    time = manager(Clock((600_000, 600_000)), Settings(minimum_thinking_time=5000, network_delay=0,
                                                       round_up_to_full_second=False))
    settle(time)
    assert not enough(time, 4999)
    assert enough(time, 5000)


def test_an_unsettled_search_gets_more_but_not_beyond_the_maximum() -> None:
    time = manager(Clock((100_000, 100_000)))
    assert not enough(time, 0, best="7g7f", score=100)
    assert not enough(time, 2 * budget_of(time).optimum, best="2g2f", score=-100)
    assert time.deadline == ASKED + budget_of(time).maximum * MILLISECOND


def test_the_rest_of_a_second_is_used_less_the_delay() -> None:
    time = manager(Clock((600_000, 600_000)),
                   Settings(minimum_thinking_time=0, network_delay=120, network_delay2=0, slow_mover=20))
    settle(time)
    assert not enough(time, 1001)
    assert time.deadline == ASKED + 1880 * MILLISECOND
    assert enough(time, 1880)


def test_a_forced_move_and_a_mate_need_no_more_time() -> None:
    time = manager(Clock((100_000, 100_000)))
    assert not enough(time, 1, moves=1, depth=ONLY_MOVE_DEPTH - 1)
    assert enough(time, 1, moves=1, depth=ONLY_MOVE_DEPTH)
    assert enough(time, 1, depth=9, score=MATE - 9)
    assert not enough(time, 1, depth=9, score=MATE - 11)
    several = manager(Clock((100_000, 100_000)), replace(UNHURRIED, multi_pv=2))
    assert not enough(several, 1, depth=9, score=MATE - 9), "the other lines may be worth more time"


def test_a_time_given_later_replaces_the_first_and_runs_from_then() -> None:
    time = manager(Clock((100_000, 100_000)))
    first = time.budget
    time.give(1000, ASKED + 5000 * MILLISECOND)
    assert time.budget == manager(1000).budget != first
    assert time.deadline == manager(1000).deadline + 5000 * MILLISECOND
    assert not enough(time, 5500, moves=1)
