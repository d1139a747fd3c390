from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.board cimport Position, usi_of
from engine.movegen cimport captures, evasions, is_legal, quiet_checks, quiets, recaptures
from engine.position cimport captured_piece, checks_with, find_check_info, in_check
from engine.types cimport *
from eval.material cimport values
from search.history cimport butterfly, capture, origin_of, piece_to_of
from search.parameters cimport Params
from search.see cimport see_reaches

from search.parameters import DEFAULTS

cdef enum Stage:
    TABLE_MOVE
    CAPTURES
    GOOD_CAPTURES
    KILLERS
    QUIETS
    RANKED_QUIETS
    BAD_CAPTURES
    EVASION_TABLE_MOVE
    EVASIONS
    RANKED_EVASIONS
    QSEARCH_TABLE_MOVE
    QSEARCH_CAPTURES
    RANKED_QSEARCH_CAPTURES
    DONE

cdef enum:
    CAPTURE_FIRST = 1 << 20     # puts evasions that capture before those that do not
    NAME_BITS = 10              # of a rank: MAX_MOVES fits
    LAST_NAME = (1 << NAME_BITS) - 1
    SET_ASIDE = 1 << 30         # taken off the rank of a capture that loses material, …
    ASIDE = -(1 << 29)          # … which puts it below this, and any other move is above
    TAKEN = -0x7FFFFFFF


cdef inline void prepare(Picker* picker, const Pos* pos, History* history, const Params* params) noexcept nogil:
    picker.pos = pos
    picker.history = history
    picker.params = params
    picker.killers[0] = picker.killers[1] = MOVE_NONE
    picker.continuations[0] = picker.continuations[1] = picker.continuations[2] = NULL
    picker.low_ply = NULL
    picker.by_capture_history = False
    picker.checks_only = False


cdef void start(Picker* picker, const Pos* pos, History* history, const Params* params, Move table_move,
                const Move* killers, const CheckInfo* check_info) noexcept nogil:
    prepare(picker, pos, history, params)
    picker.table_move = table_move if is_legal(pos, table_move) else <Move>MOVE_NONE
    picker.killers[0] = killers[0]
    picker.killers[1] = killers[1]
    picker.check_info = check_info
    picker.recapture_square = NO_SQUARE
    picker.stage = EVASION_TABLE_MOVE if in_check(pos) else TABLE_MOVE


cdef void start_qsearch(Picker* picker, const Pos* pos, History* history, const Params* params, Move table_move,
                        int recapture_square) noexcept nogil:
    cdef bint usable = (is_legal(pos, table_move)
                        and (in_check(pos) or is_noisy(pos, table_move))
                        and (recapture_square == NO_SQUARE or move_to(table_move) == recapture_square))
    prepare(picker, pos, history, params)
    picker.table_move = table_move if usable else <Move>MOVE_NONE
    picker.recapture_square = recapture_square
    picker.stage = EVASION_TABLE_MOVE if in_check(pos) else QSEARCH_TABLE_MOVE


# -- Scores ------------------------------------------------------------------------------------------------------------

cdef inline int capture_score(const Pos* pos, Move move) noexcept nogil:
    """Most valuable victim first, by the least valuable piece."""
    cdef int piece = pos.board[move_from(move)]
    return (8 * (values.exchange[captured_piece(pos, move)] + (values.promotion[piece] if is_promotion(move) else 0))
            - values.exchange[piece])


cdef inline int quiet_score(const Picker* picker, Move move) noexcept nogil:
    cdef const Params* params = picker.params
    cdef int score = params.order_butterfly * butterfly(picker.history, picker.pos.turn, move)[0]
    cdef int piece_to
    if picker.continuations[0] != NULL:
        piece_to = piece_to_of(picker.pos, move)
        score += (params.order_continuation_1 * picker.continuations[0][piece_to]
                  + params.order_continuation_2 * picker.continuations[1][piece_to]
                  + params.order_continuation_4 * picker.continuations[2][piece_to])
    if picker.low_ply != NULL:
        score += params.order_low_ply * picker.low_ply[origin_of(move) * SQUARES + move_to(move)]
    return score // 4


cdef inline void rank(Picker* picker, int index, int score) noexcept nogil:
    """Of moves of equal score the first generated comes first."""
    picker.ranks[index] = score * (1 << NAME_BITS) + LAST_NAME - index


cdef void rank_captures(Picker* picker) noexcept nogil:
    cdef int i, score
    for i in range(picker.first, picker.end):
        score = capture_score(picker.pos, picker.moves[i])
        if picker.by_capture_history:
            score += capture(picker.history, picker.pos, picker.moves[i])[0] // 2
        rank(picker, i, score)


cdef void rank_quiets(Picker* picker) noexcept nogil:
    cdef int i
    for i in range(picker.first, picker.end):
        rank(picker, i, quiet_score(picker, picker.moves[i]))


cdef void rank_evasions(Picker* picker) noexcept nogil:
    cdef Move move
    cdef int i
    for i in range(picker.first, picker.end):
        move = picker.moves[i]
        if is_capture(picker.pos, move):
            rank(picker, i, CAPTURE_FIRST + capture_score(picker.pos, move))
        else:
            rank(picker, i, quiet_score(picker, move))


