"""Depth-first proof-number search (df-pn) for mates by checks alone.

What it is made of: thresholds, widened by 1 + epsilon so that the search does not jump between siblings; leaf numbers
that say how near a mate looks (df-pn+); dominance of hands by proof and disproof pieces; the largest instead of the
sum where lines meet again; the threshold controlling algorithm (TCA) against cycles; and for graph-history interaction
(GHI) disproofs that rest on a repetition are kept by path, so that no other path believes them. A proof rests on
nothing but itself: whatever the path, a side that can force mate can force it without coming back.

The path is an array of frames, not the C stack, so it may be of any length, and a search can pause at any node.
"""
from engine.types cimport MOVE_NONE, Hand, u32, u64
from engine.position cimport Pos
from search.mate.node cimport Solver

cdef enum Outcome:
    SEARCHING = 0
    PROVEN = 1
    DISPROVEN = 2
    STOPPED = 3
    NO_MEMORY = 4

cdef int open_solver(Solver* solver, u64 bytes) noexcept nogil      # one all zeros but for `stop`; -1: memory is short
cdef void close_solver(Solver* solver) noexcept nogil

cdef int set_root(Solver* solver, const Pos* pos) noexcept nogil
"""Take over the position, its side to move being the attacker. -1 when memory is short."""

cdef bint start(Solver* solver, int limit) noexcept nogil
"""Make ready for a search of the position that the solver stands at, for a mate within so many plies. False when memory
is short: then do not `run`."""

cdef Outcome run(Solver* solver, u64 nodes) noexcept nogil
"""Search until decided, or until the solver's count of nodes gets there (SEARCHING: it can be called again). Whatever
the outcome, `rewind` before the next `start`."""

cdef void rewind(Solver* solver) noexcept nogil     # take the path back
