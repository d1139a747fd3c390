from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from eval.arrays import Array
from eval.network import Form

def quantise_network(parameters: Any, form: Form = ...) -> dict[str, NDArray[Any]]:
    """Round a record of PARAMETERS to the integer arrays of a network (eval.network.SHAPES) of this form. Biases
    include the half that makes shifts round. Raises UserError if a weight does not fit its type."""
def floats_of(arrays: Mapping[str, Array], form: Form = ...) -> Any:
    """The inverse of `quantise_network`: a record of PARAMETERS from a network's integer arrays. Raises UserError as
    `EvalNetwork.from_arrays` does."""
