from collections.abc import Mapping

from eval.arrays import Array

TABLE_SHAPES: Mapping[str, tuple[int, ...]]

def checked_factors(factors: Mapping[str, Array]) -> dict[str, memoryview]:
    """The arrays of all sets in SHAPES, contiguous. Sets for the side to move may be missing, because older weights
    have none; they become 0. Raises UserError if another set is missing, an array has the wrong type or shape, or the
    indices of a sparse set do not ascend or lie outside."""
def expand(factors: Mapping[str, Array]) -> tuple[memoryview, memoryview, memoryview]:
    """Sum up factors exactly, to the tables (kk, kkp, kpp), int16 in 1/32 centipawn:

    kk  [81, 81, 2]        Black's king, White's king: for Black, and for the side to move
    kkp [81, 81, 1548, 2]  likewise with a feature, in Black's view
    kpp [45, 1198926]      a king on files 1 to 5 and a pair of features, by `triangle`, in the king's side's view

    Raises UserError as `checked_factors` does, and if a sum does not fit int16."""
