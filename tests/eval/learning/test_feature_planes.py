"""Feature planes against cshogi's planes of pieces, and by their meaning."""
from random import Random

import numpy as np

from engine import Position
from engine.sfen import flip_sfen
from eval.learning.feature_planes import PLANES, feature_planes
from tests.references import cshogi

# The kinds as cshogi numbers them: pawn, lance, knight, silver, bishop, rook, gold, king, and promoted ones.
KINDS = 14


def walk(seed: int) -> list[Position]:
    rng, position = Random(seed), Position()
    seen: list[Position] = []
    while len(seen) < 80 and (moves := position.legal_moves()):
        position.push(rng.choice(moves))
        seen.append(position.copy())
    return seen


def test_pieces_agree_with_cshogi() -> None:
    positions = walk(1) + walk(2)
    ours = feature_planes(positions)
    assert {position.turn for position in positions} == {0, 1}
    for position, planes in zip(positions, ours, strict=True):
        theirs = np.zeros((2 * KINDS, 9, 9), np.float32)
        board = cshogi.Board(position.sfen)
        if position.turn:
            board.piece_planes_rotate(theirs)
        else:
            board.piece_planes(theirs)
        # Theirs go by file, from the first, then by rank.
        assert (planes[:2 * KINDS] == theirs.transpose(0, 2, 1)[:, :, ::-1]).all(), position.sfen


def test_both_sides_see_themselves_alike() -> None:
    positions = walk(3)
    turned = [Position(flip_sfen(position.sfen)) for position in positions]
    assert (feature_planes(positions) == feature_planes(turned)).all()


def test_hands_and_checks_fill_planes() -> None:
    positions = [Position("4k4/9/9/9/4r4/9/9/9/4K4 b 2G3p 1"), Position("4k4/9/9/9/9/9/9/9/4K4 w G 1")]
    planes = feature_planes(positions, np.uint8)
    assert planes.shape == (2, len(PLANES), 9, 9)
    assert planes.dtype == np.uint8

    def filled(board: int, name: str) -> set[int]:
        return set(planes[board, PLANES.index(name)].ravel().tolist())

    assert (filled(0, "own golds in hand"), filled(0, "other pawns in hand"), filled(0, "in check")) == ({2}, {3}, {1})
    assert (filled(1, "own golds in hand"), filled(1, "other golds in hand"), filled(1, "in check")) == ({0}, {1}, {0})
    assert planes[0, :28].sum() == 3
    assert feature_planes([]).shape == (0, len(PLANES), 9, 9)
