"""Material: a value for every place that a piece is in, the part of the evaluation that is not learnt."""
from engine.position cimport Pos
from engine.types cimport PIECES, PLACES, i16

cpdef enum:
    SLOPE = 600                 # centipawns by which a winning rate's logarithmic odds grow by 1

cdef struct Values:
    i16 place[PLACES]           # a piece's worth where it is, for Black
    i16 exchange[PIECES]        # what taking a piece swings the balance by: one lost there, one gained in hand
    i16 promotion[PIECES]       # what promoting it adds

cdef Values values

cdef int balance_of(const Pos* pos) noexcept nogil      # of Black's pieces over White's, summed over the whole position
