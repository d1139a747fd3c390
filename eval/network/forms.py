"""Forms of networks: everything besides the weights in which networks differ. The kernels read these properties, so all
networks share the same code."""
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from eval.material import SLOPE

LOGIT: Final = 2032 * 1024  # of our form: units of the output per logit
FIRST_TOP: Final = 127      # the largest activation behind the first layer, in every form
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

    @property
    def is_fine(self) -> bool:
        """Whether the integers are fine enough that rounding hardly changes any value."""
        return self.first_shift > 0

    @property
    def units(self) -> dict[str, float]:
        """By array: the integer that stands for 1, with activations from 0 to 1 and the output in logits."""
        logit = self.unit * SLOPE / self.slope
        first, second = FIRST_TOP << self.first_shift, self.top << self.second_shift
        third = self.top << self.third_shift
        return {"first": first, "first_bias": first, "second": second / FIRST_TOP, "second_bias": second,
                "third": third / self.top, "third_bias": third, "output": logit / self.top, "output_bias": logit}

    @property
    def halves(self) -> dict[str, int]:
        """By array of biases: half of the unit that the following shift drops. With this added, the shift rounds."""
        shifts = {"first_bias": self.first_shift, "second_bias": self.second_shift, "third_bias": self.third_shift}
        return {name: 1 << shift >> 1 for name, shift in shifts.items()}


OURS: Final = Form(
    king_rows=0, first_shift=2, second_shift=4, third_shift=10, top=2032, slope=SLOPE, unit=LOGIT, adds_material=True,
    largest={"second_bias": 1 << 24, "third": 1 << 14, "third_bias": 1 << 24, "output": 1 << 14,
             "output_bias": 1 << 24})
# The form of nn.bin files. Its weights are used as they are in the file: the sums of the second and third layer are in
# 1/64 of the activations' unit.
COMMON: Final = Form(
    king_rows=0, first_shift=0, second_shift=6, third_shift=6, top=127, slope=1, unit=FV_SCALE, adds_material=False,
    largest={"second_bias": 1 << 30, "third": 128, "third_bias": 1 << 30, "output": 128, "output_bias": 1 << 30})
HALF_KP: Final = replace(COMMON, king_rows=1548)    # likewise, a row for each square of the own king and each piece
