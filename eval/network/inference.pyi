from collections.abc import Mapping

from engine import Position
from eval.arrays import Array

LOGIT: int
SHAPES: Mapping[str, tuple[str, tuple[int, ...]]]

def usable_kernels() -> tuple[str, ...]:
    """Names of the kernels that this processor can run, the fastest first."""
def value_of(network: EvalNetwork, position: Position) -> tuple[int, list[int]]:
    """What the network adds to the material, in Black's centipawns, and the same for the position without one piece:
    (int, int[n]), the pieces as eval.features.pieces_of has them. Both kings have to be there."""

class EvalNetwork:
    """A network as the evaluation reads it, made by `from_arrays` and never changed after."""
    @staticmethod
    def from_arrays(arrays: Mapping[str, Array], kernel: str | None = None) -> EvalNetwork:
        """Lay a network out in memory, about a megabyte.

        arrays: by name, of the types and shapes of SHAPES and in the units of inference.pxd; the mover's inputs of the
        second layer come first. kernel: one of `usable_kernels()`; by default the fastest.

        Raises UserError for arrays that make no network or an unknown kernel, and MemoryError."""
    @property
    def kernel(self) -> str:
        """The name of its kernel."""
    @property
    def megabytes(self) -> int:
        """Memory that the network takes, in MB."""
