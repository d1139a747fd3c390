from libc.stdlib cimport calloc, free

from engine.board cimport Position, usi_of
from engine.movegen cimport captures, evasions, is_legal, quiets, recaptures
from engine.position cimport *
from eval.material cimport values
from search.history cimport arrival_of, butterfly, capture, origin_of
from search.see cimport see_reaches

cdef enum Stage:
    TABLE_MOVE
    CAPTURES
    GOOD_CAPTURES
    KILLERS
    QUIETS
    SORTED_QUIETS
    BAD_CAPTURES
    EVASION_TABLE_MOVE
    EVASIONS
    SORTED_EVASIONS
    QUIESCENCE_TABLE_MOVE
    QUIESCENCE_CAPTURES
    SORTED_QUIESCENCE_CAPTURES
    DONE

cdef enum:
    CAPTURE_FIRST = 1 << 20     # puts evasions that capture before those that do not


cdef inline void prepare(Picker* picker, const Pos* pos, History* history) noexcept nogil:
    picker.pos = pos
    picker.history = history
    picker.killers[0] = picker.killers[1] = MOVE_NONE
    picker.continuations[0] = picker.continuations[1] = picker.continuations[2] = NULL
    picker.low_ply = NULL
    picker.by_capture_history = False


cdef void start(Picker* picker, const Pos* pos, History* history, Move table_move, const Move* killers,
                int sort_limit) noexcept nogil:
    prepare(picker, pos, history)
    picker.table_move = table_move if is_legal(pos, table_move) else <Move>MOVE_NONE
    picker.killers[0] = killers[0]
    picker.killers[1] = killers[1]
    picker.sort_limit = sort_limit
    picker.recapture_square = NO_SQUARE
    picker.stage = EVASION_TABLE_MOVE if in_check(pos) else TABLE_MOVE


cdef void start_quiescence(Picker* picker, const Pos* pos, History* history, Move table_move,
                           int recapture_square) noexcept nogil:
    cdef bint usable = (is_legal(pos, table_move)
                        and (in_check(pos) or is_noisy(pos, table_move))
                        and (recapture_square == NO_SQUARE or move_to(table_move) == recapture_square))
    prepare(picker, pos, history)
    picker.table_move = table_move if usable else <Move>MOVE_NONE
    picker.recapture_square = recapture_square
    picker.stage = EVASION_TABLE_MOVE if in_check(pos) else QUIESCENCE_TABLE_MOVE


# -- Scores ------------------------------------------------------------------------------------------------------------

cdef inline int capture_score(const Pos* pos, Move move) noexcept nogil:
    """Most valuable victim first, by the least valuable piece."""
    cdef int piece = pos.board[move_from(move)]
    return (8 * (values.exchange[captured_piece(pos, move)] + (values.promotion[piece] if is_promotion(move) else 0))
            - values.exchange[piece])


cdef inline int quiet_score(const Picker* picker, Move move) noexcept nogil:
    cdef int score = butterfly(picker.history, picker.pos.turn, move)[0]
    cdef int arrival
    if picker.continuations[0] != NULL:
        arrival = arrival_of(picker.pos, move)
        score += (2 * (picker.continuations[0][arrival] + picker.continuations[1][arrival])
                  + picker.continuations[2][arrival])
    if picker.low_ply != NULL:
        score += 4 * picker.low_ply[origin_of(move) * SQUARES + move_to(move)]
    return score


cdef void score_captures(Picker* picker) noexcept nogil:
    cdef int i
    for i in range(picker.next, picker.end):
        picker.scores[i] = capture_score(picker.pos, picker.moves[i])
        if picker.by_capture_history:
            picker.scores[i] += capture(picker.history, picker.pos, picker.moves[i])[0] // 2


cdef void score_quiets(Picker* picker) noexcept nogil:
    cdef int i
    for i in range(picker.next, picker.end):
        picker.scores[i] = quiet_score(picker, picker.moves[i])


cdef void score_evasions(Picker* picker) noexcept nogil:
    cdef Move move
    cdef int i
    for i in range(picker.next, picker.end):
        move = picker.moves[i]
        if is_capture(picker.pos, move):
            picker.scores[i] = CAPTURE_FIRST + capture_score(picker.pos, move)
        else:
            picker.scores[i] = quiet_score(picker, move)


# -- Order -------------------------------------------------------------------------------------------------------------

