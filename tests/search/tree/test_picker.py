"""The picker gives every move of the generators once, in the order of its stages."""
from random import Random

from engine import Position
from tests.each import each
from tests.probes import generate, is_legal16, move16, usi
from tests.search.conftest import Walk
from tests.search_probes import order


def generated(position: Position, *generators: str) -> list[str]:
    if position.in_check:
        generators = ("evasions",)
    return sorted(move for name in generators for move in generate(position, name))


@each("seed", range(60))
def test_every_move_comes_once(walk: Walk, seed: int) -> None:
    position = walk(seed, 3 * seed)
    rng = Random(seed)
    expected = generated(position, "captures", "quiets")
    assert sorted(order(position)) == expected
    assert sorted(order(position, move16(rng.choice(expected)))) == expected
    assert sorted(order(position, quiescence=True)) == generated(position, "captures")


@each("seed", range(0, 60, 10))
def test_any_sixteen_bits_may_come_from_the_table(walk: Walk, seed: int) -> None:
    position = walk(seed, 3 * seed)
    rng = Random(seed)
    for _ in range(20):
        torn = rng.randrange(1 << 16)
        legal = [usi(torn)] if is_legal16(position, torn) else []
        assert sorted({*order(position, torn)}) == sorted({*generated(position, "captures", "quiets"), *legal})
        assert set(order(position, torn, quiescence=True)) <= {*generated(position, "captures"), *legal}


def test_order_of_stages() -> None:
    position = Position("4k4/9/4p4/9/4g4/4S4/9/1R7/4K4 b - 1")
    given = order(position, move16("5i4i"))
    assert given[:2] == ["5i4i", "5f5e"], "the table's move, then the capture that wins"
    assert order(Position("4k4/9/4p4/4s4/9/4R4/9/9/4K4 b - 1"))[-1] == "5f5d", "captures that lose come last"


def test_safe_checks_come_first_among_quiet_moves() -> None:
    """The rook's checks from afar lose nothing; a gold dropped next to the king would be captured."""
    given = order(Position("4k4/9/9/9/9/9/9/7R1/4K4 b G 1"))
    assert set(given[:2]) == {"2h2a+", "2h5h"}
    assert min(map(given.index, ("G*4a", "G*4b", "G*5b", "G*6a", "G*6b"))) > 10
