from collections.abc import Mapping

from eval.arrays import Array

def checked_factors(factors: Mapping[str, Array]) -> dict[str, memoryview]:
    """The arrays of SHAPES, without gaps; a set for the side to move that is not there at all, for which weights were
    not always learned, is all 0. UserError, saying what is wrong, unless `factors` has every other one, with its type
    and shape, and the numbers of the sparse ones ascend and lie within."""
def expand(factors: Mapping[str, Array]) -> tuple[memoryview, memoryview, memoryview]:
    """The tables that these factors add up to, exactly, as (kk, kkp, kpp), all int16 in 1/32 centipawn:

    kk  [81, 81, 2]        Black's king, White's king: for Black, and for the side to move
    kkp [81, 81, 1548, 2]  and a feature, as Black sees them: likewise
    kpp [45, 1198926]      a king on files 1 to 5 and a pair of features, by `triangle`, as the king's side sees them

    UserError if `factors` is not what `checked_factors` asks for, or a sum does not fit int16."""
