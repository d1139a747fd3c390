"""The line that answers a mate problem, a ply at a time, from what the table knows."""
from engine.types cimport MAX_MOVES, MOVE_NONE, Hand, Move
from search.mate.node cimport Solver

cdef enum:
    UNKNOWN_LENGTH = -1

cdef struct Step:
    Move move
    int length                  # plies of the mate after it, at most; UNKNOWN_LENGTH if no mate is known after it
    Hand pieces                 # the proof pieces of the position before it, if a mate is known after it

cdef int known_length(Solver* solver, Move move, bint attack, int limit, Hand* pieces) noexcept nogil
"""Plies of the shortest mate known after a move of the attacker or the defender, if it comes within `limit`;
UNKNOWN_LENGTH. `pieces` becomes its proof pieces."""

cdef bint holds_out(Solver* solver, Move move, int plies) noexcept nogil
"""Whether it is known that after this answer to a check there is no mate within so many plies."""

cdef Step shortest_attack(Solver* solver, int bound) noexcept nogil
"""Of the checks after which a mate within `bound` - 1 plies is known, the one with the shortest, promoting where that
is as short; MOVE_NONE if none."""

cdef Step longest_defence(Solver* solver, int bound) noexcept nogil
"""Of the answers the one with the longest mate known within `bound` - 1 plies, but one after which none is known comes
first of all; MOVE_NONE if there is no answer (or none that counts)."""

cdef void store_step(Solver* solver, const Step* step) noexcept nogil
"""Note in the table what a step with a known length says of the position before it."""
