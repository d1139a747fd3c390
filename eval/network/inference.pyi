from collections.abc import Mapping

from engine import Position
from eval.arrays import Array
from eval.network.forms import Form

SHAPES: Mapping[str, tuple[str, tuple[int, ...]]]

def shapes_of(form: Form) -> Mapping[str, tuple[str, tuple[int, ...]]]:
    """SHAPES for a form."""
def rows_of_no_piece(first: memoryview, form: Form) -> list[memoryview]:
    """The rows of the first layer, as slices of it, that stand for pieces that are not in play."""
def usable_kernels() -> tuple[str, ...]:
    """The names of the kernels that this processor can run, the fastest first."""
def checked_layers(arrays: Mapping[str, Array], form: Form = ...) -> dict[str, memoryview]:
    """The arrays of a network, contiguous. Raises UserError unless they have the types and shapes of `shapes_of` and
    stay in the form's limits."""
def largest_sum(arrays: Mapping[str, Array]) -> int:
    """The largest magnitude of any first-layer sum of a network in any position. Below 2 ** 15 no sum wraps."""
def value_of(network: EvalNetwork, position: Position) -> tuple[int, list[int]]:
    """The network's value without any material added, in centipawns for Black, and the same for the position without
    each piece: (int, int[n]), with the pieces in the order of eval.features.pieces_of. Both kings must be on the
    board."""

class EvalNetwork:
    """A network laid out for evaluation. Made by `from_arrays`; immutable."""
    @staticmethod
    def from_arrays(arrays: Mapping[str, Array], kernel: str | None = None, form: Form = ...) -> EvalNetwork:
        """Lay out a network in memory, about 1 MB, or 62 MB with HalfKP.

        arrays: by name, of the types and shapes of `shapes_of(form)` and in the units of inference.pxd; the mover's
        inputs of the second layer come first. kernel: one of `usable_kernels()`; by default the fastest. form: the
        inputs and the arithmetic.

        Raises UserError if the arrays do not fit or the kernel is unknown, and MemoryError."""
    @property
    def form(self) -> Form: ...
    @property
    def kernel(self) -> str:
        """The name of its kernel."""
    @property
    def megabytes(self) -> int:
        """Memory that the network takes, in MB."""
