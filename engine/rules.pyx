"""The rules that end a game (see rules.pxd)."""
from engine.attacks cimport tables
from engine.bitboard cimport bit, count, some
from engine.position cimport State, attacked, in_check, occupied, pieces, points_of
from engine.types cimport (BISHOP, BLACK, DRAGON, HORSE, KING, MOVE_NONE, NO_SQUARE, PAWN, ROOK, WHITE, Hand,
                           hand_count, hand_dominates, make_move, u128)

cdef enum:
    DECLARING_PIECES = 10

RULES = {     # of the entering king, as USI names them
    "NoEnteringKing": NO_ENTERING_KING,
    "CSARule24": CSA_24,
    "CSARule24H": CSA_24_H,
    "CSARule27": CSA_27,
    "CSARule27H": CSA_27_H,
    "TryRule": TRY_RULE,
}

VERDICTS = {     # as Python has them
    NO_REPETITION: "none",
    REPEATED: "draw",
    WON_BY_CHECKS: "win",
    LOST_BY_CHECKS: "loss",
    BETTER: "superior",
    WORSE: "inferior",
}


# -- Repetition --------------------------------------------------------------------------------------------------------

cdef inline Repetition judged_by_checks(const Pos* pos, int distance) noexcept nogil:
    """The verdict on a loop of `distance` plies. A side loses if all its moves in the loop gave check. It made half of
    the loop's moves, so its run of checks must be at least half as long as the loop."""
    cdef bint ours = 2 * pos.state.checks[pos.turn] >= distance
    cdef bint theirs = 2 * pos.state.checks[pos.turn ^ 1] >= distance
    if ours == theirs:
        return REPEATED
    return LOST_BY_CHECKS if ours else WON_BY_CHECKS


cdef Repetition repetition(const Pos* pos) noexcept nogil:
    # At a search's root only a fourth occurrence ends the game.
    cdef int distance = 0
    return repetition_in_search(pos, 0, True, &distance)


cdef bint occurred_thrice(const Pos* pos) noexcept nogil:
    cdef const State* state
    cdef int now, back, seen
    for now in range(pos.state.plies):
        state = pos.state - now
        seen = 1
        back = 4
        while back <= state.plies:
            seen += (state.board_key == (state - back).board_key and state.hand_key == (state - back).hand_key)
            if seen == 3:
                return True
            back += 2
    return False


cdef Repetition repetition_in_search(const Pos* pos, int ply, bint whole_game, int* distance) noexcept nogil:
    cdef const State* state = pos.state
    cdef const State* then
    cdef int last = state.plies if whole_game else min(state.plies, ply - 1)
    cdef int back = 4
    cdef int seen = 1
    while back <= last:
        then = state - back
        if state.board_key == then.board_key:
            if state.hand_key == then.hand_key:
                seen += 1
                if back < ply or seen == 4:
                    distance[0] = back
                    return judged_by_checks(pos, back)
            elif back < ply:
                # The boards are equal, so the pieces that one hand has more, the other hand has less.
                if hand_dominates(state.hand, then.hand):
                    distance[0] = back
                    return BETTER
                if hand_dominates(then.hand, state.hand):
                    distance[0] = back
                    return WORSE
        back += 2
    return NO_REPETITION


# -- Declaration -------------------------------------------------------------------------------------------------------

cdef int declaration_points(const Pos* pos, int color, int* pieces_in_zone) noexcept nogil:
    cdef u128 inside = pos.by_color[color] & tables.zone[color] & ~pos.by_kind[KING]
    cdef u128 big = inside & (pos.by_kind[BISHOP] | pos.by_kind[HORSE] | pos.by_kind[ROOK] | pos.by_kind[DRAGON])
    cdef Hand hand = pos.hand[color]
    cdef int points = count(inside) + (points_of(ROOK) - 1) * count(big)
    cdef int kind
    pieces_in_zone[0] = count(inside)
    for kind in range(PAWN, KING):
        points += hand_count(hand, kind) * points_of(kind)
    return points


cdef int points_needed(const Pos* pos, int color, EnteringKingRule rule) noexcept nogil:
    cdef int needed = 31
    if rule == CSA_27 or rule == CSA_27_H:
        needed = 28 if color == BLACK else 27
    if (rule == CSA_24_H or rule == CSA_27_H) and color == WHITE:
        needed -= pos.missing_points
    return needed


cdef bint has_entered(const Pos* pos, int color) noexcept nogil:
    return some(pieces(pos, color, KING) & tables.zone[color])


cdef bint can_declare(const Pos* pos, EnteringKingRule rule) noexcept nogil:
    cdef int us = pos.turn
    cdef int pieces_in_zone, points
    if rule == NO_ENTERING_KING or rule == TRY_RULE:
        return False
    if not has_entered(pos, us) or in_check(pos):
        return False
    points = declaration_points(pos, us, &pieces_in_zone)
    return pieces_in_zone >= DECLARING_PIECES and points >= points_needed(pos, us, rule)


cdef Move try_move(const Pos* pos) noexcept nogil:
    cdef int us = pos.turn
    cdef int king_square = pos.king[us]
    cdef int goal = 36 if us == BLACK else 44       # 5a, 5i
    if king_square == NO_SQUARE or not some(tables.step[BLACK][KING][king_square] & bit(goal) & ~pos.by_color[us]):
        return MOVE_NONE
    if attacked(pos, us ^ 1, goal, occupied(pos) ^ bit(king_square)):
        return MOVE_NONE
    return make_move(king_square, goal)
