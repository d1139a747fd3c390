"""Move histories at the start (see history.pxd)."""
from libc.string cimport memset

cdef enum:                              # what a move is worth that nothing is known about
    NEW_LOW_PLY = 98
    NEW_CAPTURE = -678
    NEW_CONTINUATION = -523


cdef inline void fill(i16* values, size_t count, i16 value) noexcept nogil:
    cdef size_t i
    for i in range(count):
        values[i] = value


cdef void reset_history(History* history) noexcept nogil:
    memset(history.main, 0, sizeof(history.main))
    reset_low_plies(history)
    fill(&history.capture[0][0], sizeof(history.capture) // sizeof(i16), NEW_CAPTURE)
    fill(&history.continuation[0][0][0][0], sizeof(history.continuation) // sizeof(i16), NEW_CONTINUATION)
    history.table_move = 0


cdef void reset_low_plies(History* history) noexcept nogil:
    fill(&history.low_ply[0][0], sizeof(history.low_ply) // sizeof(i16), NEW_LOW_PLY)
