"""Quiescence search: which captures it leaves out."""
import pytest

from engine import Position
from tests.probes import Tree


@pytest.mark.parametrize("sfen", [
    "4k4/8p/9/9/9/9/9/9/4K3R w - 1",        # on 1b, which a null move's bits name as its target
    "4k4/7p1/9/9/9/9/9/9/4K2R1 w - 1",
])
def test_after_a_pass_no_capture_takes_back(sfen: str) -> None:
    """A pawn cannot bring the value near alpha, and takes nothing back, wherever it stands."""
    tree = Tree({"table": 0})
    _, nodes = tree.search(Position(sfen), ["pass"], 20000, 20001, 0, quiescence=True)
    assert nodes == 0


def test_a_capture_that_takes_back_is_tried() -> None:
    tree = Tree({"table": 0})
    position = Position("4k4/8r/8P/9/9/9/9/9/4K3R w - 1")
    _, nodes = tree.search(position, ["1b1c"], 20000, 20001, 0, quiescence=True)
    assert nodes > 0
