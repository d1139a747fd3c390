"""The rules that end a game: repetition, perpetual check, declaration by an entered king, the try rule."""
from engine.position cimport Pos
from engine.types cimport Move

cdef enum Repetition:
    NO_REPETITION = 0
    REPEATED = 1        # a draw
    WON_BY_CHECKS = 2   # the opponent gave perpetual check: the side to move wins
    LOST_BY_CHECKS = 3  # the side to move gave perpetual check: it loses
    BETTER = 4          # same board, and the side to move now holds a dominating hand
    WORSE = 5           # same board, and the side to move now holds a dominated hand

cdef enum EnteringKingRule:
    NO_ENTERING_KING = 0
    CSA_24 = 1
    CSA_24_H = 2
    CSA_27 = 3
    CSA_27_H = 4
    TRY_RULE = 5

cdef Repetition repetition(const Pos* pos) noexcept nogil
"""The verdict by the rules of play: at the fourth occurrence of board, hands and side to move since the set-up."""
cdef bint occurred_thrice(const Pos* pos) noexcept nogil
"""Whether some position of the game has occurred at least three times. Only then can a search meet a fourth occurrence
whose first three all lie before its root."""
cdef Repetition repetition_in_search(const Pos* pos, int ply, bint whole_game, int* distance) noexcept nogil
"""The verdict for a search node `ply` plies below the root. The second occurrence counts if the first lies below the
root; otherwise only the fourth one counts, and only if `whole_game`. Sets `distance` to the plies back to the position
repeated."""

cdef int declaration_points(const Pos* pos, int color, int* pieces_in_zone) noexcept nogil
cdef int points_needed(const Pos* pos, int color, EnteringKingRule rule) noexcept nogil     # of a rule that counts them
cdef bint has_entered(const Pos* pos, int color) noexcept nogil         # whether its king is in the opponent's camp
cdef bint can_declare(const Pos* pos, EnteringKingRule rule) noexcept nogil
"""Whether the side to move may declare a win. The H rules lower White's points by what a handicap took off the full
set. Always False under TRY_RULE, where a move wins (`try_move`)."""
cdef Move try_move(const Pos* pos) noexcept nogil       # the king's move that wins by the try rule, or MOVE_NONE
