"""Counts of move sequences, against those that two other programs agree on."""

import pytest

from engine import Position
from engine.system.cpu import DEBUG

COUNTED_LEAVES = 5_000_000 if DEBUG else 100_000_000    # a debug build validates every node on the way
PLAYED_LEAVES = 200_000  # so many leaves at most are also made and unmade one by one


@pytest.mark.table("perft.tsv")
def test_counts(sfen: str, name: str, counts: str) -> None:
    expected = [count for count in map(int, counts.split()) if count <= COUNTED_LEAVES]
    position = Position(sfen)
    assert [position.perft(depth) for depth in range(1, len(expected) + 1)] == expected, name


@pytest.mark.slow
@pytest.mark.skipif(DEBUG, reason="a debug build validates every node on the way")
@pytest.mark.table("perft.tsv")
def test_counts_to_the_last(sfen: str, name: str, counts: str) -> None:
    *_, last = counts.split()
    assert int(last) <= COUNTED_LEAVES or Position(sfen).perft(len(counts.split())) == int(last), name


@pytest.mark.table("perft.tsv")
def test_counts_by_playing_every_leaf(sfen: str, name: str, counts: str) -> None:
    expected = [count for count in map(int, counts.split()) if count <= PLAYED_LEAVES]
    position = Position(sfen)
    assert [position.perft(depth, bulk=False) for depth in range(1, len(expected) + 1)] == expected, name


def test_depth_0_is_the_position_itself() -> None:
    assert Position().perft(0) == Position().perft(0, bulk=False) == 1


@pytest.mark.parametrize("depth", [-1, 247])
def test_impossible_depth_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=str(depth)):
        Position().perft(depth)


def test_divide_adds_up() -> None:
    position = Position()
    leaves = position.divide(4)
    assert sorted(leaves) == sorted(position.legal_moves())
    assert sum(leaves.values()) == 719_731
    assert set(position.divide(1).values()) == {1}
