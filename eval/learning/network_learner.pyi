from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.network import EvalNetwork

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]

PARAMETERS: np.dtype[Any]

class NetworkLearner:
    """A network in floats with Adam's moments: 5 MB, and 2 MB more for each thread.

    `parameters` is a record of PARAMETERS; `means` and `squares` are float32[PARAMETERS.itemsize / 4], in its order;
    `steps` counts the batches. Together they are all that a run has to keep."""
    parameters: Any
    means: _Floats
    squares: _Floats
    steps: int
    def __init__(self, seed: int = 0) -> None: ...
    def begin(self, parameters: Any) -> None:
        """Go on from these, a record of PARAMETERS, and no longer from those drawn at random. UserError if they make
        something else of a position than of its mirror image."""
    def train(self, samples: _Samples, order: NDArray[Any], rates: NDArray[np.float64], blend: float = 0.9,
              batch: int = 512, threads: int = 1) -> float:
        """Step once for every `batch` of samples[order] (SAMPLE[n], uint32[m]); the mean of their losses, each before
        its step.

        `rates` (float[batches]) are the steps' learning rates. `blend` is the share of the search's value in the
        target. IndexError if the order names no sample. In the end no sum of the first layer can wrap when it is
        quantised."""
    def gradient(self, samples: _Samples, blend: float = 0.9) -> tuple[float, Any]:
        """The summed loss of samples, and its gradient by each parameter, a record of PARAMETERS: the mean of those of
        the positions and of their mirror images."""
    def values(self, samples: _Samples, threads: int = 1) -> NDArray[np.float64]:
        """What the network says of each sample, material included: float64[n], Black's centipawns."""

def image_of(parameters: Any) -> Any:
    """The same network, partners exchanged, as it sees mirror images: a record of PARAMETERS, of which a network that
    is its own mirror image is the same."""
def network_values(samples: _Samples, network: EvalNetwork) -> NDArray[np.int32]:
    """What a quantised network says of each sample, material included, summed in full: int32[n], Black's centipawns."""
def largest_sums(first: NDArray[Any], bias: NDArray[Any]) -> NDArray[Any]:
    """What each unit's sums can come to, in magnitude, in whatever position: at most a piece on a square, LISTED pieces
    in all, and two kings. `first` is number[INPUTS, L1] and `bias` number[L1]; the result is number[L1]."""
