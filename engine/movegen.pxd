"""Move generators. All are strictly legal: pins, evasions, nifu and drop-pawn mate are dealt with here, and a caller
never has to test a generated move.

`captures` and `quiets` are disjoint, and together they are `legal` less the non-promotions that are never better: of a
pawn, a bishop or a rook that could promote, and of a lance that could and would be left on its second-last rank.
"""
from engine.position cimport CheckInfo, Pos, is_capture
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, MOVE_DROP, MOVE_PROMOTE, NO_SQUARE,
                           PAWN, PROMOTED, PRO_PAWN, PRO_SILVER, ROOK, SILVER, SQUARES, Hand, Move, can_promote,
                           hand_has, is_drop, is_promotion, kind_of, lsb, move_from, move_to, u128, u64)

# Each writes moves at `moves` (room for MAX_MOVES) and returns how many.
cdef int captures(const Pos* pos, Move* moves) noexcept nogil    # and promotions of pawns; not in check
cdef int quiets(const Pos* pos, Move* moves) noexcept nogil      # all others; not in check
cdef int evasions(const Pos* pos, Move* moves) noexcept nogil    # in check, both classes
cdef int checks(const Pos* pos, const CheckInfo* check_info, Move* moves) noexcept nogil   # of `legal`, in check too
cdef int legal(const Pos* pos, Move* moves) noexcept nogil       # every legal move
cdef int count_legal(const Pos* pos) noexcept nogil              # how many, without writing them

cdef bint is_legal(const Pos* pos, Move move) noexcept nogil     # any 16 bits whatever

cdef inline bint has_legal(const Pos* pos) noexcept nogil:
    return count_legal(pos) != 0

cdef inline bint is_noisy(const Pos* pos, Move move) noexcept nogil:
    """Of the class that `captures` generates: captures and promotions of pawns."""
    return is_capture(pos, move) or (is_promotion(move) and kind_of(pos.board[move_from(move)]) == PAWN)
