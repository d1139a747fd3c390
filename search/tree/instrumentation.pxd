"""Where the search tells the hash statistics (tt/statistics/counts.pxd) what it does with the table.

The search is compiled twice from the same sources: with INSTRUMENTED on in search/instrumented.pyx, and off as it
plays; there the compiler leaves all of this out.
"""
from engine.position cimport Pos, key
from engine.types cimport u64
from tt.statistics.counts cimport Statistics, leave, refer, sign
from tt.table cimport Table

cdef extern from *:
    """
    #ifndef GAKUSHI_INSTRUMENTED
    #define GAKUSHI_INSTRUMENTED 0
    #endif
    """
    enum:
        INSTRUMENTED "GAKUSHI_INSTRUMENTED"

cdef enum Fault:                # injected: keys broken on purpose, to see that the statistics notice
    NO_FAULT = 0
    HAND_LEFT_OUT = 1           # pawns in hand; of one side alone would not do: the board and the other hand tell all
    LOW_BITS_CORRELATED = 2     # the low 16 bits repeat the high ones

cdef struct Instruments:
    Statistics* statistics
    Fault injected_fault

cdef u64 fingerprint(const Pos* pos) noexcept nogil
"""A hash of the whole position that shares nothing with its key: of a million positions, a chance of 1 in 10^7 that
two are alike."""

cdef u64 faulty_key(const Pos* pos, Fault injected_fault) noexcept nogil

cdef inline u64 table_key(const Instruments* instruments, const Pos* pos) noexcept nogil:
    """What the table knows a position by."""
    return faulty_key(pos, instruments.injected_fault) if INSTRUMENTED else key(pos)

cdef inline void count_probe(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    """The table is about to be asked about this position."""
    if INSTRUMENTED:
        refer(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))

cdef inline void count_leaving(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    """The node is left with the table's value, or its own is about to be stored."""
    if INSTRUMENTED:
        leave(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))

cdef inline void count_stored(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    if INSTRUMENTED:
        sign(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))
