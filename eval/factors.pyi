from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

_Factors = Mapping[str, NDArray[np.int16] | NDArray[np.uint32]]
_Floats = NDArray[np.float32]
_Table = NDArray[np.int16]
_Arrays = dict[str, NDArray[np.int16] | NDArray[np.uint32]]

SHAPES: Mapping[str, tuple[int, ...]]
STARTS: Mapping[str, int]
SPARSE: tuple[str, ...]
WEIGHTS: int

def check_factors(factors: _Factors) -> None: ...
def expand(factors: _Factors) -> tuple[_Table, _Table, _Table]: ...
def part(weights: _Floats, name: str) -> _Floats: ...
def quantise(weights: _Floats, threshold: float = 1) -> tuple[_Arrays, int]: ...
def dense(factors: _Factors, tempo: int) -> _Floats: ...
