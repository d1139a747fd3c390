"""The keys of the correction history, counted anew (see correction.pxd)."""
from engine.types cimport SQUARES, board_place


cdef void count_keys(CorrectionKeys* sums, const Pos* pos) noexcept nogil:
    cdef int square
    sums.pawns = sums.minors = sums.pieces[0] = sums.pieces[1] = 0
    for square in range(SQUARES):
        if pos.board[square]:
            toggle(sums, board_place(pos.board[square], square))


cdef void check_keys(const CorrectionKeys* sums, const Pos* pos) noexcept nogil:
    cdef CorrectionKeys fresh
    count_keys(&fresh, pos)
    if (sums.pawns != fresh.pawns or sums.minors != fresh.minors or sums.pieces[0] != fresh.pieces[0]
            or sums.pieces[1] != fresh.pieces[1]):
        with gil:
            raise AssertionError(f"the correction keys differ from their recomputation at ply {pos.ply}")
