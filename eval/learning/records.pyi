from typing import Any

import numpy as np
from numpy.typing import NDArray

HCPE: np.dtype[Any]
PSV: np.dtype[Any]

def require_records(records: NDArray[Any], *forms: np.dtype[Any]) -> None:
    """Raise TypeError unless `records` is a one-dimensional array of one of the dtypes `forms`: HCPE, PSV or both."""
def require_results(results: NDArray[np.int8], least: int) -> None:
    """Raise UserError, with its index, for a game result (int8[n]) that is not `least` or one of the next two."""
def converted(records: NDArray[Any]) -> NDArray[Any]:
    """Convert an array of HCPE to PSV, or the reverse. HCPE has no plies, so they become 0.

    Raises TypeError for anything but a one-dimensional array of these, UserError with its index for a record without a
    valid position or result."""
