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
    assert sorted(_order(position)) == expected
    assert sorted(_order(position, position._move16(rng.choice(expected)))) == expected


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
    order = _order(position, position._move16("5i4i"))
    assert order[:2] == ["5i4i", "5f5e"], "the table's move, then the capture that wins"


def test_safe_checks_come_first_among_quiet_moves() -> None:
    """The rook's checks from afar lose nothing; a gold dropped beside the king would be taken."""
    order = _order(Position("4k4/9/9/9/9/9/9/7R1/4K4 b G 1"))
    assert set(order[:2]) == {"2h2a+", "2h5h"}
    assert min(map(order.index, ("G*4a", "G*4b", "G*5b", "G*6a", "G*6b"))) > 10


def test_losing_captures_come_last() -> None:
    position = Position("4k4/9/4p4/4s4/9/4R4/9/9/4K4 b - 1")
    assert _order(position)[-1] == "5f5d"
