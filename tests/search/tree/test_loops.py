"""The registry of loops: what it takes in, where it finds it again, and when it lets a bound be reused."""
from itertools import product

import pytest

from engine import Position
from tests.probes import raw
from tests.search.conftest import sfen_of
from tests.search_probes import Registry, Threads, heads_left

LOWER, UPPER = 0, 1
KINGS = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
KINGS_LAP = "5a5b 5h4h 5b5a 4h5h"       # after 5i5h
CHASE = "8k/9/9/9/7R1/9/9/9/K8 b 2g2s 1"
CHASE_LAP = "1a2a 1e2e 2a1a 2e1e"       # after 2e1e
DROPS = "4k4/9/9/9/9/9/9/9/4K4 b P 1"


def path(sfen: str, *moves: str) -> Position:
    return Position.from_usi(f"sfen {sfen} moves {' '.join(moves)}")


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture
def kings(registry: Registry) -> Registry:
    """A registry that knows the kings' lap, with a lower bound of 0 at depth 3 noted two plies below its head."""
    registry.register(path(KINGS, "5i5h", KINGS_LAP))
    registry.note(path(KINGS, "5i5h", "5a5b 5h4h"), [1], LOWER, 0, 3)
    return registry


@pytest.mark.parametrize(("sfen", "first", "lap", "kind"), [
    (KINGS, "5i5h", KINGS_LAP, "draw"),
    (CHASE, "2e1e", CHASE_LAP, "win"),
    (CHASE, "2e1e 1a2a", "1e2e 2a1a 2e1e 1a2a", "loss"),
    ("4k4/9/9/9/4p4/9/9/4P4/4K4 b - 1", "5i6h", "5a5b 6h5i 5b5a 5i6h", "draw"),
])
def test_a_lap_is_its_head_and_moves(registry: Registry, sfen: str, first: str, lap: str, kind: str) -> None:
    registry.register(path(sfen, first, lap))
    position = path(sfen, first)
    assert registry.laps == [(position.key, lap.split(), kind)]
    for offset, move in enumerate(lap.split()):
        assert registry.memberships(position.key) == [(0, offset)]
        position.push(move)
    assert registry.memberships(Position().key) == []


def test_a_dominated_hand_closes_a_loop(registry: Registry) -> None:
    """Black drops its pawn, White takes it, and the board is as before."""
    lap = "5a5b P*5c 5b5c 5h4h 5c5b 4h4g 5b5a 4g5h"
    registry.register(path(DROPS, "5i5h", lap))
    assert registry.laps == [(path(DROPS, "5i5h").key, lap.split(), "superior")]


def test_a_path_without_repetition_is_refused(registry: Registry) -> None:
    with pytest.raises(ValueError, match="5i5h"):
        registry.register(path(KINGS, "5i5h"))


def test_a_loop_is_taken_in_once_for_each_head(kings: Registry) -> None:
    kings.register(path(KINGS, "5i5h", KINGS_LAP))
    assert kings.counts["found"] == 1
    kings.register(path(KINGS, "5i5h 5a5b", "5h4h 5b5a 4h5h 5a5b"))
    assert kings.counts["found"] == 2
    assert sorted(kings.memberships(path(KINGS, "5i5h 5a5b").key)) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(("sfen", "moves", "head"), [
    (KINGS, "5i5h 5a5b 5h4h", 1),
    ("5k3/9/9/9/9/9/9/9/3K5 w - 1", "4a5a 6i5h 5a5b 5h4h", 2),
])
def test_reused_where_the_head_is_on_the_path(kings: Registry, sfen: str, moves: str, head: int) -> None:
    assert kings.reuse(path(sfen, moves), LOWER, 0, 3) == [head]
    assert (kings.counts["granted"], kings.counts["refused"]) == (1, 0)


