"""Clocks, and the times sent to engines."""
import pytest

from scripts.games.timecontrol import PlayerClock, PlayerLimits, go
from tests.each import each
from tests.faults import refused


@each(("control", "allowed", "moves"), [
    # Byoyomi begins when the main time is gone.
    (PlayerLimits(time=1000, byoyomi=300), 1300, [(400, 600, 900), (800, 0, 300), (300, 0, 300)]),
    # An increment that is not used is kept.
    (PlayerLimits(time=1000, increment=200), 1200, [(50, 1150, 1350), (1350, 0, 200)]),
    # What was late stays owed.
    (PlayerLimits(time=100), 100, [(60, 40, 40), (50, -10, -10)]),
    (PlayerLimits(nodes=5), None, []),
    (PlayerLimits(movetime=70), 70, [(60, 0, 70)]),
])
def test_what_is_left_and_allowed_after_moves(control: PlayerLimits, allowed: int | None,
                                              moves: list[tuple[int, int, int]]) -> None:
    """Each move takes the given milliseconds."""
    clock = PlayerClock(control)
    assert clock.allowed == allowed
    for taken, left, then_allowed in moves:
        clock.charge(taken)
        assert (clock.left, clock.allowed) == (left, then_allowed)
        assert clock.left >= 0 or go((clock, None), 0) == "btime 0 wtime 0 byoyomi 0"


def test_fractions_of_a_millisecond_add_up() -> None:
    clock = PlayerClock(PlayerLimits(time=1000, increment=1))
    for _ in range(500):
        clock.charge(1.4)
    assert (round(clock.left, 6), go((clock, None), 0)) == (800, f"btime {int(clock.left)} wtime 0 binc 1 winc 0")
    clock.charge(1.75)
    assert clock.allowed == pytest.approx(800.25)


@each(("black", "white", "turn", "expected"), [
    (PlayerLimits(byoyomi=100), PlayerLimits(time=5000, byoyomi=200), 0, "btime 0 wtime 5000 byoyomi 100"),
    (PlayerLimits(byoyomi=100), PlayerLimits(time=5000, byoyomi=200), 1, "btime 0 wtime 5000 byoyomi 200"),
    (PlayerLimits(time=9000), PlayerLimits(time=8000, increment=50), 1, "btime 9000 wtime 8000 binc 0 winc 50"),
    (PlayerLimits(time=9000), PlayerLimits(nodes=3), 0, "btime 9000 wtime 0 byoyomi 0"),
    (PlayerLimits(time=9000), PlayerLimits(nodes=3), 1, "nodes 3"),
    (PlayerLimits(byoyomi=10, depth=4), PlayerLimits(movetime=3), 0, "btime 0 wtime 0 byoyomi 10 depth 4"),
    (PlayerLimits(byoyomi=10, depth=4), PlayerLimits(movetime=3), 1, "movetime 3"),
    (None, PlayerLimits(time=700, increment=9), 1, "btime 0 wtime 700 binc 0 winc 9"),
])
def test_go(black: PlayerLimits | None, white: PlayerLimits, turn: int, expected: str) -> None:
    """An opponent without a clock is shown with 0."""
    assert go((PlayerClock(black) if black else None, PlayerClock(white)), turn) == expected


@each(("limits", "about"), [
    ({}, "nothing"), ({"nodes": 0}, "nothing"), ({"time": -1, "byoyomi": 5}, "nothing"),
    ({"byoyomi": 1, "increment": 1}, "byoyomi"), ({"time": 1, "movetime": 1}, "clock"),
])
def test_limits_that_cannot_be(limits: dict[str, int], about: str) -> None:
    with refused(about=about, limits=...):
        PlayerLimits(**limits)


def test_in_words() -> None:
    assert str(PlayerLimits(time=60000, byoyomi=500)) == "60 s + 0.5 s byoyomi"
    assert str(PlayerLimits(nodes=3000)) == "3000 nodes"
