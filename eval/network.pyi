from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

LOGIT: int
SHAPES: Mapping[str, tuple[type[np.signedinteger[Any]], tuple[int, ...]]]

def usable_kernels() -> tuple[str, ...]: ...

class EvalNetwork:
    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], kernel: str | None = None) -> EvalNetwork: ...
    @property
    def kernel(self) -> str: ...
    @property
    def megabytes(self) -> int: ...
