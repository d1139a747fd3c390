"""Positions in 32 bytes and moves in 16 bits, as the field's training data hold them.

Two codings are about: `HuffmanCodedPos` of Apery (in hcpe records) and `PackedSfen` of YaneuraOu (in PackedSfenValue
records). Both are 256 bits, the first being the lowest of the first byte: side to move; the squares of Black's and
White's king, 7 bits each, low bit first; for every other square the code of what stands on it; then what is in hand, a
code for each piece. Pieces that a handicap took off follow in a code of their own ("the box"), so that the length is
always the same. The codings differ in some codes and in the order of the bits for side and promotion.

A move of YaneuraOu's is the engine's own. Apery's has a drop as the origin 80 + kind instead, and promotion in bit 14.
"""
from engine.position cimport Pos
from engine.types cimport (BISHOP, BLACK, GOLD, KING, KNIGHT, LANCE, MOVE_PROMOTE, NO_PIECE, PAWN, PIECES, PROMOTED,
                           ROOK, SILVER, SQUARES, SQUARE_ROW, WHITE, Move, Place, board_place, can_promote, color_of,
                           dropped_kind, hand_place, is_drop, is_promotion, kind_of, make_drop, make_piece, move_from,
                           move_to, u16, u8, unpromoted)

cdef enum:
    PACKED_BYTES = 32
    OTHER_PIECES = 38           # all but the kings

cdef enum:                      # coding
    APERY = 0
    YANEURAOU = 1

cdef struct Placed:             # a packed position, opened
    int turn
    int king[2]
    int count                   # of the other pieces in play
    Place place[OTHER_PIECES]   # theirs: those on the board by square, then those in hand, in no order that is promised

cdef bint unpack(Placed* placed, const u8* packed, int coding) noexcept nogil
"""False if the bits are no packed position: a king missing, a code that is none, more of a kind than a set has."""
cdef bint pack(u8* packed, const Placed* placed, int coding) noexcept nogil
"""False if the position cannot be packed: a king missing. `placed` may have its pieces in any order."""
cdef bint place_all(Placed* placed, const Pos* pos) noexcept nogil
"""What `unpack` would find; False if a king is missing."""

cdef inline u16 apery_move(Move move) noexcept nogil:
    if is_drop(move):
        return <u16>(move_to(move) | (SQUARES - 1 + dropped_kind(move)) << 7)
    return <u16>((move & 0x3fff) | (MOVE_PROMOTE >> 1 if is_promotion(move) else 0))

cdef inline Move move_of_apery(u16 move) noexcept nogil:
    if move_from(move) >= SQUARES:
        return make_drop(move_from(move) - (SQUARES - 1), move_to(move))
    return <Move>((move & 0x3fff) | (MOVE_PROMOTE if move & MOVE_PROMOTE >> 1 else 0))