@pytest.mark.parametrize(("sfen", "moves", "side", "value", "depth"), [
    ("4k4/9/9/9/9/9/9/9/5K3 w - 1", "5a5b 4i4h", LOWER, 0, 3),      # another way in, without the head
    ("4k4/9/9/9/9/9/9/4K4/9 w - 1", "5a5b 5h4h", LOWER, 0, 3),      # the head is the root
    (KINGS, "5i5h 5a5b 5h4h", UPPER, 0, 3),                         # not the bound that was noted
    (KINGS, "5i5h 5a5b 5h4h", LOWER, 1, 3),
    (KINGS, "5i5h 5a5b 5h4h", LOWER, 0, 4),
    (KINGS, "5i5h 5a5b", LOWER, 0, 3),                              # on the loop, but nothing noted
    (KINGS, "5i4h", LOWER, 0, 3),
])
def test_refused_elsewhere(kings: Registry, sfen: str, moves: str, side: int, value: int, depth: int) -> None:
    below = path(KINGS, "5i5h 5a5b 5h4h")
    for head in (0, 2):     # the game, and where no loop begins that is known: such bounds are not noted
        kings.note(below, [head], UPPER, 0, 3)
    assert kings.counts["noted"] == 1
    assert kings.reuse(path(sfen, moves), side, value, depth) == []
    assert (kings.counts["granted"], kings.counts["refused"]) == (0, 1)


def test_refused_where_one_of_two_heads_is_missing(kings: Registry) -> None:
    kings.register(path(KINGS, "5i5h 5a5b", "5h4h 5b5a 4h5h 5a5b"))
    below = "5i5h 5a5b 5h4h"
    kings.note(path(KINGS, below), [1, 2], LOWER, 0, 3)
    assert kings.reuse(path(KINGS, below), LOWER, 0, 3) == [1, 2]
    assert kings.reuse(path(KINGS, "5i5h 5a4a 5h4i 4a5b 4i4h"), LOWER, 0, 3) == []


OUT_AND_BACK = " 5b5a 4h4g 5a5b 4g4h"      # both kings, from two plies below the head


@pytest.mark.parametrize(("moves", "heads"), [
    ("5a5b 5h4h", [0]),                             # the game
    ("5a5b 5h4h", [2]),                             # no loop is known to begin there
    ("5a5b 5h4h" + 8 * OUT_AND_BACK, [1]),          # a head too far back for any lap
])
def test_a_bound_that_rests_on_something_unknown_takes_the_place_of_the_one_noted(
        kings: Registry, moves: str, heads: list[int]) -> None:
    """An equal value, such as that of a draw, need not rest on the same loops."""
    below = path(KINGS, "5i5h 5a5b 5h4h")
    assert kings.reuse(below, LOWER, 0, 3) == [1]
    again = path(KINGS, "5i5h", moves)
    assert again.key == below.key
    kings.note(again, heads, LOWER, 0, 3)
    assert kings.reuse(below, LOWER, 0, 3) == []


def test_a_bound_of_another_thread_is_not_taken_for_the_one_noted() -> None:
    """It may rest on other loops, which only that thread knows."""
    threads = Threads(Position(KINGS))
    below = "5i5h 5a5b 5h4h"
    assert threads.end(0, f"5i5h {KINGS_LAP}")
    threads.store(0, below, [1], 0, 3)
    assert threads.reused(0, below, 0, 3) == [1]
    threads.store(1, below, [2], 0, 3)
    assert threads.reused(0, below, 0, 3) == []
    threads.store(0, below, [1], 0, 3)
    assert threads.reused(0, below, 0, 3) == [1]


def test_heads_above_a_node_are_left_beyond_all_that_are_told_apart() -> None:
    """Heads from ply 63 on share a bit. No head above a node may be lost; one within its subtree is dropped where it
    can be told from those above."""
    for ply, head in product(range(1, 128), range(128)):
        left = heads_left([head], ply)
        if head < ply:
            assert left == [min(head, 63)]
        elif ply <= 63:
            assert left == []


