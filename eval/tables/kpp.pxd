"""The sums of KK, KKP and KPP over the tables (layout.pxd): full refresh and updates.

A king's move changes its side's whole view. But kings move back and forth. So `RefreshCache` (a Finny table) keeps, for
each square, the half of KPP from when the king last stood there, and only the pieces that differ are exchanged.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport BLACK, SQUARES, WHITE, i32, u8, u16
from eval.tables.layout cimport LIST, SCALE, KppTables

cdef struct KppSums:
    i32 kings                   # KK and KKP for Black
    i32 turn                    # KK and KKP for the side to move
    i32 half[2]                 # KPP in the views of Black's and White's king
    u8 king[2]                  # squares
    u16 rows[2][LIST]           # by piece number, in either king's view (layout.pxd)

cdef struct RefreshEntry:       # a half, and the list of its pieces
    bint known
    i32 half
    u16 rows[LIST]

cdef struct RefreshCache:       # empty if all zeros; clear it when the tables change
    RefreshEntry entries[2][SQUARES]    # by colour and the king's square

cdef void refresh_sums(const KppTables* tables, KppSums* sums, const Pos* pos) noexcept nogil
"""Compute the sums from the whole position, which must have both kings."""
cdef void update_sums(const KppTables* tables, RefreshCache* cache, KppSums* sums, const KppSums* parent,
                      const DirtyPieces* dirty) noexcept nogil
"""Compute the sums after a move or null move from those before."""

cdef inline int centipawns(const KppTables* tables, const KppSums* sums, int material, int turn) noexcept nogil:
    """The evaluation in centipawns for the side to move; `material` is Black's minus White's."""
    cdef i32 score = SCALE * material + sums.kings + sums.half[BLACK] - sums.half[WHITE]
    score = (-score if turn else score) + sums.turn + tables.tempo
    return score // SCALE       # C's division, towards 0, so that both sides agree
