"""The Python face of the core: `Position` owns one `Pos` and checks all that comes in."""
from engine.position cimport Pos
from engine.types cimport Move

cdef class Position:
    cdef Pos pos
    cdef object __weakref__
    cdef readonly str initial_sfen
    cdef _last_move(self)
    cdef Move legal_move(self, usi) except? 0
    cdef Move _require_played(self) except? 0
