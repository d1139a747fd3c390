from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.arrays import Array

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]
_Values = NDArray[np.float64]

class Learner:
    weights: _Floats
    squares: _Floats
    def __init__(self) -> None: ...
    def train(self, samples: _Samples, order: NDArray[np.integer[Any]], rates: Mapping[str, float], blend: float = 0.6,
              prior: float = 1.0, threads: int = 1) -> float: ...
    def values(self, samples: _Samples, threads: int = 1) -> _Values: ...
    def coefficients(self, samples: _Samples) -> tuple[NDArray[np.uint32], _Floats]: ...

def table_values(samples: _Samples, kk: Array, kkp: Array, kpp: Array, tempo: int) -> _Values: ...
