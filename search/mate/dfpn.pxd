"""Depth-first proof-number search (df-pn) for mates by continuous checks.

Thresholds are widened by 1 + epsilon, so that the search does not jump between siblings. Leaves start with numbers that
estimate how near a mate is (df-pn+). A proof also decides the same board with more in the attacker's hand, a
disproof with less (proof and disproof pieces). Where siblings transpose, their maximum counts instead of their sum. The
threshold controlling algorithm (TCA) prevents endless cycles. Against graph-history interaction (GHI), disproofs that
rest on a repetition are stored by path. Proofs need no such care: a side that can force mate can force it without
repeating a position.

The path is an array of frames instead of the C stack, so it can be of any length, and a search can pause at any node.
"""
from engine.types cimport u64
from engine.position cimport Pos
from search.mate.node cimport Solver

cdef enum Outcome:
    SEARCHING = 0
    PROVEN = 1
    DISPROVEN = 2
    STOPPED = 3
    NO_MEMORY = 4

cdef void close_solver(Solver* solver) noexcept nogil

cdef int set_root(Solver* solver, const Pos* pos) noexcept nogil
"""Copy the position; its side to move is the attacker. -1 if there is no memory."""

cdef bint begin_run(Solver* solver, int limit) noexcept nogil
"""Prepare `run` for the solver's present position and a mate within `limit` plies. False if there is no memory: then do
not call `run`."""

cdef Outcome run(Solver* solver, u64 nodes) noexcept nogil
"""Search until the root is decided or the solver has counted `nodes`; then it returns SEARCHING and may be called
again. Whatever the outcome, call `rewind` before the next `begin_run`."""

cdef void rewind(Solver* solver) noexcept nogil     # take the path back
