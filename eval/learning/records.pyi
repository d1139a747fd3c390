from typing import Any

import numpy as np
from numpy.typing import NDArray

HCPE: np.dtype[Any]
PSV: np.dtype[Any]

def converted(records: NDArray[Any]) -> NDArray[Any]:
    """Convert an array of HCPE to PSV, or the reverse. HCPE has no plies, so they become 0.

    Raises TypeError for another dtype, UserError with its index for a record with a malformed position."""
