from collections.abc import Mapping

from eval.arrays import Array

SHAPES: Mapping[str, tuple[int, ...]]
STARTS: Mapping[str, int]
SPARSE: tuple[str, ...]
TURN_SHAPES: Mapping[str, tuple[int, ...]]
WEIGHTS: int

def checked_factors(factors: Mapping[str, Array]) -> dict[str, memoryview]: ...
def expand(factors: Mapping[str, Array]) -> tuple[memoryview, memoryview, memoryview]: ...
