from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from eval.arrays import Array

def quantise_network(parameters: Any) -> dict[str, NDArray[Any]]:
    """A record of PARAMETERS as the integer arrays of a network (eval.network.SHAPES), each rounded to the nearest;
    biases with the half that makes the shifts round. UserError if a weight does not fit its type."""
def floats_of(arrays: Mapping[str, Array]) -> Any:
    """A network's integer arrays as a record of PARAMETERS, which `quantise_network` makes the same arrays of."""
def largest_sum(arrays: Mapping[str, NDArray[Any]]) -> int:
    """What the first layer's sums can come to. Where that is below 2 ** 15, nothing wraps."""
