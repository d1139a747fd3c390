"""Stages and scores of the move picker (see picker.pxd)."""
from engine.bitboard cimport bit, high_word, low_word, some
from engine.movegen cimport captures, evasions, is_noisy, quiets
from engine.position cimport captured_piece, in_check, is_capture, moved_kind
from engine.types cimport MOVE_NONE, PROMOTED, is_promotion, move_from, move_to
from eval.evaluator cimport exchange_value, promotion_value
from search.tree.history cimport (INITIAL_CONTINUATION, INITIAL_PAWN, LOW_PLIES, capture_history, main_history,
                                  piece_to_of)
from search.tree.see cimport see_reaches
from search.tree.worker cimport Node, node_at, pawn_history

cdef enum Stage:
    TABLE_MOVE
    CAPTURES
    GOOD_CAPTURES
    QUIETS
    GOOD_QUIETS
    BAD_CAPTURES
    BAD_QUIETS
    EVASION_TABLE_MOVE
    EVASIONS
    RANKED_EVASIONS
    QSEARCH_TABLE_MOVE
    QSEARCH_CAPTURES
    RANKED_QSEARCH_CAPTURES
    DONE

cdef enum:
    CAPTURE_FIRST = 1 << 20     # puts evasions that capture before those that do not
    INDEX_BITS = 10             # of a rank; MAX_MOVES fits
    LAST_INDEX = (1 << INDEX_BITS) - 1
    SET_ASIDE = 1 << 30         # subtracted from the rank of a bad capture
    ASIDE = -(1 << 29)          # only captures set aside have a lower rank
    LOWEST = -(1 << 21)         # below all scores
    TAKEN = -0x7FFFFFFF         # the rank of a move already returned


cdef inline void prepare(Picker* picker, Worker* worker, int ply, Move table_move) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef const Node* node = node_at(worker, ply)
    picker.pos = &worker.pos
    picker.history = &worker.history
    picker.params = params
    picker.table_move = table_move
    picker.continuations[0] = (node - 1).played.continuation if params.use_continuation else NULL
    picker.skip_quiets = False


cdef void start_picker(Picker* picker, Worker* worker, int ply, Move table_move,
                       const CheckInfo* check_info) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef const Node* node = node_at(worker, ply)
    prepare(picker, worker, ply, table_move)
    picker.continuations[1] = (node - 2).played.continuation
    picker.continuations[2] = (node - 3).played.continuation
    picker.continuations[3] = (node - 4).played.continuation
    picker.continuations[4] = (node - 6).played.continuation
    picker.pawns = pawn_history(worker, node) if params.use_pawn_history else NULL
    picker.low_ply = NULL
    if params.use_low_ply and ply < LOW_PLIES:
        picker.low_ply = &worker.history.low_ply[ply][0]
        picker.low_ply_weight = params.order_low_ply * 64 // (1 + ply)
    picker.check_info = check_info
    picker.checked_squares[0] = low_word(check_info.anywhere) if params.use_checks_first else 0
    picker.checked_squares[1] = high_word(check_info.anywhere) if params.use_checks_first else 0
    picker.stage = EVASION_TABLE_MOVE if in_check(&worker.pos) else TABLE_MOVE


cdef void start_qsearch_picker(Picker* picker, Worker* worker, int ply, Move table_move) noexcept nogil:
    cdef const Pos* pos = &worker.pos
    cdef bint usable = table_move and (in_check(pos) or is_noisy(pos, table_move))
    prepare(picker, worker, ply, table_move if usable else <Move>MOVE_NONE)
    picker.stage = EVASION_TABLE_MOVE if in_check(pos) else QSEARCH_TABLE_MOVE


# -- Scores ------------------------------------------------------------------------------------------------------------

cdef inline int capture_score(const Picker* picker, Move move) noexcept nogil:
    """The score of a capture: its gain, with promotion, and its capture history."""
    cdef const Pos* pos = picker.pos
    cdef int gain = exchange_value(captured_piece(pos, move))
    if is_promotion(move):
        gain += promotion_value(pos.board[move_from(move)])
    gain = gain * picker.params.order_exchange // 64
    return gain + capture_history(picker.history, pos, move)[0] if picker.params.use_capture_history else gain


cdef inline int evasion_score(const Picker* picker, Move move) noexcept nogil:
    cdef int score = main_history(picker.history, picker.pos.turn, move)[0]
    if picker.continuations[0] != NULL:
        score += picker.continuations[0][piece_to_of(picker.pos, move)] + INITIAL_CONTINUATION
    return score


cdef inline bint checks_safely(const Picker* picker, Move move) noexcept nogil:
    """Whether a quiet move gives check directly and loses at most `order_check_risk` by exchange."""
    cdef int target = move_to(move)
    cdef int kind
    if not picker.checked_squares[target >> 6] >> (target & 63) & 1:
        return False
    kind = moved_kind(picker.pos, move) + (PROMOTED if is_promotion(move) else 0)
    return (some(picker.check_info.squares[kind] & bit(target))
            and see_reaches(picker.pos, move, -picker.params.order_check_risk))


cdef inline void set_rank(Picker* picker, int index, int score) noexcept nogil:
    """Set a move's rank. Among equal scores the move generated first ranks higher."""
    picker.ranks[index] = score * (1 << INDEX_BITS) + LAST_INDEX - index


cdef void rank_captures(Picker* picker) noexcept nogil:
    cdef int i
    for i in range(picker.first, picker.end):
        set_rank(picker, i, capture_score(picker, picker.moves[i]))


