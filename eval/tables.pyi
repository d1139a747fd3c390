from os import PathLike

import numpy as np
from numpy.typing import NDArray

KERNEL_NAMES: tuple[str, ...]
SCALE: int
VERSION: int

def usable_kernels() -> tuple[str, ...]: ...

class EvalTables:
    @staticmethod
    def from_arrays(kk: NDArray[np.int16], kkp: NDArray[np.int16], kpp: NDArray[np.int16], tempo: int = 0,
                    kernel: str | None = None) -> EvalTables: ...
    @staticmethod
    def map(path: str | PathLike[str], kernel: str | None = None) -> EvalTables: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def kernel(self) -> str: ...
    @property
    def tempo(self) -> int: ...
    @property
    def megabytes(self) -> int: ...
