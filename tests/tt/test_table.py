"""The table: probe rule, two bounds, contradictions, replacement, memory."""
from itertools import product
from typing import Any

import pytest

import engine.system.memory
import tt.table
from tests.each import each
from tests.faults import refused
from tests.probes import bounds, bounds_cutoff, probe, store, tear
from tt.table import TranspositionTable

SEARCH, FAIL_LOW, FAIL_HIGH = range(3)
INFINITE = 32001
KEY = 0x0123456789ABCDEF


# Every order, ties included, of lower <= upper and alpha < beta.
ORDERINGS = [(lower, upper, alpha, beta) for lower, upper, alpha, beta in product(range(4), repeat=4)
             if lower <= upper and alpha < beta]


def by_table(lower: int, upper: int, alpha: int, beta: int) -> tuple[int, int | None]:
    """Answer and value, read off the table of cases row by row."""
    rows = [
        (upper <= alpha, (FAIL_LOW, upper)),
        (lower >= beta, (FAIL_HIGH, lower)),
        (lower < beta and upper > alpha, (SEARCH, None)),
    ]
    outcomes = [outcome for holds, outcome in rows if holds]
    assert len(outcomes) == 1, "the rows neither overlap nor leave a case out"
    return outcomes[0]


@each(("lower", "upper", "alpha", "beta"), ORDERINGS)
def test_probe_rule(lower: int, upper: int, alpha: int, beta: int) -> None:
    answer, value = by_table(lower, upper, alpha, beta)
    cutoff = bounds_cutoff(lower, upper, alpha, beta)
    assert cutoff["answer"] == answer
    if value is not None:
        assert cutoff["value"] == value


@pytest.fixture
def table() -> TranspositionTable:
    return TranspositionTable(1)


def entry_of(table: TranspositionTable) -> Any:
    entry = probe(table, KEY)
    assert entry is not None
    return entry


def test_entry_comes_back(table: TranspositionTable) -> None:
    assert probe(table, KEY) is None
    store(table, KEY, move=0xFFFF, evaluation=-123, lower=-31000, upper=31000, depth=7, on_pv=True)
    entry = entry_of(table)
    assert (entry["move"], entry["evaluation"], entry["lower"], entry["upper"]) == (0xFFFF, -123, -31000, 31000)
    assert probe(table, KEY ^ 1) is None
    store(table, KEY, lower=5, depth=8)
    assert entry_of(table)["move"] == 0xFFFF, "the old move stays without a new one"


LOWEST, HIGHEST = -INFINITE, INFINITE


@each(("stores", "depths"), [
    ([{"lower": 10, "depth": 9}, {"upper": 50, "depth": 7}], {7: (10, 50), 8: (10, HIGHEST), 10: (LOWEST, HIGHEST)}),
    ([{"evaluation": 55, "depth": 0}], {0: (LOWEST, HIGHEST)}),
    ([{"lower": 31990, "upper": 31990, "depth": 1}], {100: (31990, HIGHEST)}),      # a proven mate serves any depth
    ([{"lower": -31990, "upper": -31990, "depth": 1}], {100: (LOWEST, -31990)}),
    ([{"lower": 60, "depth": 8}, {"upper": 50, "depth": 8}], {8: (LOWEST, 50)}),    # an upper bound contradicts it
])
def test_bounds(table: TranspositionTable, stores: list[dict[str, Any]], depths: dict[int, tuple[int, int]]) -> None:
    """Each has its own depth."""
    table.clear()
    for stored in stores:
        store(table, KEY, **stored)
    assert {depth: bounds(table, KEY, depth) for depth in depths} == depths
    assert entry_of(table)["evaluation"] == stores[0].get("evaluation", entry_of(table)["evaluation"])


def test_much_shallower_bound_does_not_replace(table: TranspositionTable) -> None:
    store(table, KEY, lower=10, depth=12)
    store(table, KEY, lower=20, depth=3)
    assert bounds(table, KEY, 12) == (10, INFINITE)
    table.new_search()
    store(table, KEY, lower=20, depth=3)
    assert bounds(table, KEY, 3) == (20, INFINITE)


