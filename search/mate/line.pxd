"""The solution of a mate problem, read from the table ply by ply."""
from engine.types cimport Hand, Move
from search.mate.node cimport Solver

cdef enum:
    UNKNOWN_LENGTH = -1

cdef struct Step:
    Move move
    int length                  # plies to mate after the move, at most; UNKNOWN_LENGTH if no mate is known
    Hand pieces                 # proof pieces of the position before the move, if a mate is known

cdef int known_length(Solver* solver, Move move, bint attack, int limit, Hand* pieces) noexcept nogil
"""Plies of the shortest mate known after a move, at most `limit`; UNKNOWN_LENGTH if there is none. `attack`: the
attacker makes the move. `pieces` is set to the mate's proof pieces."""

cdef bint holds_out(Solver* solver, Move move, int plies) noexcept nogil
"""Whether the table knows that there is no mate within `plies` after this answer to a check."""

cdef Step shortest_attack(Solver* solver, int bound) noexcept nogil
"""The check with the shortest mate known within `bound` - 1 plies after it; of two equal ones the promotion. MOVE_NONE
if there is none."""

cdef Step longest_defence(Solver* solver, int bound) noexcept nogil
"""The answer without a known mate within `bound` - 1 plies after it; if every answer has one, the answer with the
longest. MOVE_NONE if there is no answer, or only useless interpositions where those do not count."""

cdef void store_step(Solver* solver, const Step* step) noexcept nogil
"""Store in the table the proof that a step of known length gives for the position before it."""