def test_refused_where_checks_differ(registry: Registry) -> None:
    """Perpetual check depends on the whole lap: one quiet move after the head makes it a draw."""
    checking = path(CHASE, "2e1e 1a2a 1e2e")
    registry.register(path(CHASE, "2e1e", CHASE_LAP))
    registry.note(checking, [1], UPPER, -500, 3)
    quietly = path(CHASE, "2e1e 1a2a 1e3e 2a2b 3e4e 2b2a 4e2e")
    assert quietly.key == checking.key
    assert registry.reuse(quietly, UPPER, -500, 3) == []
    assert registry.reuse(checking, UPPER, -500, 3) == [1]


def test_a_path_back_to_a_loop_is_spliced_with_the_rest_of_it(kings: Registry) -> None:
    away, rest = "5a4a 5h4i 4a5b 4i4h", "5b5a 4h5h"
    position = path(KINGS, "5i5h", away)
    before = raw(position)
    assert kings.reuse(position, LOWER, 0, 3) == [1]
    assert raw(position) == before
    heir = path(KINGS, "5i5h 5a4a 5h4i")        # what inherits a value lies on the spliced loop
    kings.note(heir, [1], LOWER, 0, 5)
    assert kings.reuse(heir, LOWER, 0, 5) == [1]
    head = path(KINGS, "5i5h").key
    assert kings.laps[1:] == [(head, f"{away} {rest}".split(), "draw")]
    # It is the loop that playing it out would have found, place by place.
    kings.register(path(KINGS, "5i5h", away, rest))
    assert (kings.counts["found"], kings.counts["spliced"]) == (1, 1)
    position = path(KINGS, "5i5h")
    for offset, move in enumerate(kings.laps[1][1]):
        assert (1, offset) in kings.memberships(position.key)
        position.push(move)
    assert position.key == head


def test_no_loop_is_spliced_that_closes_before_its_head(kings: Registry) -> None:
    """The rest of the lap leads over a position that the path has passed."""
    crossing = path(KINGS, "5i5h 5a4a 5h4h 4a5a 4h4i 5a5b 4i4h")
    assert kings.reuse(crossing, LOWER, 0, 3) == [1]
    assert kings.counts["spliced"] == 0
    assert len(kings.laps) == 1


def test_a_long_loop_is_not_taken_in(registry: Registry) -> None:
    """Both kings walk once around two ranks, 18 moves each."""
    files = range(1, 10)
    walk = [f"{file}{{}}" for file in files]
    ring = [square.format("{a}") for square in walk] + [square.format("{b}") for square in reversed(walk)]
    black = [square.format(a="i", b="h") for square in ring]
    white = [square.format(a="b", b="a") for square in ring]
    moves = [side[i % 18] + side[(i + 1) % 18] for i in range(19) for side in (black, white)]
    registry.register(path("9/8k/9/9/9/9/9/9/8K b - 1", *moves[:37]))
    assert (registry.counts["dropped"], registry.laps) == (1, [])


def test_a_full_registry_stays_sound(kings: Registry) -> None:
    """Kings step aside and back everywhere. A full registry takes no more loops and loses none."""
    for file, rank, white_file, white_rank in product("2345678", "efgh", "2345678", "bc"):
        home, there = file + rank, white_file + white_rank
        for step, forward, white_step, back in product((-1, 1), (0, 1), (-1, 1), (0, -1)):
            away = f"{int(file) + step}{chr(ord(rank) + forward)}"
            aside = f"{int(white_file) + white_step}{chr(ord(white_rank) + back)}"
            start = sfen_of({home: "K", there: "k"})
            last = path(start, home + away, there + aside, away + home, aside + there, home + away)
            kings.register(last)
    assert kings.counts["dropped"] > 0
    kings.note(last, [1], LOWER, 0, 3)
    assert kings.reuse(last, LOWER, 0, 3) == []
    assert kings.reuse(path(KINGS, "5i5h 5a5b 5h4h"), LOWER, 0, 3) == [1]


def test_clearing_forgets_all(kings: Registry) -> None:
    kings.clear()
    assert kings.laps == []
    assert set(kings.counts.values()) == {0}
    assert kings.reuse(path(KINGS, "5i5h 5a5b 5h4h"), LOWER, 0, 3) == []
