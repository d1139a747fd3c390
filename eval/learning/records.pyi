from typing import Any

import numpy as np
from numpy.typing import NDArray

HCPE: np.dtype[Any]
PSV: np.dtype[Any]

def converted(records: NDArray[Any]) -> NDArray[Any]: ...
