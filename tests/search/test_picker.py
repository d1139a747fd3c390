"""The picker gives every move of the generators once, in the order of its stages."""
from collections.abc import Callable
from random import Random

import pytest

from engine import Position
from search.picker import _order

Walk = Callable[[int, int], Position]


def generated(position: Position, *generators: str) -> list[str]:
    if position.in_check:
        generators = ("evasions",)
    return sorted(move for name in generators for move in position._generate(name))


@pytest.mark.parametrize("seed", range(60))
def test_every_move_comes_once(walk: Walk, seed: int) -> None:
    position = walk(seed, 3 * seed)
    rng = Random(seed)
    expected = generated(position, "captures", "quiets")
    table_move, first, second = (position._move16(rng.choice(expected)) for _ in range(3))
    assert sorted(_order(position)) == expected
    assert sorted(_order(position, table_move)) == expected
    if first != second:
        assert sorted(_order(position, table_move, (first, second))) == expected


@pytest.mark.parametrize("seed", range(60))
def test_any_sixteen_bits_may_come_from_the_table(walk: Walk, seed: int) -> None:
    position = walk(seed, 3 * seed)
    rng = Random(seed)
    for _ in range(50):
        torn = rng.randrange(1 << 16)
        legal = [position._usi(torn)] if position._is_legal16(torn) else []
        assert sorted({*_order(position, torn)}) == sorted({*generated(position, "captures", "quiets"), *legal})
        assert set(_order(position, torn, qsearch=True)) <= {*generated(position, "captures"), *legal}


@pytest.mark.parametrize("seed", range(60))
def test_quiescence_gives_captures(walk: Walk, seed: int) -> None:
    position = walk(seed, 3 * seed)
    assert sorted(_order(position, qsearch=True)) == generated(position, "captures")


def test_order_of_stages() -> None:
    position = Position("4k4/9/4p4/9/4g4/4S4/9/1R7/4K4 b - 1")
    table_move, killer = position._move16("5i4i"), position._move16("5i6i")
    order = _order(position, table_move, (killer, 0))
    assert order[:3] == ["5i4i", "5f5e", "5i6i"], "the table's move, the capture that wins, the killer"


def test_losing_captures_come_last() -> None:
    position = Position("4k4/9/4p4/4s4/9/4R4/9/9/4K4 b - 1")
    assert _order(position)[-1] == "5f5d"
