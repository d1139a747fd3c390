"""Time budgets from clocks."""
from dataclasses import replace

import pytest

from search.clock import Budget, Instability, Lateness, budget
from search.limits import Clock, Settings, TimeLimit
from tests.each import each

SETTINGS = Settings()
BARE = Settings(network_delay=0, network_delay2=0, minimum_thinking_time=0, round_up_to_full_second=False)


def budget_of(time: TimeLimit, settings: Settings = SETTINGS, ply: int = 1) -> Budget:
    return budget(time, settings, 0, ply)


@each("byoyomi", [10, 50, 100, 200, 1000, 3000, 10000, 30000, 60000])
def test_byoyomi_is_used_but_for_the_delay(byoyomi: int) -> None:
    found = budget_of(Clock(byoyomi=byoyomi))
    assert found.optimum == found.maximum < byoyomi
    assert found.maximum >= max(byoyomi - SETTINGS.network_delay2, byoyomi // 2)


@each("given", [2, 10, 100, 1000, 60_000])
def test_a_fixed_time_is_used_but_for_the_answer(given: int) -> None:
    found = budget_of(given)
    assert found.least == found.optimum == found.maximum
    assert 0.9 * given - 1 <= found.maximum <= given
    assert found.maximum < given or given < 10
    assert budget_of(1).maximum == 1


def test_without_delays_all_but_a_little_is_used() -> None:
    """A shorter byoyomi has a smaller reserve, always below a tenth of it."""
    byoyomis = (100, 1000, 10_000, 60_000)
    kept = [byoyomi - budget_of(Clock(byoyomi=byoyomi), BARE).maximum for byoyomi in byoyomis]
    assert kept == sorted(kept)
    assert all(0 < little < byoyomi / 10 for little, byoyomi in zip(kept, byoyomis, strict=True))


@each(("byoyomi", "late"), [(100, 0.2), (100, 20), (100, 90), (1000, 60)])
def test_the_reserve_covers_the_delays_of_the_machine(byoyomi: int, late: float) -> None:
    """The reserve is more than the delay seen, because the next may be longer, but at most half of the byoyomi."""
    lateness = Lateness()
    lateness.note(late)
    limit = Clock(byoyomi=byoyomi)
    kept = byoyomi - budget_of(limit, replace(BARE, lateness=lateness.margin)).maximum
    assert min(late, byoyomi / 2) <= kept <= byoyomi / 2
    assert kept > late or kept == byoyomi / 2
    for _ in range(500):
        lateness.note(0.2)
    assert budget_of(limit, replace(BARE, lateness=lateness.margin)).maximum >= 0.9 * byoyomi
    assert budget_of(limit, Settings(lateness=5)) == budget_of(limit)     # the delay set up is more than that


@each("clock", [0, 1, 20, 500, 2000, 60_000, 3_600_000])
@each("increment", [0, 100, 10_000])
@each("byoyomi", [0, 200, 10_000])
@each("ply", [1, 60, 300])
def test_never_more_than_there_is(clock: int, increment: int, byoyomi: int, ply: int) -> None:
    limit = Clock((clock, clock), increment=(increment, increment), byoyomi=byoyomi)
    found = budget_of(limit, ply=ply)
    there_is = max(clock, increment) + byoyomi
    assert 1 <= found.optimum <= found.maximum <= max(there_is, 1)
    if there_is >= 2 * SETTINGS.network_delay2:
        assert found.maximum <= there_is - SETTINGS.network_delay2


def test_main_time_is_spread_over_the_game() -> None:
    """Each side has its own main time."""
    found = budget_of(Clock((600_000, 60_000)))
    assert found == budget_of(Clock((600_000, 600_000)))
    assert 600_000 / 100 < found.optimum < 600_000 / 20
    assert found.maximum <= 600_000 * 0.3
    assert budget(Clock((600_000, 60_000)), SETTINGS, 1, 1).optimum < found.optimum


@each("settings", [SETTINGS, BARE])
@each(("clock", "increment"), [(1000, 20), (3000, 0), (10_000, 0), (60_000, 0), (600_000, 0)])
@each("strain", [1, 1.6])        # how much more than its optimum a search takes if it may
def test_a_clock_lasts_for_a_very_long_game(clock: int, increment: int, settings: Settings, strain: float) -> None:
    left, used = clock, 0
    for ply in range(1, 400, 2):
        found = budget_of(Clock((left, left), increment=(increment, increment)), settings, ply)
        overhead = 4        # ms to read the command, start a thread and write the answer
        taken = found.stretched(round(strain * found.optimum), settings) + overhead
        left += increment - taken
        used += taken * (ply < 120)
        assert left > (100 if increment else 0), f"hardly any time left at ply {ply}"
    assert used > (clock + 60 * increment) / 2, "time that was never used"


def test_small_main_time_goes_with_the_byoyomi() -> None:
    found = budget_of(Clock((5000, 5000), byoyomi=10_000))
    assert found.optimum == found.maximum == 15_000 - SETTINGS.network_delay2


@each("clock", [1, 100, 500, 1000, 1100, 1200, 2000])
@each("byoyomi", [500, 1000, 1500, 2000, 3000])
def test_main_time_that_runs_out_keeps_the_delay_in_hand(clock: int, byoyomi: int) -> None:
    delay, alone = SETTINGS.network_delay2, budget_of(Clock(byoyomi=byoyomi)).maximum
    found = budget_of(Clock((clock, clock), byoyomi=byoyomi)).maximum
    assert clock + byoyomi - found >= min(delay, clock + byoyomi - alone)
    assert found >= min(alone, clock + byoyomi - delay)
    assert (clock, byoyomi) != (1000, 1000) or found == 2000 - delay


def test_slow_mover() -> None:
    limit = Clock((600_000, 600_000))
    assert budget_of(limit, Settings(slow_mover=200)).optimum == pytest.approx(2 * budget_of(limit).optimum, abs=2)


def test_the_minimum_is_taken_less_the_delay() -> None:
    limit = Clock((120_000, 120_000))
    for delay in (0, 400):
        settings = Settings(minimum_thinking_time=1500, slow_mover=10, network_delay=delay, network_delay2=0)
        assert budget_of(limit, settings).optimum == 1500 - delay
    assert budget_of(limit, replace(settings, minimum_thinking_time=0)).optimum < 1000


def test_full_seconds() -> None:
    settings = Settings(network_delay=120)
    assert Budget(1000, 60_000).stretched(1500, settings) == 1880
    assert Budget(1000, 60_000).stretched(1881, settings) == 2880
    assert Budget(1000, 1600).stretched(1500, settings) == 1600
    assert Budget(1000, 60_000).stretched(1500, replace(settings, round_up_to_full_second=False)) == 1500
    long, short = (budget_of(Clock((clock, clock))) for clock in (600_000, 3000))
    assert long.stretched(500, SETTINGS) == 1000 - SETTINGS.network_delay
    assert short.stretched(50, SETTINGS) == 50, "the clock has not enough of them"


def test_unrest() -> None:
    search = Instability()
    factors = [search.after("7g7f", 30) for _ in range(9)]
    assert factors == sorted(factors, reverse=True), "each iteration confirms the move"
    assert factors[0] > 1 > factors[2]
    assert 0 < factors[-1] == factors[-2] < factors[0] / 2
    changed = search.after("2g2f", 30)
    assert changed > factors[0], "the best move has changed"
    assert search.after("2g2f", -170) > changed, "the score has fallen"
