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
    """Convert an array of PSV to an array of SAMPLE. Raises TypeError for anything but a one-dimensional array of PSV,
    UserError with its index for a record without a valid position or result."""
def require_samples(samples: _Samples) -> None:
    """Raise UserError, with its index, for a sample that holds no position: by its numbers the learners would read and
    write outside their weights."""
def checked_order(order: NDArray[np.integer[Any]], count: int) -> NDArray[np.uint32]:
    """The order in which `count` samples are learned from: uint32[n]. Raises TypeError unless it is a one-dimensional
    array of integers, IndexError if one is not below `count`."""
def targets(samples: _Samples, blend: float) -> _Values:
    """The target winning rate of each sample, for Black: float64[n]."""
def loss(values: _Values, samples: _Samples, blend: float) -> float:
    """The mean loss in nats of `values` (centipawns for Black) against the samples' targets."""
