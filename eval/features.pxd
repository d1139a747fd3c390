"""The feature index P, Bonanza's (a BonaPiece): every piece but the kings has one, for what it is, whose, and where.

First the hands, the n-th unit of a kind at a place of its own (n from 1; the place for n = 0 is never taken), then the
kinds on the board, a side's 81 squares together:

    pawns of Black 0..18, of White 19..37, then lances, knights, silvers, golds (5 each), bishops, rooks (3 each): 90
    pawns of Black 90..170, of White 171..251, then lances, knights, silvers, golds, bishops, horses, rooks, dragons

What moves as a gold is a gold. A piece that is not in play (handicap, mate problem) has NO_FEATURE, which no piece in
play has and which counts for nothing.
"""
from engine.types cimport PLACES, u16

cdef enum:
    FEATURES = 1548
    HAND_FEATURES = 90
    NO_FEATURE = 0
    LISTED = 38                 # pieces that a set has besides the kings: a position has so many features

cdef u16[PLACES] index          # NO_FEATURE for kings and for what is no place
cdef u16[FEATURES] inverse      # the same piece of the other side, the board turned by 180 degrees
cdef u16[FEATURES] mirror       # file 1 for file 9 and so on; hands stay

cdef inline int inverse_square(int square) noexcept nogil:
    return 80 - square

cdef inline int mirror_square(int square) noexcept nogil:
    return square + 72 - 18 * (square // 9)
