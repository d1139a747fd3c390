"""What networks differ in besides their weights. They are properties of a network, which the kernels read; the code is
the same for all."""
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

FV_SCALE: Final = 16        # of the common form: units of the output per centipawn, unless a network asks for others


@dataclass(frozen=True)
class Form:
    """The inputs and the arithmetic of a network: from sums to activations by a shift and a clip, from the output to
    centipawns."""

    king_rows: int                  # rows of the first layer for each square of the own king; 0: the kings are inputs
    first_shift: int
    second_shift: int
    third_shift: int
    top: int                        # the largest activation behind the second and third layer
    # Centipawns of an output: output * slope / unit.
    slope: int
    unit: int
    adds_material: bool             # whether the evaluation is the material and the network's value, or that value
    largest: Mapping[str, int]      # by array: the largest magnitude, with which no sum leaves its 32 bits

    def with_unit(self, unit: int) -> "Form":
        """The form with another unit of the output."""
        return replace(self, unit=unit)


# The form of nn.bin files. Its weights are used as they stand: the sums of both layers behind the first are in 1/64 of
# the activations' unit.
COMMON: Final = Form(
    king_rows=0, first_shift=0, second_shift=6, third_shift=6, top=127, slope=1, unit=FV_SCALE, adds_material=False,
    largest={"second_bias": 1 << 30, "third": 128, "third_bias": 1 << 30, "output": 128, "output_bias": 1 << 30})
HALF_KP: Final = replace(COMMON, king_rows=1548)    # likewise, a row for each square of the own king and each piece
