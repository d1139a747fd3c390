from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.arrays import Array

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]
_Values = NDArray[np.float64]

class Learner:
    """Weights and their sums of squared gradients, initially zero: 478 MB of addresses, used as far as they are
    touched.

    `weights` and `squares` are writable views, float32[WEIGHTS], in centipawns, in the order of eval.tables.factors."""
    weights: _Floats
    squares: _Floats
    def __init__(self) -> None: ...
    def train(self, samples: _Samples, order: NDArray[np.integer[Any]], rates: Mapping[str, float], blend: float = 0.6,
              prior: float = 1.0, threads: int = 1) -> float:
        """Make one step for each of samples[order] (SAMPLE[n], uint32[m]). Returns the mean of their losses, each
        before its step.

        `rates` gives each set's learning rate in centipawns by its name; sets with 0 neither learn nor count. `blend`
        is the weight of the search's value in the target. `prior` is added to each weight's sum of squared gradients;
        one position adds at most 1, or 4 for pairs. Raises TypeError if `order` does not consist of integers,
        IndexError if it exceeds the samples, UserError for a sample that holds no position."""
    def values(self, samples: _Samples, threads: int = 1) -> _Values:
        """The value of each sample by these weights, material included: float64[n], centipawns for Black. Raises
        UserError for a sample that holds no position."""
    def coefficients(self, samples: _Samples) -> tuple[NDArray[np.uint32], _Floats]:
        """The weights of samples[0] and their coefficients in its value: (uint32[n], float32[n]). A weight may occur
        more than once. Raises UserError for no samples, and for one that holds no position."""

def table_values(samples: _Samples, kk: Array, kkp: Array, kpp: Array, tempo: int) -> _Values:
    """The value of each sample by expanded tables (eval.tables.expansion), by plain sums: float64[n], centipawns for
    Black. Raises UserError for a sample that holds no position, and for tables unlike those that `expand` returns."""
