"""The Python face of the core: `Position` owns one `Pos` and checks all that comes in."""
from engine.position cimport Pos
from engine.types cimport Move

cdef class Position:
    cdef Pos pos
    cdef object __weakref__
    cdef readonly str initial_sfen
    cdef put_all(self, placement)
    cdef begin(self, text)              # ValueError, quoting the text, if the side not to move is in check
    cdef _last_move(self)
    cdef Move legal_move(self, str usi) except? 0

cdef str usi_of(Move move)              # "7g7f", "2b3c+", "P*5e"
cdef Move move_of(str usi) except? 0    # UserError if it is no move's text; the position may still refuse it
