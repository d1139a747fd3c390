"""Static exchange evaluation on exchanges that can be counted by hand.

Pawn 100, silver 540, gold 600, bishop 900, rook 1050; a captured piece counts twice, once lost and once gained in hand.
"""
import pytest

from engine import Position
from tests.search_probes import Tree, sees


@pytest.mark.parametrize(("sfen", "move", "value"), [
    pytest.param("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1", "5f5e", 200, id="undefended pawn"),
    pytest.param("4k4/9/9/4g4/4p4/4R4/9/9/4K4 b - 1", "5f5e", 200 - 2100, id="rook takes a guarded pawn"),
    pytest.param("4k4/9/9/4g4/4p4/4P4/9/9/4K4 b - 1", "5f5e", 0, id="pawns exchanged"),
    pytest.param("4k4/9/9/4g4/4p4/4P4/4R4/9/4K4 b - 1", "5f5e", 200, id="the rook behind the pawn guards it"),
    pytest.param("4k4/4r4/9/4g4/4p4/4P4/4R4/9/4K4 b - 1", "5f5e", 0, id="and the rook behind the gold takes part"),
    pytest.param("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5e", 0, id="drop on a free square"),
    pytest.param("4k4/9/9/4p4/9/9/9/9/4K4 b G 1", "G*5e", -1200, id="drop before a pawn"),
    pytest.param("4k4/9/9/4p4/9/4P4/9/9/4K4 b G 1", "G*5e", -1000, id="the guard takes a pawn for it"),
    pytest.param("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", 60, id="promotion on a free square"),
    pytest.param("9/4k4/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", 60 - 1140, id="promotion where the king takes"),
    pytest.param("9/4k4/9/4S4/2B6/9/9/9/4K4 b - 1", "5d5c+", 60, id="the king may not take what is guarded"),
    pytest.param("4k4/9/9/9/4+p4/4P4/9/9/4K4 b - 1", "5f5e", 700, id="a promoted pawn is a pawn in hand"),
])
def test_value(sfen: str, move: str, value: int) -> None:
    position = Position(sfen)
    assert sees(position, move, value)
    assert not sees(position, move, value + 1)


# -- Quiescence search: ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("sfen", "last", "tried"), [
    ("4k4/8p/9/9/9/9/9/9/4K3R w - 1", "pass", False),       # on 1b, which a null move's bits name as its target
    ("4k4/7p1/9/9/9/9/9/9/4K2R1 w - 1", "pass", False),
    ("4k4/8r/8P/9/9/9/9/9/4K3R w - 1", "1b1c", True),       # but a capture that takes back is tried
])
def test_after_a_pass_no_capture_takes_back(sfen: str, last: str, tried: bool) -> None:
    """After a pass no capture counts as a recapture, so a pawn's, which stays far below alpha, is not tried."""
    _, nodes = Tree({"table": 0}).search(Position(sfen), [last], 20000, 20001, 0, quiescence=True)
    assert (nodes > 0) == tried
