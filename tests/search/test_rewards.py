"""What a search learns while it runs."""
import pytest

from engine import Position
from search.parameters import DEFAULTS, SWITCH
from tests.probes import Tree, key_after, store

ALONE = {name: int(name == "use_correction") for name in DEFAULTS if name.startswith(SWITCH)}


@pytest.mark.parametrize("rate", [139, 400, 100_000])
@pytest.mark.parametrize("depth", [1, 246])
def test_a_correction_points_the_way_of_the_error(depth: int, rate: int) -> None:
    """However large the error, the depth and the rate. By the table every move is worth far more than material says."""
    root = Position("4k4/9/9/9/9/9/9/9/4K4 w - 1")
    node = root.copy()
    node.push("5a4a")
    tree = Tree({**ALONE, "correction_rate": rate})
    for move in node.legal_moves():
        store(tree.table, key_after(node, move), upper=-26000, depth=250)
    assert tree.search(root, ["5a4a"], 25000, 25001, depth) == (26000, 1)
    tree.search(root, ["5a4a"], 26500, 26501, 1)        # which the table does not answer
    assert tree.evaluation > 0
