from collections.abc import Mapping

SHAPES: Mapping[str, tuple[int, ...]]
STARTS: Mapping[str, int]
SPARSE: tuple[str, ...]
TURN_SHAPES: Mapping[str, tuple[int, ...]]
WEIGHTS: int
