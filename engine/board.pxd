"""The Python face of the core: `Position` owns one `Pos` and checks all that comes in."""
from engine.position cimport Pos
from engine.types cimport *

cdef class Position:
    cdef Pos pos
    cdef readonly str initial_sfen
    cdef set_up(self, placement, text)
    cdef Move legal_move(self, str usi) except? 0

cdef str usi_of(Move move)              # "7g7f", "2b3c+", "P*5e"
cdef Move move_of(str usi) except? 0    # ValueError if it is no move's text; the position may still refuse it
