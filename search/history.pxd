"""How well quiet moves have done so far: the butterfly table, by side, origin and target."""
from engine.types cimport GOLD, SQUARES, Move, dropped_kind, i16, is_drop, move_from, move_to

cdef enum:
    ORIGINS = SQUARES + GOLD    # a dropped kind has an origin of its own

cdef struct History:
    i16 butterfly[2][ORIGINS][SQUARES]

cdef inline int origin_of(Move move) noexcept nogil:
    return SQUARES + dropped_kind(move) - 1 if is_drop(move) else move_from(move)

cdef inline i16* butterfly(History* history, int color, Move move) noexcept nogil:
    return &history.butterfly[color][origin_of(move)][move_to(move)]

cdef inline void learn(i16* value, int bonus, int limit) noexcept nogil:
    """Move a value towards its limit, the slower the nearer it already is: |value| never exceeds `limit`."""
    value[0] += <i16>(bonus - value[0] * abs(bonus) // limit)
