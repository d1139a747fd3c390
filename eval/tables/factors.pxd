"""Factored weights: the entries of the tables KK, KKP and KPP are sums of these.

The tables have too many entries to learn each from positions. So each entry is the sum of several weights that it
shares with similar entries: one for the two pieces wherever the king is, one for their kinds and the vector between
them, and so on. So even an entry that occurs in no training position gets a sensible value. `expansion` sums the
weights into tables.

The numbering includes the symmetries of the board. Entries that are images of each other share one weight, with a sign:
mirroring all pieces keeps the value; exchanging the sides and turning the board negates it. A weight that would have to
equal its own negation is 0 and is left out. An image is numbered by two bits: the lower bit means mirrored, the upper
bit means sides exchanged and board turned.

KK and KKP each have two weight sets: one for Black, one for the side to move (KKPT). Exchanging the sides exchanges the
mover, too. So no image negates a weight for the side to move, and every orbit has such a weight.

The two sets lose nothing. Let v(X, c) be what X is worth to c when c is to move. Then v(X, Black) = s(X) + t(X) and
v(X, White) = t(X) - s(X) have exactly one solution s, t. If X' is X with the sides exchanged, v(X, Black) = v(X',
White), and hence s(X') = -s(X) and t(X') = t(X).
"""
from engine.types cimport SQUARES, u16, u32, u8
from eval.features cimport FEATURES, inverse_square, mirror_square

# The sets of weights, in their order in a flat array of all weights.
cdef enum:
    TEMPO = 0       # having the move
    KK = 1          # the two kings
    P = 2           # a piece
    KP = 3          # a king and a piece, seen from that king's side
    KP_VECTOR = 4   # a king and a piece by kind and side, and the vector between them; pieces on the board only
    KKP = 5         # both kings and a piece
    KK_TURN = 6     # the same five sets for the side to move
    P_TURN = 7
    KP_TURN = 8
    KP_VECTOR_TURN = 9
    KKP_TURN = 10
    PP = 11         # two pieces
    PP_VECTOR = 12  # two pieces by kinds and sides, and the vector between them; a piece in hand has no vector
    PP_RANK = 13    # two pieces by kinds, sides and ranks, and the number of files between them; in hand likewise
    KPP = 14        # a king and two pieces, seen from that king's side
    SETS = 15

cdef enum:
    IMAGES = 4
    EXCHANGED = 2               # images from here on negate weights for Black, and keep those for the mover
    FOR_TURN = KK_TURN - KK     # added to a set for Black: the same set for the side to move
    PAIR_SETS = 3               # PP, PP_VECTOR, PP_RANK: pairs of pieces, independent of the kings
    KING_ORBITS = 1701          # pairs of kings, images counted once
    FOLDED_KINGS = 45           # kings on files 1 to 5; for kings on other files the position is mirrored
    CENTRE = 36                 # the first folded king on file 5, whose mirror image is itself
    KIND_SIDES = 18             # kinds of pieces on the board, by side
    FILES_APART = 9
    RANKS_APART = 17            # from -8 to 8
    VECTORS = FILES_APART * RANKS_APART
    TRIANGLE = FEATURES * (FEATURES + 1) // 2
    PP_ORBITS = 307026          # weights of a pair set: orbits that are not their own negation
    PP_VECTOR_ORBITS = 12546
    PP_RANK_ORBITS = 66258

cdef struct Kings:
    u16 orbit
    u8 image                    # the image that maps this pair to its orbit's first one
    u8 stabiliser               # a bit for each image that maps the pair to itself

cdef struct FactorTables:
    u32[SETS + 1] start                 # of each set in a flat array of all weights, and the end
    u16[IMAGES][FEATURES] image
    Kings[SQUARES][SQUARES] kings
    u16[KING_ORBITS] first              # each orbit's first pair: Black's king * 81 + White's

cdef FactorTables tables

cdef struct Pair:               # by pair set: the weight's number << 1 | negated, or NO_WEIGHT
    u32[PAIR_SETS] weight

cdef enum:
    NO_WEIGHT = 0xFFFFFFFF

cdef int fill_pairs(Pair* pairs) except -1 nogil    # by `triangle`

cdef inline u32 triangle(int i, int j) noexcept nogil:
    """The number of an unordered pair of features."""
    cdef int high = i if i > j else j
    cdef int low = j if i > j else i
    return high * (high + 1) // 2 + low

cdef inline bint mirrors(int king) noexcept nogil:
    """Whether a king stands on files 6 to 9, so that its half is mirrored."""
    return king >= FOLDED_KINGS

cdef inline int folded(int king) noexcept nogil:
    return mirror_square(king) if mirrors(king) else king

cdef inline bint is_exchanged(int image) noexcept nogil:
    return image >> 1

cdef inline int turned(int king, int image) noexcept nogil:
    """The king's square in an image."""
    if is_exchanged(image):
        king = inverse_square(king)
    return mirror_square(king) if image & 1 else king

# The number of a weight in its set. For a half: king and feature in its own side's view, not yet mirrored.
cdef u32 kp_weight(int king, int feature) noexcept nogil
cdef u32 kp_vector_weight(int king, int feature) noexcept nogil     # NO_WEIGHT for a piece in hand
# In Black's view, with a sign: number << 1 | negated, or NO_WEIGHT. Weights `for_turn` are never negated.
cdef u32 kk_weight(const Kings* kings, bint for_turn) noexcept nogil
cdef u32 p_weight(int feature, bint for_turn) noexcept nogil
cdef u32 kkp_weight(const Kings* kings, int feature, bint for_turn) noexcept nogil
