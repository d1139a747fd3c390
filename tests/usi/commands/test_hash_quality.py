"""The hash statistics of `engine ttstats`: formulas, ideal keys that must pass, and broken keys that must fail."""
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice

import pytest

from engine import Position
from search.counted import CAUSES, search_counted, visit_counted
from tests.search.conftest import MIDDLE_GAME
from tt.table import TranspositionTable
from usi.commands.ttstats.quality import Departures, Quality, expected_cases

EMPTY, OTHER_HASH, OTHER_CHECK, HIT = range(4)
ENTRIES = 1 << 16       # of a table of 1 MB


def case_of(bucket: tuple[int, ...], slots: int, key: int, check_bits: int) -> int:
    """The case by its definition, for stored bits whose hash part is above the check code."""
    if key in bucket:
        return HIT
    if len(bucket) < slots:
        return EMPTY
    return OTHER_CHECK if key >> check_bits in {entry >> check_bits for entry in bucket} else OTHER_HASH


@pytest.mark.parametrize(("fill", "hash_bits", "check_bits"), [
    ([3, 5], 2, 2),
    ([1, 2, 3, 4, 5], 1, 3),
    ([0, 0, 0, 1], 3, 1),
    ([7, 0, 1, 0, 2], 2, 2),
])
def test_expectation_equals_the_average_over_all_buckets(fill: list[int], hash_bits: int, check_bits: int) -> None:
    codes = range(1 << hash_bits + check_bits)
    slots = len(fill) - 1
    average = [0.0] * 4
    for filled, buckets in enumerate(fill):
        outcomes = [case_of(bucket, slots, key, check_bits) for bucket in combinations(codes, filled) for key in codes]
        for case in range(4):
            average[case] += buckets / sum(fill) * outcomes.count(case) / len(outcomes)
    assert expected_cases(fill, hash_bits, check_bits) == pytest.approx(average)


def test_expectation_with_one_entry_to_a_bucket() -> None:
    load, r, c = 0.375, 8, 24
    assert expected_cases([625, 375], r, c) == pytest.approx(
        (1 - load, load * (1 - 2**-r), load * 2**-r * (1 - 2**-c), load * 2 ** -(r + c)))


def splitmix(seed: int) -> Iterator[int]:
    """64-bit keys as good as any."""
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & (1 << 64) - 1
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        yield mixed ^ mixed >> 31


def counted(visits: Iterable[tuple[int, int]]) -> Quality:
    departures = Departures(1)
    return departures.quality(visit_counted(visits, TranspositionTable(1), departures.leave))


@cache
def visited(count: int, seed: int) -> list[int]:
    """Visits to `count` different positions, each a random number; a third of the visits repeat earlier ones."""
    choose = random.Random(seed)
    positions: list[int] = []
    visits: list[int] = []
    for position in islice(splitmix(seed), count):
        positions.append(position)
        visits.append(position)
        if len(positions) % 2:
            visits.append(choose.choice(positions))
    return visits


@cache
def with_ideal_keys(count: int, seed: int) -> Quality:
    return counted((position, position) for position in visited(count, seed))


@pytest.fixture(params=range(3))
def ideal(request: pytest.FixtureRequest) -> Quality:
    return with_ideal_keys(2 * ENTRIES, request.param)


def test_ideal_keys_are_sound(ideal: Quality) -> None:
    assert ideal.verdict == "sound"
    assert abs(ideal.z) < 4
    assert [z is not None for z in ideal.z_by_case] == [True, True, True, False]
    assert abs(ideal.chi2 - 255) < 4 * (2 * 255) ** 0.5
    assert ideal.false_hits == 0


def test_counts_add_up(ideal: Quality) -> None:
    assert ideal.moves == ideal.references == 3 * ENTRIES
    assert sum(ideal.first) == 2 * ENTRIES == sum(ideal.blocks)
    assert sum(ideal.expected) == pytest.approx(sum(ideal.first))
    assert ideal.cases[EMPTY] == ideal.first[EMPTY] == ideal.used, "what was found empty has been filled"
    assert ideal.cases[HIT] > 0 == ideal.first[HIT]


