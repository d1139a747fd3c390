from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.network import EvalNetwork, Form

_Floats = NDArray[np.float32]
_Samples = NDArray[Any]

PARAMETERS: np.dtype[Any]

class NetworkLearner:
    """A network in floats with Adam's moments: 5 MB, and 2 MB more for each thread. The weights stay in the range of a
    form's integers, and the material is added to the output if the form says so. If the integers are coarse, values and
    gradients are those of the rounded weights, and steps change the floats (quantisation-aware training).

    `parameters` is a record of PARAMETERS; `means` and `squares` are float32[PARAMETERS.itemsize / 4], in its order;
    `steps` counts the batches. A checkpoint of a run consists of these four."""
    parameters: Any
    means: _Floats
    squares: _Floats
    steps: int
    @property
    def form(self) -> Form: ...
    def __init__(self, seed: int = 0, form: Form = ...) -> None: ...
    def begin(self, parameters: Any) -> None:
        """Start from these parameters, a record of PARAMETERS, instead of random ones. Raises UserError unless they are
        equivariant."""
    def train(self, samples: _Samples, order: NDArray[Any], rates: NDArray[np.float64], blend: float = 0.9,
              batch: int = 512, threads: int = 1) -> float:
        """Make a step for every `batch` of samples[order] (SAMPLE[n], uint32[m]). Returns the mean of the losses, each
        before its step.

        `rates` (float[batches]) gives the learning rate of each step. `blend` is the weight of the search's value in
        the target. Afterwards no first-layer sum can wrap in the quantised network. Raises TypeError if `order` does
        not consist of integers, IndexError if it exceeds the samples, UserError for a sample that holds no position."""
    def gradient(self, samples: _Samples, blend: float = 0.9) -> tuple[float, Any]:
        """The summed loss of samples and its gradient, a record of PARAMETERS, averaged over the positions and their
        mirror images. Raises UserError for a sample that holds no position."""
    def values(self, samples: _Samples, threads: int = 1) -> NDArray[np.float64]:
        """The value of each sample by the network, with the material if the form adds it: float64[n], centipawns for
        Black. Raises UserError for a sample that holds no position."""

def image_of(parameters: Any) -> Any:
    """The network with all partners exchanged, which sees mirror images: a record of PARAMETERS. An equivariant network
    equals its image."""
def network_values(samples: _Samples, network: EvalNetwork) -> NDArray[np.int32]:
    """The value of each sample by a quantised network, by full sums, with the material if the network's form adds
    it: int32[n], centipawns for Black. Raises UserError for a sample that holds no position."""
def largest_sums(first: NDArray[Any], bias: NDArray[Any]) -> NDArray[Any]:
    """The largest magnitude of each first-layer unit's sum in any position: at most one piece on a square, LISTED
    pieces in all, and two kings. `first` is number[INPUTS, L1], `bias` number[L1], the result number[L1]."""
