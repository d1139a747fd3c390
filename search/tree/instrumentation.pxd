"""Hooks by which the search reports its use of the table to the hash statistics (tt/statistics/counts.pxd).

The search is compiled twice from the same sources. search/instrumented.pyx has INSTRUMENTED on; in the build that plays
it is off, and the compiler removes the hooks.
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

cdef enum Fault:                # keys broken on purpose, to test that the statistics notice
    NO_FAULT = 0
    HAND_LEFT_OUT = 1           # pawns of both hands; one hand follows from the board and the other hand
    LOW_BITS_CORRELATED = 2     # the low 16 bits repeat the high ones

cdef struct Instruments:
    Statistics* statistics
    Fault injected_fault

cdef u64 fingerprint(const Pos* pos) noexcept nogil
"""A hash of the whole position, independent of its key. Among a million positions the chance of a collision is 1 in
10^7."""

cdef u64 faulty_key(const Pos* pos, Fault injected_fault) noexcept nogil

cdef inline u64 table_key(const Instruments* instruments, const Pos* pos) noexcept nogil:
    """The key under which the table stores a position."""
    return faulty_key(pos, instruments.injected_fault) if INSTRUMENTED else key(pos)

cdef inline void count_probe(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    """Call before probing the table for a position."""
    if INSTRUMENTED:
        refer(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))

cdef inline void count_leaving(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    """Call when a node returns the table's value, or before its own is stored."""
    if INSTRUMENTED:
        leave(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))

cdef inline void count_stored(const Instruments* instruments, const Table* table, const Pos* pos) noexcept nogil:
    if INSTRUMENTED:
        sign(instruments.statistics, table, table_key(instruments, pos), fingerprint(pos))
