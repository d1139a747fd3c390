"""Positions as feature planes of the board, input for users' own networks."""
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine import Position
from engine.pieces import GOLD, NAMES, PAWN, WHITE_PIECE

_ON_BOARD = range(PAWN, len(NAMES))
_IN_HAND = range(PAWN, GOLD + 1)
# What each plane shows. "own" is the side to move.
PLANES = (*(f"{owner} {NAMES[kind]}" for owner in ("own", "other") for kind in _ON_BOARD),
          *(f"{owner} {NAMES[kind]}s in hand" for owner in ("own", "other") for kind in _IN_HAND),
          "in check")


def feature_planes(positions: Sequence[Position], dtype: DTypeLike = np.float32) -> NDArray[Any]:
    """The planes named by PLANES, as an array of shape [positions, planes, 9, 9].

    The board is seen by the side to move: row 0 is the farthest rank; column 0 is file 9 for Black, file 1 for White. A
    piece's plane has 1 on its squares. A hand's plane has the number of pieces everywhere. The last plane is 1
    everywhere if the side to move is in check.

    >>> planes = feature_planes([Position()])
    >>> planes.shape, planes[0, PLANES.index("own rook")].nonzero()
    ((1, 43, 9, 9), (array([7]), array([7])))
    """
    found = np.zeros((len(positions), len(PLANES), 9, 9), dtype)
    for planes, position in zip(found, positions, strict=True):
        placement = position.placement
        board = np.array(placement.board, np.uint8).reshape(9, 9).T[:, ::-1]        # by rank, then from file 9 to 1
        if placement.turn:
            board = np.where(board, board ^ WHITE_PIECE, 0)[::-1, ::-1]
        own = placement.hands[placement.turn], placement.hands[1 - placement.turn]
        pieces = [kind + side for side in (0, WHITE_PIECE) for kind in _ON_BOARD]
        planes[:len(pieces)] = board == np.array(pieces, np.uint8)[:, None, None]
        held = [hand[kind] for hand in own for kind in _IN_HAND]
        planes[len(pieces):] = np.array([*held, position.in_check])[:, None, None]
    return found
