from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Samples = NDArray[Any]
_Values = NDArray[np.float64]

SAMPLE: np.dtype[Any]
FLAGS: Mapping[str, int]
UNKNOWN_RESULT: int

def open_records(records: NDArray[Any]) -> _Samples:
    """An array of PSV as samples, an array of SAMPLE. UserError, with its index, for a record that holds no position
    or no result."""
def targets(samples: _Samples, blend: float) -> _Values:
    """The winning rate that each sample is to have, for Black: float64[n]."""
def loss(values: _Values, samples: _Samples, blend: float) -> float:
    """The mean cross-entropy, in nats, of values (Black's centipawns) against the samples' targets."""
