"""Training records of positions."""
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import Position
from engine.packed import move16, packed
from eval.learning.records import PSV


def record(position: Position, score: int = 0, move: str = "", result: int = 0) -> NDArray[Any]:
    return np.array([(np.frombuffer(packed(position), np.uint8), score, move16(move) if move else 0,
                      position.move_number, result, 0)], PSV)
