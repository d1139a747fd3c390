from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Samples = NDArray[Any]
_Values = NDArray[np.float64]

SAMPLE: np.dtype[Any]
FLAGS: Mapping[str, int]
UNKNOWN_RESULT: int

def open_records(records: NDArray[Any]) -> _Samples: ...
def targets(samples: _Samples, blend: float) -> _Values: ...
def loss(values: _Values, samples: _Samples, blend: float) -> float: ...