@each(("stored", "again"), [
    ({"depth": 8}, False), ({"depth": 7}, False), ({"depth": 8}, True), ({"depth": 8, "on_path": True}, False),
])
def test_contradictions(table: TranspositionTable, stored: dict[str, Any], again: bool) -> None:
    """The new bound stays, the old one goes, and the event is counted: by selection, depth, age, and path."""
    table.clear()
    store(table, KEY, upper=50, **stored)
    if again:
        table.new_search()
    assert store(table, KEY, lower=60, depth=8) == 1
    assert bounds(table, KEY, 8) == (60, INFINITE)
    assert store(table, KEY, lower=60, upper=60, depth=8) == 0


def test_path_dependent_bound_is_kept_but_does_not_serve(table: TranspositionTable) -> None:
    store(table, KEY, move=9, lower=60, depth=8, on_path=True)
    assert bounds(table, KEY, 0) == (-INFINITE, INFINITE)
    entry = probe(table, KEY)
    assert entry is not None
    assert (entry["move"], entry["lower"]) == (9, 60)
    store(table, KEY, lower=40, depth=2)
    assert bounds(table, KEY, 2) == (40, INFINITE), "a clean bound displaces it, however shallow"
    store(table, KEY, lower=90, depth=20, on_path=True)
    assert bounds(table, KEY, 2) == (40, INFINITE), "and is not displaced by it"


def same_bucket(count: int) -> list[int]:
    """Keys with the same high bits, which decide the bucket."""
    return [KEY + i for i in range(count)]


def test_shallowest_of_a_bucket_gives_way(table: TranspositionTable) -> None:
    *first, last = same_bucket(5)
    for key, depth in zip(first, (9, 3, 8, 7), strict=True):
        store(table, key, lower=0, depth=depth)
    store(table, last, lower=0, depth=1)
    assert [probe(table, key) is not None for key in [*first, last]] == [True, False, True, True, True]


def test_entries_age(table: TranspositionTable) -> None:
    *first, last = same_bucket(5)
    store(table, first[0], lower=0, depth=9)
    for _ in range(3):
        table.new_search()
    for key in first[1:]:
        store(table, key, lower=0, depth=2)
    store(table, last, lower=0, depth=1)
    assert probe(table, first[0]) is None


def test_hashfull_counts_the_present_search(table: TranspositionTable) -> None:
    assert table.hashfull == 0
    for i in range(1 << 16):
        store(table, i << 48 | i % 4, lower=0, depth=1)
    assert table.hashfull == 1000
    table.new_search()
    assert table.hashfull == 0


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_clear(table: TranspositionTable, threads: int) -> None:
    keys = [i << 48 for i in range(0, 1 << 16, 97)]
    for key in keys:
        store(table, key, lower=0, depth=1)
    table.clear(threads)
    assert not any(probe(table, key) for key in keys)


def test_resize_takes_the_largest_that_can_be_had(table: TranspositionTable, monkeypatch: pytest.MonkeyPatch) -> None:
    store(table, KEY, lower=0, depth=1)
    assert table.resize(3) == table.megabytes == 3
    assert probe(table, KEY) is None
    monkeypatch.setattr(engine.system.memory, "available_megabytes", lambda: 32)
    assert table.resize(1 << 20) == 16
    store(table, KEY, lower=0, depth=1)
    assert probe(table, KEY)
    with refused(size=0):
        table.resize(0)


def test_without_memory_there_is_still_a_table(table: TranspositionTable, monkeypatch: pytest.MonkeyPatch) -> None:
    store(table, KEY, lower=0, depth=1)
    with monkeypatch.context() as short:
        short.setattr(tt.table, "largest_table_megabytes", lambda: 0)
        with pytest.raises(MemoryError, match="1 MB"):
            table.resize(4)
    assert table.megabytes == 0
    assert table.hashfull == 0
    assert probe(table, KEY) is None
    store(table, KEY, lower=0, depth=1)
    assert probe(table, KEY)
    table.clear(2)
    assert probe(table, KEY) is None
    assert table.resize(1) == 1


def test_a_torn_entry_is_not_found(table: TranspositionTable) -> None:
    """Two threads have written at once and left half of each entry."""
    other = ~KEY & (1 << 64) - 1
    store(table, KEY, move=77, lower=10, depth=5)
    store(table, other, move=78, lower=2000, depth=9)
    tear(table, KEY, other)
    assert probe(table, KEY) is None
    assert probe(table, other)
