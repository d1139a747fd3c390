"""The feature index P (Bonanza's BonaPiece): a number for every piece but the kings, by kind, side and place.

The hands come first: the n-th piece of a kind has its own index (n from 1; the index for n = 0 is unused). The kinds on
the board follow, 81 squares for each side:

    pawns of Black 0..18, of White 19..37, then lances, knights, silvers, golds (5 each), bishops, rooks (3 each): 90
    pawns of Black 90..170, of White 171..251, then lances, knights, silvers, golds, bishops, horses, rooks, dragons

Promoted minor pieces count as golds. A piece that is not in play (handicap, mate problem) has NO_FEATURE, whose weights
are zero.
"""
from engine.types cimport PLACES, u16

cdef enum:
    FEATURES = 1548
    HAND_FEATURES = 90
    NO_FEATURE = 0
    LISTED = 38                 # pieces of a set without the kings: the features of a position

cdef u16[PLACES] index          # by place; NO_FEATURE for kings and unused numbers
cdef u16[FEATURES] inverse      # of the same piece of the other side on the board turned by 180 degrees
cdef u16[FEATURES] mirror       # of the piece mirrored left to right (file 1 to file 9); hands stay

cdef inline int inverse_square(int square) noexcept nogil:
    return 80 - square

cdef inline int mirror_square(int square) noexcept nogil:
    return square + 72 - 18 * (square // 9)