cdef void rank_quiets(Picker* picker) noexcept nogil:
    cdef const Pos* pos = picker.pos
    cdef const i16* main = &picker.history.main[pos.turn][0]
    cdef const i16* after_1 = picker.continuations[0]
    cdef const i16* after_2 = picker.continuations[1]
    cdef const i16* after_3 = picker.continuations[2]
    cdef const i16* after_4 = picker.continuations[3]
    cdef const i16* after_6 = picker.continuations[4]
    cdef const i16* pawns = picker.pawns
    cdef Move move
    cdef int i, score, piece_to
    for i in range(picker.first, picker.end):
        move = picker.moves[i]
        piece_to = piece_to_of(pos, move)
        score = 2 * main[move]
        if after_1 != NULL:
            score += (after_1[piece_to] + after_2[piece_to] + after_3[piece_to] + after_4[piece_to]
                      + after_6[piece_to] + 5 * INITIAL_CONTINUATION)
        if pawns != NULL:
            score += 2 * (pawns[piece_to] + INITIAL_PAWN)
        if picker.low_ply != NULL:
            score += picker.low_ply_weight * picker.low_ply[move] // 64
        if checks_safely(picker, move):
            score += picker.params.order_check
        set_rank(picker, i, score)


cdef void rank_evasions(Picker* picker) noexcept nogil:
    """Rank evasions: captures first, by the captured piece alone; then quiet moves by their histories."""
    cdef Move move
    cdef int i
    for i in range(picker.first, picker.end):
        move = picker.moves[i]
        if is_capture(picker.pos, move):
            set_rank(picker, i, CAPTURE_FIRST + exchange_value(captured_piece(picker.pos, move)))
        else:
            set_rank(picker, i, evasion_score(picker, move))


# -- Order -------------------------------------------------------------------------------------------------------------

cdef inline int best_rank(const Picker* picker) noexcept nogil:
    """The highest rank of the stage. The compiler vectorises this loop; sorting would cost more, since most nodes ask
    for few moves."""
    cdef int best = TAKEN
    cdef int i
    for i in range(picker.first, picker.end):
        best = max(best, picker.ranks[i])
    return best


cdef inline int index_of(int rank) noexcept nogil:
    return LAST_INDEX - (rank & LAST_INDEX)


cdef inline Move take(Picker* picker, int rank) noexcept nogil:
    """Return the move with this rank and mark it as taken."""
    picker.ranks[index_of(rank)] = TAKEN
    return picker.moves[index_of(rank)]


# -- Stages ------------------------------------------------------------------------------------------------------------

cdef inline Move next_ranked(Picker* picker, int lowest) noexcept nogil:
    """Take the stage's best remaining move whose score is at least `lowest`; MOVE_NONE if there is none."""
    cdef Move move
    cdef int best
    while True:
        best = best_rank(picker)
        if best == TAKEN or best < lowest * (1 << INDEX_BITS):
            return MOVE_NONE
        move = take(picker, best)
        if move != picker.table_move:
            return move


cdef inline Move next_good_capture(Picker* picker) noexcept nogil:
    """Take the best capture that SEE does not call bad; bad ones are set aside for a later stage, in the same order."""
    cdef Move move
    cdef int best, score
    while True:
        best = best_rank(picker)
        if best < ASIDE:
            return MOVE_NONE
        move = take(picker, best)
        if move == picker.table_move:
            continue
        score = best >> INDEX_BITS
        if see_reaches(picker.pos, move, -score * 64 // picker.params.good_capture_divisor):
            return move
        picker.ranks[index_of(best)] = best - SET_ASIDE


cdef Move next_move(Picker* picker) noexcept nogil:
    cdef const Pos* pos = picker.pos
    cdef Move move
    while True:
        if picker.stage in (TABLE_MOVE, EVASION_TABLE_MOVE, QSEARCH_TABLE_MOVE):
            picker.stage += 1
            if picker.table_move:
                return picker.table_move

        elif picker.stage in (CAPTURES, QSEARCH_CAPTURES):
            picker.first = 0
            picker.end = picker.captures_end = captures(pos, picker.moves)
            rank_captures(picker)
            picker.stage += 1

        elif picker.stage == GOOD_CAPTURES:
            move = next_good_capture(picker)
            if move:
                return move
            picker.stage = QUIETS

        elif picker.stage == QUIETS:
            picker.first = picker.end
            if not picker.skip_quiets:
                picker.end += quiets(pos, picker.moves + picker.first)
                rank_quiets(picker)
            picker.quiets_end = picker.end
            picker.stage = GOOD_QUIETS

        elif picker.stage == GOOD_QUIETS:
            move = <Move>MOVE_NONE if picker.skip_quiets else next_ranked(picker, picker.params.order_good_quiet)
            if move:
                return move
            picker.first = 0
            picker.end = picker.captures_end
            picker.stage = BAD_CAPTURES

        elif picker.stage == BAD_CAPTURES:
            move = next_ranked(picker, LOWEST)
            if move:
                return move
            picker.first = picker.captures_end
            picker.end = picker.quiets_end
            picker.stage = BAD_QUIETS

        elif picker.stage == EVASIONS:
            picker.first = 0
            picker.end = evasions(pos, picker.moves)
            rank_evasions(picker)
            picker.stage = RANKED_EVASIONS

        elif picker.stage in (BAD_QUIETS, RANKED_EVASIONS, RANKED_QSEARCH_CAPTURES):
            move = <Move>MOVE_NONE if picker.stage == BAD_QUIETS and picker.skip_quiets else next_ranked(picker, LOWEST)
            if move:
                return move
            picker.stage = DONE

        else:
            return MOVE_NONE
