"""The evaluation: material, KK, KKP, KPP and tempo, kept up to date from the dirty pieces alone.

An `Accumulator` is what one ply of the search keeps of it. They lie in an array by ply: `refresh` sums the root's over
the whole position, `update` follows a move or a null move, and going back needs nothing. `update` only does the
material; the sums over tables are brought up to date when `evaluate` asks, ply by ply from the nearest ancestor that
has them. So a ply that is never asked costs nothing, and what is found out on the way serves the siblings.

A king's move changes all that its side sees. But kings go back and forth: `RefreshCache`, a "Finny table", keeps for
each square what the half of KPP was when the king last stood there, and only what differs is summed again.

Without tables (NULL), or where a king is missing, the evaluation is the material.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport BLACK, DEBUG, MAX_EVAL, NO_SQUARE, SQUARES, WHITE, i32, u8, u16
from eval.material cimport balance_of, values
from eval.tables cimport LIST, SCALE, KppTables

cdef struct Sums:
    i32 kings                   # KK and KKP
    i32 half[2]                 # KPP as Black's king and as White's king sees it
    u8 king[2]                  # squares
    u16 rows[2][LIST]           # by piece number, in the view of either king (tables.pxd)

cdef struct Accumulator:
    i32 material                # Black's over White's, in centipawns
    bint known                  # whether the sums are those of this ply
    Sums sums

cdef struct RefreshEntry:       # a half, and the list that it is of
    bint known
    i32 half
    u16 rows[LIST]

cdef struct RefreshCache:       # all zeros: nothing is known; to be cleared when the tables change
    RefreshEntry entries[2][SQUARES]    # by colour and the king's square

cdef void sum_up(const KppTables* tables, Sums* sums, const Pos* pos) noexcept nogil  # in full; both kings are there
cdef void catch_up(const KppTables* tables, RefreshCache* cache, Accumulator* sum, const Pos* pos) noexcept nogil
cdef void check(const KppTables* tables, const Accumulator* sum, const Pos* pos) noexcept nogil
"""An AssertionError if the sums are not the full ones."""

cdef inline bint uses_tables(const KppTables* tables, const Pos* pos) noexcept nogil:
    return tables != NULL and pos.king[BLACK] != NO_SQUARE and pos.king[WHITE] != NO_SQUARE

cdef inline void refresh(const KppTables* tables, Accumulator* sum, const Pos* pos) noexcept nogil:
    sum.material = balance_of(pos)
    sum.known = True
    if uses_tables(tables, pos):
        sum_up(tables, &sum.sums, pos)

cdef inline void update(Accumulator* sum, const Accumulator* parent, const Pos* pos) noexcept nogil:
    """After a move, or a null move, on `pos`."""
    cdef const DirtyPieces* dirty = &pos.state.dirty
    cdef int i
    sum.material = parent.material
    for i in range(dirty.count):
        sum.material += values.place[dirty.after[i]] - values.place[dirty.before[i]]
    sum.known = False

cdef inline int evaluate(const KppTables* tables, RefreshCache* cache, Accumulator* sum, const Pos* pos) noexcept nogil:
    """Centipawns for the side to move. Below `sum` in its array lie the plies before, down to one refreshed."""
    cdef i32 score = SCALE * sum.material
    cdef i32 tempo = 0
    if uses_tables(tables, pos):
        if not sum.known:
            catch_up(tables, cache, sum, pos)
        score += sum.sums.kings + sum.sums.half[BLACK] - sum.sums.half[WHITE]
        tempo = tables.tempo
    if DEBUG:
        check(tables, sum, pos)
    score = ((-score if pos.turn else score) + tempo) // SCALE      # C's division: towards 0, the same for either side
    return max(-MAX_EVAL, min(score, MAX_EVAL))
