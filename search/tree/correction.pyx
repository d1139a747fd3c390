"""The keys of the correction history, computed from the whole position (see correction.pxd)."""
from engine.types cimport (BISHOP, DRAGON, HORSE, KING, PAWN, PIECES as ALL_PIECES, ROOK, SQUARES, board_place,
                           color_of, kind_of)
from engine.zobrist cimport keys


cdef void fill_shares():
    cdef int piece, kind, square
    cdef u64 share
    for piece in range(1, ALL_PIECES):
        kind = kind_of(piece)
        for square in range(SQUARES):
            share = keys.place[board_place(piece, square)] & 0xFFFF
            if kind == PAWN:
                shares[board_place(piece, square)] = share << 16 * PAWNS
                continue
            shares[board_place(piece, square)] = share << 16 * (PIECES + color_of(piece))
            if not 1 << kind & (1 << BISHOP | 1 << ROOK | 1 << HORSE | 1 << DRAGON | 1 << KING):
                shares[board_place(piece, square)] |= share << 16 * MINORS

fill_shares()


cdef CorrectionKeys count_keys(const Pos* pos) noexcept nogil:
    cdef CorrectionKeys sums = 0
    cdef int square
    for square in range(SQUARES):
        if pos.board[square]:
            sums ^= shares[board_place(pos.board[square], square)]
    return sums


cdef void check_keys(CorrectionKeys sums, const Pos* pos) noexcept nogil:
    if sums != count_keys(pos):
        with gil:
            raise AssertionError(f"the correction keys differ from their recomputation at ply {pos.ply}")
