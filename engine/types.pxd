"""Squares, pieces, hands, moves and scores: the types that all packages share.

A square is `file * 9 + rank`, file 0 being "1" (Black's right) and rank 0 being "a" (White's side), so "7g" is 60 and
a file is nine neighbouring bits of a bitboard.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64
ctypedef int16_t i16
ctypedef int32_t i32
ctypedef int64_t i64

ctypedef u16 Move
ctypedef u32 Hand

cdef extern from "bits.h" nogil:
    # Cython does not know this type, so a narrower one is declared. Every operator is passed on to C unchanged.
    ctypedef unsigned long long u128
    enum:
        HAS_PEXT "GAKUSHI_HAS_PEXT"
    u64 pext(u64 word, u64 mask)
    int lsb(u64 word)
    int msb(u64 word)
    int popcount(u64 word)
    u64 bswap(u64 word)
    u128 single_bit(int index)
    void prefetch(const void* address)

cdef extern from "build.h" nogil:
    enum:
        DEBUG "GAKUSHI_DEBUG"   # 1 in a build that checks itself at every node

cdef enum:
    SQUARES = 81
    NO_SQUARE = 81

cdef enum:
    BLACK = 0                   # sente, moves up the board, towards rank "a"
    WHITE = 1

# Kinds of piece. A promoted kind is the kind plus 8.
cdef enum:
    PAWN = 1
    LANCE = 2
    KNIGHT = 3
    SILVER = 4
    BISHOP = 5
    ROOK = 6
    GOLD = 7
    KING = 8
    PRO_PAWN = 9
    PRO_LANCE = 10
    PRO_KNIGHT = 11
    PRO_SILVER = 12
    HORSE = 13
    DRAGON = 14
    KINDS = 16                  # size of a table indexed by kind
    PROMOTED = 8

# A piece is its kind, plus 16 if it is White's. 0 is an empty square.
cdef enum:
    NO_PIECE = 0
    WHITE_PIECE = 16
    PIECES = 32                 # size of a table indexed by piece

cdef inline int kind_of(int piece) noexcept nogil:
    return piece & 15

cdef inline int color_of(int piece) noexcept nogil:
    return piece >> 4

cdef inline int make_piece(int color, int kind) noexcept nogil:
    return kind | color << 4

cdef inline int unpromoted(int kind) noexcept nogil:
    """The kind that a captured piece becomes in hand; not for kings."""
    return kind & 7

cdef inline int can_promote(int kind) noexcept nogil:
    return kind < GOLD

cdef inline bint is_slider(int kind) noexcept nogil:
    return (1 << kind & (1 << LANCE | 1 << BISHOP | 1 << ROOK | 1 << HORSE | 1 << DRAGON)) != 0

cdef inline int file_of(int square) noexcept nogil:
    return square // 9

cdef inline int rank_of(int square) noexcept nogil:
    return square % 9

# A hand packs the count of each kind into 32 bits: pawns in bits 0..4, the others in three bits from 4 * kind. A free
# bit above each count lets one subtraction compare all of them.

cdef inline int hand_shift(int kind) noexcept nogil:
    return 0 if kind == PAWN else 4 * kind

cdef inline Hand hand_unit(int kind) noexcept nogil:
    return <Hand>1 << hand_shift(kind)

cdef inline int hand_count(Hand hand, int kind) noexcept nogil:
    return (hand >> hand_shift(kind)) & (31 if kind == PAWN else 7)

cdef inline bint hand_has(Hand hand, int kind) noexcept nogil:
    return (hand & ((<Hand>(31 if kind == PAWN else 7)) << hand_shift(kind))) != 0

cdef inline bint hand_dominates(Hand hand, Hand other) noexcept nogil:
    """Whether `hand` holds at least as many of every kind as `other` does."""
    return ((hand - other) & <Hand>0x88888820ULL) == 0   # the subtraction of no count borrowed its free bit

# A place: a piece's code and square or, in hand, its code and number among the pieces of its kind (from 1), packed into
# one number so that tables by place are indexed by a shift. The evaluation's indices (BonaPiece, eval/features.pxd) are
# looked up by place.
ctypedef u16 Place

cdef enum:
    SQUARE_ROW = 128            # size of a table row indexed by square
    PLACES = PIECES * SQUARE_ROW
    HAND_PLACE = 96             # in hand, n-th unit: piece << 7 | HAND_PLACE + n

cdef inline Place board_place(int piece, int square) noexcept nogil:
    return <Place>(piece << 7 | square)

cdef inline Place hand_place(int color, int kind, int n) noexcept nogil:
    return <Place>(make_piece(color, kind) << 7 | (HAND_PLACE + n))

# A move in 16 bits: target 0..6, origin 7..13 (for a drop: the kind), drop 14, promotion 15. The side that moves and
# the captured piece follow from the position.
cdef enum:
    MOVE_NONE = 0
    MOVE_NULL = 129             # origin and target both 1, which no real move has
    MOVE_DROP = 1 << 14
    MOVE_PROMOTE = 1 << 15
    MAX_MOVES = 600             # a position has at most 593 legal moves

cdef inline int move_to(Move move) noexcept nogil:
    return move & 127

cdef inline int move_from(Move move) noexcept nogil:
    return (move >> 7) & 127

cdef inline int dropped_kind(Move move) noexcept nogil:
    return (move >> 7) & 127

cdef inline bint is_drop(Move move) noexcept nogil:
    return (move & MOVE_DROP) != 0

cdef inline bint is_promotion(Move move) noexcept nogil:
    return (move & MOVE_PROMOTE) != 0

cdef inline Move make_move(int origin, int target) noexcept nogil:
    return <Move>(target | origin << 7)

cdef inline Move make_promotion(int origin, int target) noexcept nogil:
    return <Move>(target | origin << 7 | MOVE_PROMOTE)

cdef inline Move make_drop(int kind, int target) noexcept nogil:
    return <Move>(target | kind << 7 | MOVE_DROP)

# Scores are centipawns for the side to move. Negating a score never overflows 16 bits.
cdef enum:
    MAX_PLY = 246
    INFINITE = 32001
    MATE = 32000                # mated now is -MATE; a mate in n plies is MATE - n
    MATE_IN_MAX_PLY = MATE - MAX_PLY
    SUPERIOR = 28000            # a repeated board with a dominating hand: nearly won
    MAX_EVAL = 27000            # bound of a static evaluation
    NO_SCORE = 32002            # an unknown score

cdef inline int mated_in(int ply) noexcept nogil:
    return -MATE + ply

cdef inline int mate_in(int ply) noexcept nogil:
    return MATE - ply
