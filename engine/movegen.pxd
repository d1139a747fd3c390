"""Move generators. All generate strictly legal moves: pins, evasions, nifu and drop-pawn mate are handled here, so
callers need not test the moves.

`captures` and `quiets` are disjoint. Together they give `legal` without the dominated non-promotions: of a pawn, bishop
or rook that could promote, and of a lance that could promote on its second-last rank.
"""
from engine.position cimport CheckInfo, Pos, is_capture
from engine.types cimport PAWN, Move, is_promotion, kind_of, move_from

# Each writes to `moves`, which has room for MAX_MOVES, and returns the number of moves.
cdef int captures(const Pos* pos, Move* moves) noexcept nogil    # and pawn promotions; not in check
cdef int quiets(const Pos* pos, Move* moves) noexcept nogil      # all others; not in check
cdef int evasions(const Pos* pos, Move* moves) noexcept nogil    # in check, both classes
cdef int checks(const Pos* pos, const CheckInfo* check_info, Move* moves) noexcept nogil   # checks of `legal`
cdef int legal(const Pos* pos, Move* moves) noexcept nogil       # every legal move
cdef int count_legal(const Pos* pos) noexcept nogil              # their number, without writing them

cdef bint is_legal(const Pos* pos, Move move) noexcept nogil     # `move` may be any 16 bits

cdef inline bint has_legal(const Pos* pos) noexcept nogil:
    return count_legal(pos) != 0

cdef inline bint is_noisy(const Pos* pos, Move move) noexcept nogil:
    """Whether a move is a capture or a pawn promotion, the class that `captures` generates."""
    return is_capture(pos, move) or (is_promotion(move) and kind_of(pos.board[move_from(move)]) == PAWN)
