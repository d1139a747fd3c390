from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import Position

LOGIT: int
SHAPES: Mapping[str, tuple[type[np.signedinteger[Any]], tuple[int, ...]]]

def usable_kernels() -> tuple[str, ...]: ...
def value_of(network: EvalNetwork, position: Position) -> tuple[int, list[int]]: ...

class EvalNetwork:
    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], kernel: str | None = None) -> EvalNetwork: ...
    @property
    def kernel(self) -> str: ...
    @property
    def megabytes(self) -> int: ...
