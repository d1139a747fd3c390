"""Correction history: how far the static evaluation was off in earlier searches of similar positions.

Positions are similar if they share a key: on the board the same pawns, the same minor pieces, or the same pieces of one
side, its pawns left out; the same hands; or the same two moves, which are the opponent's last move and an earlier one
of the side to move. The board's keys are updated from each move's dirty pieces. The correction is the weighted sum of
the entries.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport PLACES, i16, u64
from search.tree.history cimport PIECE_TO_SIZE

cdef enum:
    ENTRIES = 2048              # of each table, by side to move; few, so that they stay in the CPU cache
    PAIRS = 1 << 13             # entries of the table by two moves
    CORRECTION_LIMIT = 1024     # of |value|
    LARGEST_STEP = 256          # of one update

ctypedef u64 CorrectionKeys     # 16 bits each: PAWNS, MINORS, and from PIECES on the pieces of each colour

cdef enum:
    PAWNS
    MINORS                      # lances, knights, silvers, golds and pieces that move like golds, of both sides
    PIECES                      # by colour: all but pawns, the king included

cdef u64[PLACES] shares         # what a piece contributes to the keys, by place; 0 for a piece in hand

cdef struct Correction:
    i16 pawns[2][ENTRIES]       # by the side to move
    i16 minors[2][ENTRIES]
    i16 pieces[2][2][ENTRIES]   # by colour of the pieces and side to move
    i16 hands[2][ENTRIES]
    i16 moves[PAIRS]            # by an earlier move of the side to move and the opponent's last

cdef CorrectionKeys count_keys(const Pos* pos) noexcept nogil
"""The keys, computed from the whole position."""
cdef void check_keys(CorrectionKeys sums, const Pos* pos) noexcept nogil
"""Raise AssertionError unless these are the keys of the position."""

cdef inline CorrectionKeys updated_keys(CorrectionKeys parent, const DirtyPieces* dirty) noexcept nogil:
    cdef int i
    for i in range(dirty.count):
        parent ^= shares[dirty.before[i]] ^ shares[dirty.after[i]]
    return parent

cdef inline int entry_of(CorrectionKeys sums, int key) noexcept nogil:
    return sums >> 16 * key & (ENTRIES - 1)

cdef inline int pair_of(int earlier, int last) noexcept nogil:
    """The index of two moves in the table `moves`, each given as piece and target (history.pxd)."""
    return <int>((<u64>(earlier * (PIECE_TO_SIZE + 1) + last) * 0x9e3779b97f4a7c15ULL) >> 51)
