"""The loop heads that a value rests on (graph-history interaction)."""
from itertools import product

from tests.search_probes import heads_left


def test_heads_above_a_node_are_left_beyond_all_that_are_told_apart() -> None:
    """Heads from ply 63 on share a bit. No head above a node may be lost; one within its subtree is dropped where it
    can be told from those above."""
    for ply, head in product(range(1, 128), range(128)):
        left = heads_left([head], ply)
        if head < ply:
            assert left == [min(head, 63)]
        elif ply <= 63:
            assert left == []
