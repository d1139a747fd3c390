"""Positions in 32 bytes and moves in 16 bits, as in common training data.

There are two codings: `HuffmanCodedPos` of Apery (in hcpe records) and `PackedSfen` of YaneuraOu (in PackedSfenValue
records). Both codings have 256 bits, beginning with the lowest bit of the first byte: the side to move; the squares of
Black's and White's king, 7 bits each, low bit first; the code of every other square's content; a code for each piece in
hand. Pieces that are missing because of a handicap follow, in codes of their own ("the box"), so that the length is
always the same. The codings differ in some codes and in the order of the bits for side and promotion.

YaneuraOu's moves are coded as in types.pxd. Apery's have the origin 80 + kind for a drop, and promotion in bit 14.
"""
from engine.position cimport Pos
from engine.types cimport (MOVE_PROMOTE, SQUARES, Move, Place, dropped_kind, is_drop, is_promotion, make_drop,
                           move_from, move_to, u16, u8)

cdef enum:
    PACKED_BYTES = 32
    OTHER_PIECES = 38           # all but the kings

cdef enum:                      # coding
    APERY = 0
    YANEURAOU = 1

cdef struct Placed:             # an unpacked position
    int turn
    int king[2]
    int count                   # of the other pieces in play
    Place place[OTHER_PIECES]   # on the board by square, then in hand; any order within the hands

cdef bint unpack(Placed* placed, const u8* packed, int coding) noexcept nogil
"""Unpack a position. False if the bits are none: no king, an invalid code, more of a kind than a set has."""
cdef bint pack(u8* packed, const Placed* placed, int coding) noexcept nogil
"""Pack a position, whose pieces may be in any order. False if a king is missing."""
cdef void set_up(Pos* pos, const Placed* placed) noexcept nogil
"""Set up an unpacked position, at ply 1. The position may be one that cannot occur in a game."""
cdef bint place_all(Placed* placed, const Pos* pos) noexcept nogil
"""Fill `placed` from a position, as `unpack` would. False if a king is missing."""

cdef inline u16 apery_move(Move move) noexcept nogil:
    if is_drop(move):
        return <u16>(move_to(move) | (SQUARES - 1 + dropped_kind(move)) << 7)
    return <u16>((move & 0x3fff) | (MOVE_PROMOTE >> 1 if is_promotion(move) else 0))

cdef inline Move move_of_apery(u16 move) noexcept nogil:
    if move_from(move) >= SQUARES:
        return make_drop(move_from(move) - (SQUARES - 1), move_to(move))
    return <Move>((move & 0x3fff) | (MOVE_PROMOTE if move & MOVE_PROMOTE >> 1 else 0))
