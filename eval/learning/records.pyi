from typing import Any

import numpy as np
from numpy.typing import NDArray

HCPE: np.dtype[Any]
PSV: np.dtype[Any]

def converted(records: NDArray[Any]) -> NDArray[Any]:
    """An array of HCPE as one of PSV, or the other way round. HCPE has no plies: they become 0.

    TypeError for an array of another dtype; UserError, with its index, for a record whose position is malformed."""