cdef inline Move take_best(Picker* picker) noexcept nogil:
    """The best of the moves left, by selection: few are taken before a cutoff."""
    cdef int best = picker.next
    cdef int i
    cdef Move move
    for i in range(picker.next + 1, picker.end):
        if picker.scores[i] > picker.scores[best]:
            best = i
    move = picker.moves[best]
    picker.moves[best] = picker.moves[picker.next]
    picker.scores[best] = picker.scores[picker.next]
    picker.next += 1
    return move


cdef void sort_down_to(Picker* picker, int limit) noexcept nogil:
    """Put the moves that score at least `limit` first, best to worst."""
    cdef int sorted_end = picker.next
    cdef int i, j, score
    cdef Move move
    for i in range(picker.next, picker.end):
        score = picker.scores[i]
        if score < limit:
            continue
        move = picker.moves[i]
        picker.moves[i] = picker.moves[sorted_end]
        picker.scores[i] = picker.scores[sorted_end]
        j = sorted_end
        while j > picker.next and picker.scores[j - 1] < score:
            picker.moves[j] = picker.moves[j - 1]
            picker.scores[j] = picker.scores[j - 1]
            j -= 1
        picker.moves[j] = move
        picker.scores[j] = score
        sorted_end += 1


# -- Stages ------------------------------------------------------------------------------------------------------------

cdef Move next_move(Picker* picker) noexcept nogil:
    cdef const Pos* pos = picker.pos
    cdef Move move
    while True:
        if picker.stage in (TABLE_MOVE, EVASION_TABLE_MOVE, QUIESCENCE_TABLE_MOVE):
            picker.stage += 1
            if picker.table_move:
                return picker.table_move

        elif picker.stage == CAPTURES:
            picker.next = picker.bad = 0
            picker.end = captures(pos, picker.moves)
            score_captures(picker)
            picker.stage = GOOD_CAPTURES

        elif picker.stage == GOOD_CAPTURES:
            while picker.next < picker.end:
                move = take_best(picker)
                if move == picker.table_move:
                    continue
                if see_reaches(pos, move, 0):
                    return move
                picker.moves[picker.bad] = move
                picker.bad += 1
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
            picker.next = picker.bad
            picker.end = picker.next + quiets(pos, picker.moves + picker.next)
            score_quiets(picker)
            sort_down_to(picker, picker.sort_limit)
            picker.stage = SORTED_QUIETS

        elif picker.stage == SORTED_QUIETS:
            while picker.next < picker.end:
                move = picker.moves[picker.next]
                picker.next += 1
                if move != picker.table_move and move != picker.killers[0] and move != picker.killers[1]:
                    return move
            picker.next = 0
            picker.stage = BAD_CAPTURES

        elif picker.stage == BAD_CAPTURES:
            if picker.next < picker.bad:
                picker.next += 1
                return picker.moves[picker.next - 1]
            picker.stage = DONE

        elif picker.stage == EVASIONS:
            picker.next = 0
            picker.end = evasions(pos, picker.moves)
            score_evasions(picker)
            picker.stage = SORTED_EVASIONS

        elif picker.stage == QUIESCENCE_CAPTURES:
            picker.next = 0
            if picker.recapture_square == NO_SQUARE:
                picker.end = captures(pos, picker.moves)
            else:
                picker.end = recaptures(pos, picker.recapture_square, picker.moves)
            score_captures(picker)
            picker.stage = SORTED_QUIESCENCE_CAPTURES

        elif picker.stage in (SORTED_EVASIONS, SORTED_QUIESCENCE_CAPTURES):
            while picker.next < picker.end:
                move = take_best(picker)
                if move != picker.table_move:
                    return move
            picker.stage = DONE

        else:
            return MOVE_NONE


def _order(Position position, table_move=0, killers=(0, 0), quiescence=False, recapture=None):
    """All that a picker gives, in USI and in its order; `recapture` is a square's number."""
    cdef Picker picker
    cdef Move[2] chosen = killers
    cdef Move move
    cdef History* history = <History*>calloc(1, sizeof(History))
    if history == NULL:
        raise MemoryError("no memory for a history")
    if quiescence:
        start_quiescence(&picker, &position.pos, history, table_move, NO_SQUARE if recapture is None else recapture)
    else:
        start(&picker, &position.pos, history, table_move, chosen, 0)
    order = []
    while True:
        move = next_move(&picker)
        if not move:
            free(history)
            return order
        order.append(usi_of(move))
