"""Material: a fixed value for each piece, the part of the evaluation that is not learned."""
from engine.position cimport Pos
from engine.types cimport PIECES, PLACES, i16

cpdef enum:
    SLOPE = 600                 # centipawns per unit of a winning rate's log-odds

cdef struct Values:
    i16 place[PLACES]           # a piece's value for Black, by place
    i16 exchange[PIECES]        # material gained by capturing a piece: its loss on the board plus its gain in hand
    i16 promotion[PIECES]       # material gained by promoting it

cdef Values values

cdef int balance_of(const Pos* pos) noexcept nogil      # Black's minus White's, in centipawns
