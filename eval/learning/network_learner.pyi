from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.arrays import Array
from eval.network import EvalNetwork

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]

PARAMETERS: np.dtype[Any]

class NetworkLearner:
    parameters: Any
    means: _Floats
    squares: _Floats
    steps: int
    def __init__(self, seed: int = 0) -> None: ...
    def begin(self, parameters: Any) -> None: ...
    def train(self, samples: _Samples, order: NDArray[Any], mirrored: NDArray[Any], rates: NDArray[np.float64],
              blend: float = 0.9, batch: int = 512, threads: int = 1) -> float: ...
    def gradient(self, samples: _Samples, mirrored: NDArray[Any], blend: float = 0.9) -> tuple[float, Any]: ...
    def values(self, samples: _Samples, threads: int = 1) -> NDArray[np.float64]: ...

def quantise(parameters: Any) -> dict[str, NDArray[Any]]: ...
def floats_of(arrays: Mapping[str, Array]) -> Any: ...
def network_values(samples: _Samples, network: EvalNetwork) -> NDArray[np.int32]: ...
def largest_sum(arrays: Mapping[str, NDArray[Any]]) -> int: ...
