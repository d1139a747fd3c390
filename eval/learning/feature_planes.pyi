from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine import Position

PLANES: tuple[str, ...]
LABELS: tuple[str, ...]

def feature_planes(positions: Sequence[Position], dtype: DTypeLike = ...) -> NDArray[Any]:
    """The planes named by PLANES, as an array of shape [positions, planes, 9, 9].

    The board is seen by the side to move: row 0 is the farthest rank; column 0 is file 9 for Black, file 1 for White. A
    piece's plane has 1 on its squares. A hand's plane has the number of pieces everywhere. The last plane is 1
    everywhere if the side to move is in check.

    >>> planes = feature_planes([Position()])
    >>> planes.shape, planes[0, PLANES.index("own rook")].nonzero()
    ((1, 43, 9, 9), (array([7]), array([7])))"""
def policy_label(position: Position, usi: str) -> int:
    """The label of a legal move: 81 times the number of its plane, one of LABELS, plus the square it goes to, row by
    row as in `feature_planes`. Raises UserError if it is not legal.

    >>> divmod(policy_label(Position(), "7g7f"), 81)    # up, to row 5, column 2
    (0, 47)"""
def planes_and_labels(records: NDArray[Any], dtype: DTypeLike = ...) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The `feature_planes` of a one-dimensional array of HCPE or PSV, and the `policy_label` of each move: int64, -1
    for no move.

    Raises TypeError for anything else. Raises UserError, with its index, for a record that holds no position or a move
    that is not legal there."""
