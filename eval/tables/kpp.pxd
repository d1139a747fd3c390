"""The sums of KK, KKP and KPP over the tables (layout.pxd), in full and from move to move.

A king's move changes all that its side sees. But kings go back and forth: `RefreshCache`, a "Finny table", keeps for
each square what the half of KPP was when the king last stood there, and only what differs is summed again.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport BLACK, SQUARES, WHITE, i32, u8, u16
from eval.tables.layout cimport LIST, SCALE, KppTables

cdef struct KppSums:
    i32 kings                   # KK and KKP for Black
    i32 turn                    # … for the side to move, whoever it is
    i32 half[2]                 # KPP as Black's king and as White's king sees it
    u8 king[2]                  # squares
    u16 rows[2][LIST]           # by piece number, in the view of either king (layout.pxd)

cdef struct RefreshEntry:       # a half, and the list that it is of
    bint known
    i32 half
    u16 rows[LIST]

cdef struct RefreshCache:       # all zeros: nothing is known; to be cleared when the tables change
    RefreshEntry entries[2][SQUARES]    # by colour and the king's square

cdef void refresh_sums(const KppTables* tables, KppSums* sums, const Pos* pos) noexcept nogil
"""In full; both kings are there."""
cdef void update_sums(const KppTables* tables, RefreshCache* cache, KppSums* sums, const KppSums* parent,
                      const DirtyPieces* dirty) noexcept nogil
"""After a move, or a null move, from the sums before it."""

cdef inline int centipawns(const KppTables* tables, const KppSums* sums, int material, int turn) noexcept nogil:
    """For the side to move, with the material, which is Black's over White's."""
    cdef i32 score = SCALE * material + sums.kings + sums.half[BLACK] - sums.half[WHITE]
    score = (-score if turn else score) + sums.turn + tables.tempo
    return score // SCALE       # C's division: towards 0, the same for either side
