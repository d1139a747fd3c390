"""Random tables, with the symmetries that tables have."""
import numpy as np
import pytest
from numpy.typing import NDArray

from eval.features import INVERSE, MIRROR

FEATURES = 1548
MIRRORED_SQUARES = np.arange(81).reshape(9, 9)[::-1].ravel()


@pytest.fixture(scope="session")
def arrays() -> dict[str, NDArray[np.int16]]:
    """kk, kkp and kpp as EvalTables.from_arrays takes them."""
    rng = np.random.default_rng(1)
    signs = np.array([-1, 1], np.int16)     # of the sides exchanged: for Black, and for the side to move
    kk = rng.integers(-300, 300, (81, 81, 2), np.int16)
    kk = kk + kk[MIRRORED_SQUARES][:, MIRRORED_SQUARES]
    kk = kk + signs * kk[::-1, ::-1].transpose(1, 0, 2)
    kkp = rng.integers(-200, 200, (81, 81, FEATURES, 2), np.int16)
    kkp += kkp[MIRRORED_SQUARES][:, MIRRORED_SQUARES][:, :, list(MIRROR)]
    kkp += signs * kkp[::-1, ::-1].transpose(1, 0, 2, 3)[:, :, list(INVERSE)]
    high, low = np.tril_indices(FEATURES)
    kpp = rng.integers(-100, 100, (45, len(high)), np.int16)
    top, bottom = np.maximum(*np.take(MIRROR, (high, low))), np.minimum(*np.take(MIRROR, (high, low)))
    kpp[36:] += kpp[36:, top * (top + 1) // 2 + bottom]     # a king on file 5 sees mirror images alike
    return {"kk": kk, "kkp": kkp, "kpp": kpp}
