import numpy as np
from numpy.typing import NDArray

from engine import Position

INVERSE: NDArray[np.uint16]
MIRROR: NDArray[np.uint16]

def features_of(position: Position) -> tuple[int, int, NDArray[np.uint16]]: ...
def pieces_of(position: Position) -> list[tuple[int, int, int, int]]: ...
