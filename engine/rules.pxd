"""Repetition, perpetual check, declaration and the limit on moves: exact, and without a trace of search policy."""
from engine.position cimport Pos
from engine.types cimport (BISHOP, BLACK, DRAGON, HORSE, KING, MOVE_NONE, NO_SQUARE, PAWN, ROOK, WHITE, Hand, Move,
                           hand_count, hand_dominates, make_move, u128)

cdef enum Repetition:
    NO_REPETITION = 0
    REPEATED = 1        # draw
    WON_BY_CHECKS = 2   # the other side has given perpetual check: the side to move wins
    LOST_BY_CHECKS = 3  # the side to move has: it loses
    BETTER = 4          # same board, the hand of the side to move dominates what it held then
    WORSE = 5           # … is dominated

cdef enum EnteringKingRule:
    NO_ENTERING_KING = 0
    CSA_24 = 1
    CSA_24_H = 2
    CSA_27 = 3
    CSA_27_H = 4
    TRY_RULE = 5

cdef Repetition repetition(const Pos* pos) noexcept nogil
"""By the rule of play: the fourth occurrence of board, hands and side to move, looking back to the set-up."""
cdef bint occurred_thrice(const Pos* pos) noexcept nogil
"""Whether some position of the game up to here has occurred three times or more: only then can a search meet a fourth
occurrence whose others all lie before its root."""
cdef Repetition repetition_in_search(const Pos* pos, int ply, bint whole_game, int* distance) noexcept nogil
"""A node `ply` plies below the root: a single repeat after the root counts, one that reaches to the root or before it
only at the fourth occurrence, which is looked for in the `whole_game` or not at all. `distance` is set to the plies
back to the position repeated."""

cdef int declaration_points(const Pos* pos, int color, int* pieces_in_zone) noexcept nogil
cdef bint can_declare(const Pos* pos, EnteringKingRule rule) noexcept nogil
"""Whether the side to move may announce a win. The H rules ask of White, who gives handicaps, as many points fewer as
are missing from the full set. Never under TRY_RULE, which is won by a move."""
cdef Move try_move(const Pos* pos) noexcept nogil       # the king's move that wins by the try rule, or MOVE_NONE
