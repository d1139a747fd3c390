"""Clocks, and what an engine is told of them."""
import pytest

from scripts.games.timecontrol import PlayerClock, TimeControl, go
from tests.each import each


def test_byoyomi_begins_when_the_main_time_is_gone() -> None:
    clock = PlayerClock(TimeControl(time=1000, byoyomi=300))
    assert clock.allowed == 1300
    clock.charge(400)
    assert (clock.left, clock.allowed) == (600, 900)
    clock.charge(800)
    assert (clock.left, clock.allowed) == (0, 300)
    clock.charge(300)
    assert (clock.left, clock.allowed) == (0, 300)


def test_an_increment_that_is_not_used_is_kept() -> None:
    clock = PlayerClock(TimeControl(time=1000, increment=200))
    assert clock.allowed == 1200
    clock.charge(50)
    assert (clock.left, clock.allowed) == (1150, 1350)
    clock.charge(1350)
    assert (clock.left, clock.allowed) == (0, 200)


def test_fractions_of_a_millisecond_add_up() -> None:
    clock = PlayerClock(TimeControl(time=1000, increment=1))
    for _ in range(500):
        clock.charge(1.4)
    assert (round(clock.left, 6), go((clock, None), 0)) == (800, f"btime {int(clock.left)} wtime 0 binc 1 winc 0")
    clock.charge(1.75)
    assert clock.allowed == pytest.approx(800.25)


def test_sudden_death_and_limits_without_a_clock() -> None:
    clock = PlayerClock(TimeControl(time=100))
    clock.charge(60)
    assert clock.allowed == 40
    clock.charge(50)
    assert (clock.allowed, go((clock, None), 0)) == (-10, "btime 0 wtime 0 byoyomi 0"), "what was late stays owed"
    assert PlayerClock(TimeControl(nodes=5)).allowed is None
    fixed = PlayerClock(TimeControl(movetime=70))
    fixed.charge(60)
    assert fixed.allowed == 70


@each(("black", "white", "turn", "expected"), [
    (TimeControl(byoyomi=100), TimeControl(time=5000, byoyomi=200), 0, "btime 0 wtime 5000 byoyomi 100"),
    (TimeControl(byoyomi=100), TimeControl(time=5000, byoyomi=200), 1, "btime 0 wtime 5000 byoyomi 200"),
    (TimeControl(time=9000), TimeControl(time=8000, increment=50), 1, "btime 9000 wtime 8000 binc 0 winc 50"),
    (TimeControl(time=9000), TimeControl(nodes=3), 0, "btime 9000 wtime 0 byoyomi 0"),
    (TimeControl(time=9000), TimeControl(nodes=3), 1, "nodes 3"),
    (TimeControl(byoyomi=10, depth=4), TimeControl(movetime=3), 0, "btime 0 wtime 0 byoyomi 10 depth 4"),
    (TimeControl(byoyomi=10, depth=4), TimeControl(movetime=3), 1, "movetime 3"),
])
def test_go(black: TimeControl, white: TimeControl, turn: int, expected: str) -> None:
    assert go((PlayerClock(black), PlayerClock(white)), turn) == expected


def test_an_opponent_without_a_clock_is_shown_with_nothing() -> None:
    assert go((None, PlayerClock(TimeControl(time=700, increment=9))), 1) == "btime 0 wtime 700 binc 0 winc 9"


@each("limits", [
    {}, {"nodes": 0}, {"time": -1, "byoyomi": 5}, {"byoyomi": 1, "increment": 1}, {"time": 1, "movetime": 1},
])
def test_limits_that_cannot_be(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"limits nothing|: USI has byoyomi or|: a clock and"):
        TimeControl(**limits)


def test_in_words() -> None:
    assert str(TimeControl(time=60000, byoyomi=500)) == "60 s + 0.5 s byoyomi"
    assert str(TimeControl(nodes=3000)) == "3000 nodes"
