"""Histories and corrections learned during a search."""
from random import Random

import pytest

from engine import Position
from search.parameters import DEFAULTS, SWITCH
from tests.probes import key_after, store
from tests.search_probes import Tree, correction_keys

OFF = {name: 0 for name in DEFAULTS if name.startswith(SWITCH)}


@pytest.mark.parametrize("rate", [139, 400, 32_000])
@pytest.mark.parametrize("depth", [1, 246])
def test_a_correction_points_the_way_of_the_error(depth: int, rate: int) -> None:
    """For any error, depth and rate. The table values every move far above its material."""
    root = Position("4k4/9/9/9/9/9/9/9/4K4 w - 1")
    node = root.copy()
    node.push("5a4a")
    tree = Tree({**OFF, "use_correction": 1, "correction_rate": rate})
    for move in node.legal_moves():
        store(tree.table, key_after(node, move), upper=-26000, depth=250)
    assert tree.search(root, ["5a4a"], 25000, 25001, depth) == (26000, 1)
    tree.search(root, ["5a4a"], 26500, 26501, 1)        # which the table does not answer
    assert tree.evaluation > 0


ROOK_AT_HOME = "4k4/9/9/9/9/9/6PPP/9/R3K4 w - 1"
ROOK_OUT = "4k4/9/9/9/8R/9/6PPP/9/7K1 w - 1"
OTHER_PAWNS = "4k4/9/9/9/8R/9/PPP6/9/7K1 w - 1"


def moves_until_cutoff(tree: Tree, sfen: str, cutting: str) -> int:
    """The number of moves that a search plays until it reaches `cutting`, which the table knows to be good enough."""
    root = Position(sfen)
    node = root.copy()
    node.push("5a4a")
    tree.table.clear()
    store(tree.table, key_after(node, cutting), upper=-26000, depth=250)
    return tree.search(root, ["5a4a"], 25000, 25001, 3)[1]


@pytest.mark.parametrize("used", [0, 1])
def test_a_quiet_move_that_cuts_off_is_remembered_with_its_pawns(used: int) -> None:
    """The rook comes from elsewhere, so that the other histories have not seen its move."""
    for sfen, known in ((ROOK_OUT, bool(used)), (OTHER_PAWNS, False)):
        tree = Tree({**OFF, "use_pawn_history": used})
        assert moves_until_cutoff(tree, ROOK_AT_HOME, "9i9e") > 1
        assert (moves_until_cutoff(tree, sfen, "1e9e") == 1) == known


# -- Correction keys: --------------------------------------------------------------------------------------------------

PAWNS, MINORS, BLACK_PIECES, WHITE_PIECES = range(4)


def test_keys_follow_the_moves() -> None:
    rng = Random(1)
    for _ in range(20):
        position = Position()
        moves: list[str] = []
        while len(moves) < 120 and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position.push(moves[-1])
        assert correction_keys(Position(), moves) == correction_keys(position, [])


def test_each_key_is_of_its_pieces_alone() -> None:
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    before = correction_keys(Position(start), [])
    for move, changed in (("7g7f", {PAWNS}), ("7i7h", {MINORS, BLACK_PIECES}), ("2h3h", {BLACK_PIECES}),
                          ("5i5h", {BLACK_PIECES})):
        after = correction_keys(Position(start), [move])
        assert {key for key in range(4) if before[key] != after[key]} == changed, move
    in_hand = correction_keys(Position(start.replace(" - ", " 2P ").replace("PPPPPPPPP", "PPPPPPP2")), [])
    assert in_hand[MINORS:] == before[MINORS:]
