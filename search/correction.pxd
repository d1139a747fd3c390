"""Correction history: by how much searches found the static evaluation wrong in positions with something in common.

The keys say what positions have in common: their pawns, their minor pieces, either side's other pieces, all on the
board. They follow the dirty pieces of each move. The last two moves of the side that moved last but one and of the
opponent are one more such thing, by piece and square. A correction is the weighted sum of the entries found.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport (BISHOP, HAND_PLACE, HORSE, DRAGON, KING, PAWN, ROOK, SQUARE_ROW, Place, color_of, i16,
                           kind_of, u64)
from engine.zobrist cimport keys
from search.history cimport PIECE_TO_SIZE, learn

cdef enum:
    ENTRIES = 16384             # of each table and side to move
    PAIRS = 65536               # of the table of two moves
    CORRECTION_LIMIT = 1024     # of |value|
    LARGEST_STEP = 256          # of one update

cdef struct CorrectionKeys:
    u64 pawns
    u64 minors                  # lances, knights, silvers, golds and what moves like them, of both sides
    u64 pieces[2]               # by colour: all but pawns, with the king

cdef struct Correction:
    i16 pawns[2][ENTRIES]       # by the side to move
    i16 minors[2][ENTRIES]
    i16 pieces[2][2][ENTRIES]   # by colour of the pieces and side to move
    i16 moves[PAIRS]            # by an earlier move of the side to move and the opponent's last

cdef void count_keys(CorrectionKeys* sums, const Pos* pos) noexcept nogil
"""From the whole position."""
cdef void check_keys(const CorrectionKeys* sums, const Pos* pos) noexcept nogil
"""An AssertionError if the keys are not those of the position."""

cdef inline void toggle(CorrectionKeys* sums, Place place) noexcept nogil:
    """A piece comes or goes, if it is on the board."""
    cdef int piece = place // SQUARE_ROW
    cdef int kind = kind_of(piece)
    if place % SQUARE_ROW >= HAND_PLACE:
        return
    if kind == PAWN:
        sums.pawns ^= keys.place[place]
        return
    sums.pieces[color_of(piece)] ^= keys.place[place]
    if not 1 << kind & (1 << BISHOP | 1 << ROOK | 1 << HORSE | 1 << DRAGON | 1 << KING):
        sums.minors ^= keys.place[place]

cdef inline void update_keys(CorrectionKeys* sums, const CorrectionKeys* parent,
                             const DirtyPieces* dirty) noexcept nogil:
    cdef int i
    sums[0] = parent[0]
    for i in range(dirty.count):
        toggle(sums, dirty.before[i])
        toggle(sums, dirty.after[i])

cdef inline int pair_of(int earlier, int last) noexcept nogil:
    """Where the table of two moves has those, each as a piece and a target (history.pxd)."""
    return <int>((<u64>(earlier * (PIECE_TO_SIZE + 1) + last) * 0x9e3779b97f4a7c15ULL) >> 48)