def test_expected_use(ideal: Quality) -> None:
    """The number of used entries varies less than with independent entries."""
    assert abs(ideal.used - ideal.expected_used) < 4 * (ENTRIES / 4) ** 0.5
    slots = replace(ideal, slots=1)
    assert slots.expected_used == pytest.approx(ENTRIES * (1 - (1 - 1 / ENTRIES) ** (2 * ENTRIES)))


def test_repeats_would_make_ideal_keys_look_broken(ideal: Quality) -> None:
    """An evicted key returns to a full bucket, so repeated visits are not counted."""
    share = sum(ideal.cases) / sum(ideal.first)
    counted = replace(ideal, first=ideal.cases, expected=tuple(share * mean for mean in ideal.expected),
                      variance=tuple(share * variance for variance in ideal.variance))
    assert abs(counted.z) > 20


@pytest.mark.parametrize(("flaw", "fault"), [
    (lambda key: key & ~0xFFFF | key >> 48, "proportions"),             # low bits repeat high ones
    (lambda key: key & ~0xFF | key >> 4 & 0xF, "proportions"),          # half of the hash bits are stuck
    (lambda key: key | 0xFFFFFF << 16, "another position's"),           # most of the check code is
    (lambda key: key & ~(1 << 60) | (key & 1 << 61) >> 1, "unevenly"),  # only half of the table is used
])
def test_broken_keys_are_flagged(flaw: Callable[[int], int], fault: str) -> None:
    quality = counted((flaw(position), position) for position in visited(2 * ENTRIES, 0))
    assert quality.verdict == "broken"
    assert any(fault in found for found in quality.faults)


def test_false_hits_are_counted_one_by_one() -> None:
    key = 0x0123456789ABCDEF
    counts = counted([
        (key, 1),
        (key, 1),               # its own entry
        (key, 2),               # another position with the very same key
        (key ^ 1 << 44, 3),     # and one that differs only in bits that are not stored
    ])
    assert (counts.references, counts.false_hits, counts.collisions) == (4, 2, 1)
    assert counts.cases == (1, 0, 0, 3)
    assert counts.first == (1, 0, 0, 2)


def test_few_keys_decide_nothing_and_one_chance_hit_is_no_fault() -> None:
    few = with_ideal_keys(100, 0)
    assert (few.verdict, few.z) == ("undecided", 0)
    sound = with_ideal_keys(2 * ENTRIES, 1)
    assert replace(sound, false_hits=1, expected_false_hits=1e-3).verdict == "sound"
    assert replace(sound, false_hits=2, expected_false_hits=1e-3).verdict == "broken"


def test_one_search_counts_at_a_time_and_says_what_stopped_it() -> None:
    """Its table is free after that, and keys are what they were."""
    table = TranspositionTable(1)
    key = Position().key

    def count_again(*_: int) -> None:
        search_counted([Position()], 1, TranspositionTable(1), print)

    for _ in range(2):
        with pytest.raises(RuntimeError, match="another search is counting"):
            search_counted([Position()], 3, table, count_again, "hand")
    with pytest.raises(ValueError, match="'foot'"):
        search_counted([Position()], 1, table, print, "foot")
    table.clear()
    assert Position().key == key


def test_contradictions_by_cause() -> None:
    """Each position is searched twice, so some bounds are old. Pieces can shuttle, so some positions repeat."""
    positions = [Position(sfen) for sfen in ("7k1/8p/6S2/6L2/9/9/3b5/9/K8 b - 1", MIDDLE_GAME) for _ in range(2)]
    counts = search_counted(positions, 9, TranspositionTable(4), lambda *_: None)
    assert all(counts["contradictions"][cause] > 0 for cause in CAUSES)
