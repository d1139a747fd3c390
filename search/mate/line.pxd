"""The line that answers a mate problem, a ply at a time, from what the table knows."""
from engine.types cimport MAX_MOVES, MOVE_NONE, Move
from search.mate.node cimport Solver

cdef enum:
    UNKNOWN_LENGTH = -1

cdef struct Step:
    Move move
    int length                  # plies of the mate after it, at most; UNKNOWN_LENGTH if no mate is known after it

cdef int known_length(Solver* solver, Move move, bint attack, int limit) noexcept nogil
"""Plies of the mate known after a move of the attacker or the defender, if it comes within `limit`; UNKNOWN_LENGTH."""

cdef bint holds_out(Solver* solver, Move move, int plies) noexcept nogil
"""Whether it is known that after this answer to a check there is no mate within so many plies."""

cdef Step shortest_attack(Solver* solver, int bound) noexcept nogil
"""Of the checks after which a mate within `bound` - 1 plies is known, the one with the shortest; MOVE_NONE if none."""

cdef Step longest_defence(Solver* solver, int bound) noexcept nogil
"""Of the answers the one with the longest mate known within `bound` - 1 plies, but one after which none is known comes
first of all; MOVE_NONE if there is no answer (or none that counts)."""
