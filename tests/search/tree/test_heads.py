"""The loop heads that a value rests on (graph-history interaction)."""
from itertools import product

from tests.search_probes import heads_left


def test_no_loop_head_above_a_node_is_lost() -> None:
    """All heads from ply 63 on share one bit. Heads above the node are always kept. A head within its subtree is
    dropped unless it shares its bit with heads above."""
    for ply, head in product(range(1, 128), range(128)):
        left = heads_left([head], ply)
        if head < ply:
            assert left == [min(head, 63)]
        elif ply <= 63:
            assert left == []
