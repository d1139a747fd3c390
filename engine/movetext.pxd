"""Squares and moves in USI notation."""
from engine.types cimport Move, u128

cdef int square_of(str text, int start) except -1   # named by two characters of `text`; UserError if they name none
cdef list square_names(u128 squares)
cdef str usi_of(Move move)              # "7g7f", "2b3c+", "P*5e"; a turn that was passed is NULL_MOVE
cdef Move move_of(str usi) except? 0    # UserError if it is no move's text; the position may still refuse it
