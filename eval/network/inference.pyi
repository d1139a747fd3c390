from collections.abc import Mapping

from engine import Position
from eval.arrays import Array

LOGIT: int
SHAPES: Mapping[str, tuple[str, tuple[int, ...]]]

def usable_kernels() -> tuple[str, ...]: ...
def value_of(network: EvalNetwork, position: Position) -> tuple[int, list[int]]: ...

class EvalNetwork:
    @staticmethod
    def from_arrays(arrays: Mapping[str, Array], kernel: str | None = None) -> EvalNetwork: ...
    @property
    def kernel(self) -> str: ...
    @property
    def megabytes(self) -> int: ...
