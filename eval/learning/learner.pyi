from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.arrays import Array

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]
_Values = NDArray[np.float64]

class Learner:
    """Weights with their sums of squared gradients, all zero at first: 478 MB, of which only what was touched is used.

    `weights` and `squares` are views of float32[WEIGHTS], in centipawns, laid out as eval.tables.factors says; they may
    be written to."""
    weights: _Floats
    squares: _Floats
    def __init__(self) -> None: ...
    def train(self, samples: _Samples, order: NDArray[np.integer[Any]], rates: Mapping[str, float], blend: float = 0.6,
              prior: float = 1.0, threads: int = 1) -> float:
        """Step once at each of samples[order] (SAMPLE[n], uint32[m]); the mean of their losses, each before its step.

        `rates` has every set's rate in centipawns by its name; sets with 0 neither learn nor count. `blend` is the
        share of the search's value in the target. A weight's first steps are as if its squared gradients already
        summed to `prior`; one position's is at most 1, or 4 for pairs. IndexError if the order names no sample."""
    def values(self, samples: _Samples, threads: int = 1) -> _Values:
        """What the weights say of each sample, material included: float64[n], Black's centipawns."""
    def coefficients(self, samples: _Samples) -> tuple[NDArray[np.uint32], _Floats]:
        """The weights that the first of `samples` has, and what its value has of each: (uint32[n], float32[n]). A
        weight may be listed more than once."""

def table_values(samples: _Samples, kk: Array, kkp: Array, kpp: Array, tempo: int) -> _Values:
    """What expanded tables (eval.tables.expansion) say of each sample, summed plainly: float64[n], in Black's
    centipawns."""
