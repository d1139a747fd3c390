from engine.position cimport CheckInfo, Pos, checks_with, find_check_info, in_check, is_capture, undo_move
from engine.types cimport (INFINITE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, MOVE_NONE, MOVE_NULL, NO_SCORE, Move, mate_in,
                           mated_in, move_to)
from search.parameters cimport Params
from search.tree.bounds cimport (Cutoff, mates_at_once, table_move_of, tt_cutoff, tt_prefetch, tt_probe, tt_store,
                                 tt_store_evaluation)
from search.tree.evaluation cimport correction_at, evaluation_at, futility_gain
from search.tree.instrumentation cimport count_leaving
from search.tree.loops cimport heads_above
from search.tree.picker cimport Picker, next_move, start_qsearch
from search.tree.see cimport see_reaches
from search.tree.worker cimport Node, Worker, extend_pv, is_terminal, node_at, play, stopped
from tt.table cimport ON_PV, Entry

cdef enum:
    NOTHING_KNOWN = -INFINITE   # in check no evaluation says what a capture may gain


cdef bint is_hopeless(Worker* worker, Move move, int count, int futility, int alpha, bint checked, bint checking,
                      int* best) noexcept nogil:
    """Whether a move may be left out of a quiescence search: late captures, those that win too little (delta pruning),
    those that lose material; in check all that capture nothing, once a move has been found that is not mated."""
    cdef const Params* params = &worker.params
    cdef const Pos* pos = &worker.pos
    cdef Move last = pos.state.move
    cdef bint takes_back = last != MOVE_NULL and move_to(move) == move_to(last)
    cdef int gain
    if futility != NOTHING_KNOWN and not checking and not takes_back:
        if params.use_qsearch_count and count > params.qsearch_count:
            return True
        if params.use_qsearch_futility:
            gain = futility + futility_gain(params, pos, move)
            if gain <= alpha:
                best[0] = max(best[0], gain)
                return True
            if not see_reaches(pos, move, (alpha - futility) * params.see_evaluation // 1024):
                best[0] = max(best[0], min(alpha, futility))
                return True
    if checked and not is_capture(pos, move):
        return True
    return not see_reaches(pos, move, -params.qsearch_see)


cdef int qsearch(Worker* worker, int alpha, int beta, int ply) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = node_at(worker, ply)
    cdef bint on_pv = beta - alpha > 1
    cdef bint checked = in_check(pos)
    cdef bint selective = params.selective
    cdef bint was_on_pv = on_pv
    cdef bint known
    cdef bint has_checks = False
    cdef bint checking = False
    cdef int old_alpha = alpha
    cdef int evaluation = NO_SCORE
    cdef int futility = NOTHING_KNOWN
    cdef int count = 0
    cdef int value, best
    cdef Move move, best_move = MOVE_NONE
    cdef Move table_move = MOVE_NONE
    cdef CheckInfo checks
    cdef Entry entry
    cdef Cutoff cutoff
    cdef Picker picker

    node.pv[0] = MOVE_NONE
    node.ghi_heads = 0
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)

    # Step 1. What the rules decide.
    if is_terminal(worker, ply, &value):
        return value
    if ply >= MAX_PLY or not params.qsearch:
        return evaluation_at(worker, ply)

    # Step 2. The table.
    known = tt_probe(worker, &entry)
    if known:
        evaluation = entry.evaluation
        was_on_pv = on_pv or entry.marks & ON_PV
        if not on_pv:
            cutoff = tt_cutoff(worker, &entry, 0, alpha, beta, ply)
            if cutoff.answer:
                count_leaving(worker.instruments, worker.table, pos)
                return cutoff.value
        table_move = table_move_of(&entry, pos)

    if checked:
        evaluation = NO_SCORE
        best = mated_in(ply)
    else:
        # Step 3. A mate in one, where the table would not have told.
        if (selective and params.use_mate_in_one and not known
                and mates_at_once(worker, on_pv, 0, ply)):
            return mate_in(ply + 1)

        # Step 4. Standing pat: the side to move need not capture.
        if evaluation == NO_SCORE:
            evaluation = evaluation_at(worker, ply)
        best = max(-MAX_EVAL, min(evaluation + correction_at(worker, ply), MAX_EVAL))
        if selective:
            futility = best + params.qsearch_futility
        if best >= beta:
            if not known:
                tt_store_evaluation(worker, evaluation, False)
            return best
        alpha = max(alpha, best)

    # Step 5. The captures; in check, all evasions.
    start_qsearch(&picker, worker, ply, table_move)
    while True:
        move = next_move(&picker)
        if not move:
            break
        count += 1
        if selective:
            if best > -MATE_IN_MAX_PLY:
                if not checked:
                    if not has_checks:
                        find_check_info(pos, &checks)
                        has_checks = True
                    checking = checks_with(pos, move, &checks)
                if is_hopeless(worker, move, count, futility, alpha, checked, checking, &best):
                    continue
        elif not checked and not see_reaches(pos, move, 0):
            continue
        tt_prefetch(worker, move)
        play(worker, move, ply)
        value = -qsearch(worker, -beta, -alpha, ply + 1)
        undo_move(pos)
        if stopped(worker):
            return 0
        node.ghi_heads |= (node + 1).ghi_heads
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                if on_pv:
                    extend_pv(node, move, node + 1)
                if value >= beta:
                    node.ghi_heads = (node + 1).ghi_heads
                    break
                alpha = value

    # Step 6. The table.
    node.ghi_heads = heads_above(node.ghi_heads, ply)
    tt_store(worker, best_move, evaluation, best, beta - 1 if selective else old_alpha, beta, 0, was_on_pv, ply)
    return best
