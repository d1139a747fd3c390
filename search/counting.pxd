"""Where the search tells the hash statistics (tt/statistics.pxd) what it does with the table.

The search is compiled twice from the same sources: with COUNTING on in search/counted.pyx, and off as it plays; there
the compiler leaves all of this out.
"""
from engine.position cimport Pos, key
from engine.types cimport u64
from tt.statistics cimport Statistics, leave, refer, sign
from tt.table cimport Table

cdef extern from *:
    """
    #ifndef GAKUSHI_COUNTING
    #define GAKUSHI_COUNTING 0
    #endif
    """
    enum:
        COUNTING "GAKUSHI_COUNTING"

cdef enum Flaw:                 # keys broken on purpose, to see that the statistics notice
    NO_FLAW = 0
    HAND_LEFT_OUT = 1           # pawns in hand; of one side alone would not do: the board and the other hand tell all
    LOW_BITS_CORRELATED = 2     # the low 16 bits repeat the high ones

cdef struct Census:
    Statistics* statistics
    Flaw flaw

cdef u64 fingerprint(const Pos* pos) noexcept nogil
"""A hash of the whole position that shares nothing with its key: of a million positions, a chance of 1 in 10^7 that
two are alike."""

cdef u64 flawed_key(const Pos* pos, Flaw flaw) noexcept nogil

cdef inline u64 table_key(const Census* census, const Pos* pos) noexcept nogil:
    """What the table knows a position by."""
    return flawed_key(pos, census.flaw) if COUNTING else key(pos)

cdef inline void count_reference(const Census* census, const Table* table, const Pos* pos) noexcept nogil:
    """The table is about to be asked about this position."""
    if COUNTING:
        refer(census.statistics, table, table_key(census, pos), fingerprint(pos))

cdef inline void count_leaving(const Census* census, const Table* table, const Pos* pos) noexcept nogil:
    """The node is left with the table's value, or its own is about to be stored."""
    if COUNTING:
        leave(census.statistics, table, table_key(census, pos), fingerprint(pos))

cdef inline void count_stored(const Census* census, const Table* table, const Pos* pos) noexcept nogil:
    if COUNTING:
        sign(census.statistics, table, table_key(census, pos), fingerprint(pos))