# -- Order -------------------------------------------------------------------------------------------------------------

cdef inline int best_rank(const Picker* picker) noexcept nogil:
    """Found by a loop that the compiler turns into vector instructions: cheaper than to keep the moves sorted, for few
    are asked for."""
    cdef int best = TAKEN
    cdef int i
    for i in range(picker.first, picker.end):
        best = max(best, picker.ranks[i])
    return best


cdef inline Move take(Picker* picker, int taken) noexcept nogil:
    """The move of this rank."""
    cdef int index = LAST_NAME - (taken & LAST_NAME)
    picker.ranks[index] = TAKEN
    return picker.moves[index]


# -- Stages ------------------------------------------------------------------------------------------------------------

cdef Move next_move(Picker* picker) noexcept nogil:
    cdef const Pos* pos = picker.pos
    cdef Move move
    cdef int best
    while True:
        if picker.stage in (TABLE_MOVE, EVASION_TABLE_MOVE, QSEARCH_TABLE_MOVE):
            picker.stage += 1
            if picker.table_move:
                return picker.table_move

        elif picker.stage == CAPTURES:
            picker.first = 0
            picker.end = captures(pos, picker.moves)
            rank_captures(picker)
            picker.stage = GOOD_CAPTURES

        elif picker.stage == GOOD_CAPTURES:
            while True:
                best = best_rank(picker)
                if best < ASIDE:
                    break
                move = take(picker, best)
                if move == picker.table_move:
                    continue
                if see_reaches(pos, move, -picker.params.good_capture_risk):
                    return move
                picker.ranks[LAST_NAME - (best & LAST_NAME)] = best - SET_ASIDE
            picker.next = 0
            picker.stage = KILLERS

        elif picker.stage == KILLERS:
            while picker.next < 2:
                move = picker.killers[picker.next]
                picker.next += 1
                if move != picker.table_move and not is_noisy(pos, move) and is_legal(pos, move):
                    return move
            picker.stage = QUIETS

        elif picker.stage == QUIETS:
            picker.first = picker.next = picker.end
            if picker.checks_only:
                picker.end += quiet_checks(pos, picker.check_info, picker.moves + picker.first)
                memset(picker.ranks + picker.first, 0, (picker.end - picker.first) * sizeof(int))
            else:
                picker.end += quiets(pos, picker.moves + picker.first)
                rank_quiets(picker)
            picker.stage = RANKED_QUIETS

        elif picker.stage == RANKED_QUIETS:
            while not picker.checks_only:
                best = best_rank(picker)
                if best == TAKEN:
                    break
                move = take(picker, best)
                if move != picker.table_move and move != picker.killers[0] and move != picker.killers[1]:
                    return move
            if picker.checks_only:
                while picker.next < picker.end:
                    move = picker.moves[picker.next]
                    picker.next += 1
                    if (picker.ranks[picker.next - 1] != TAKEN and checks_with(pos, move, picker.check_info)
                            and move != picker.table_move
                            and move != picker.killers[0] and move != picker.killers[1]):
                        return move
            picker.end = picker.first
            picker.first = 0
            picker.stage = BAD_CAPTURES

        elif picker.stage == EVASIONS:
            picker.first = 0
            picker.end = evasions(pos, picker.moves)
            rank_evasions(picker)
            picker.stage = RANKED_EVASIONS

        elif picker.stage == QSEARCH_CAPTURES:
            picker.first = 0
            if picker.recapture_square == NO_SQUARE:
                picker.end = captures(pos, picker.moves)
            else:
                picker.end = recaptures(pos, picker.recapture_square, picker.moves)
            rank_captures(picker)
            picker.stage = RANKED_QSEARCH_CAPTURES

        elif picker.stage in (BAD_CAPTURES, RANKED_EVASIONS, RANKED_QSEARCH_CAPTURES):
            while True:
                best = best_rank(picker)
                if best == TAKEN:
                    break
                move = take(picker, best)
                if move != picker.table_move:
                    return move
            picker.stage = DONE

        else:
            return MOVE_NONE


def _order(Position position, table_move=0, killers=(0, 0), qsearch=False, recapture=None):
    """All that a picker gives, in USI and in its order; `recapture` is a square's number."""
    cdef Picker picker
    cdef Params params = DEFAULTS
    cdef Move[2] chosen = killers
    cdef CheckInfo check_info
    cdef Move move
    cdef History* history = <History*>calloc(1, sizeof(History))
    if history == NULL:
        raise MemoryError("no memory for a history")
    find_check_info(&position.pos, &check_info)
    if qsearch:
        start_qsearch(&picker, &position.pos, history, &params, table_move,
                      NO_SQUARE if recapture is None else recapture)
    else:
        start(&picker, &position.pos, history, &params, table_move, chosen, &check_info)
    order = []
    while True:
        move = next_move(&picker)
        if not move:
            free(history)
            return order
        order.append(usi_of(move))
