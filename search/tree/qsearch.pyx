"""Quiescence search, in numbered steps of its own (see qsearch.pxd).

search/counted.pyx includes this file and compiles it once more.
"""
from engine.position cimport CheckInfo, Pos, checks_with, find_check_info, in_check, is_capture, undo_move
from engine.types cimport (INFINITE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, MOVE_NONE, MOVE_NULL, NO_SCORE, Move, mate_in,
                           mated_in, move_to)
from search.parameters cimport Params
from search.tree.bounds cimport Cutoff, finds_mate_in_one, table_move_of, tt_prefetch
from search.tree.evaluation cimport correction_at, evaluation_at, futility_gain
from search.tree.loops cimport heads_above
from search.tree.picker cimport Picker, next_move, start_qsearch_picker
from search.tree.see cimport see_reaches
from search.tree.worker cimport Node, is_terminal, node_at, play, set_pv, stopped
from tt.table cimport ON_PV, Entry

cdef enum:
    NO_FUTILITY = -INFINITE     # in check: no evaluation says what a capture may gain

cdef struct Quiescence:         # the data of one call of `qsearch` that pruning a move needs
    Worker* worker
    int alpha
    int best                    # the best value so far
    int futility                # what the evaluation and a margin reach without a capture, or NO_FUTILITY
    int count                   # of moves so far


cdef bint prune_qsearch_move(Quiescence* q, Move move, bint checking) noexcept nogil:
    """Whether to leave a move out: a late capture, one that gains too little (delta pruning) or loses material; in
    check every quiet move, once some move has avoided mate. If delta pruning leaves the move out, the best value rises
    to the value that the move could reach; if the exchange test does, at most to alpha."""
    cdef const Params* params = &q.worker.params
    cdef const Pos* pos = &q.worker.pos
    cdef Move last = pos.state.move
    cdef bint recaptures = last != MOVE_NULL and move_to(move) == move_to(last)
    cdef int gain
    if q.futility != NO_FUTILITY and not checking and not recaptures:
        if params.use_qsearch_count and q.count > params.qsearch_count:
            return True
        if params.use_qsearch_futility:
            gain = q.futility + futility_gain(params, pos, move)
            if gain <= q.alpha:
                q.best = max(q.best, gain)
                return True
            if not see_reaches(pos, move, (q.alpha - q.futility) * params.see_evaluation // 1024):
                q.best = max(q.best, min(q.alpha, q.futility))
                return True
    if q.futility == NO_FUTILITY:
        if not params.use_evasion_pruning:
            return False
        if not is_capture(pos, move):
            return True
    return not see_reaches(pos, move, -params.qsearch_see)


cdef int qsearch(Worker* worker, int alpha, int beta, int ply) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = node_at(worker, ply)
    cdef bint on_pv = beta - alpha > 1
    cdef bint evading = in_check(pos)
    cdef bint was_on_pv = on_pv
    cdef bint known
    cdef bint has_checks = False
    cdef bint checking = False
    cdef int evaluation = NO_SCORE
    cdef int value
    cdef Move move, best_move = MOVE_NONE
    cdef Move table_move = MOVE_NONE
    cdef CheckInfo check_info
    cdef Entry entry
    cdef Cutoff cutoff
    cdef Picker picker
    cdef Quiescence q

    node.pv[0] = MOVE_NONE
    node.ghi_heads = 0
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)

    # Step 1. Apply the rules.
    if is_terminal(worker, ply, &value):
        return value
    if ply >= MAX_PLY or not params.qsearch:
        return evaluation_at(worker, ply)

    # Step 2. Probe the table.
    known = tt_probe(worker, &entry)
    if known:
        evaluation = entry.evaluation
        was_on_pv = on_pv or entry.marks & ON_PV
        if not on_pv:
            cutoff = tt_cutoff(worker, &entry, 0, alpha, beta, ply)
            if cutoff.answer:
                return cutoff.value
        table_move = table_move_of(&entry, pos)

    q.worker = worker
    q.alpha = alpha
    q.futility = NO_FUTILITY
    q.count = 0
    if evading:
        evaluation = NO_SCORE
        q.best = mated_in(ply)
    else:
        # Step 3. Look for a mate in one, at nodes that the table does not know.
        if params.use_mate_in_one and not known and finds_mate_in_one(worker, ply):
            tt_store(worker, node.pv[0], NO_SCORE, mate_in(ply + 1), -INFINITE, INFINITE, 0, on_pv, ply)
            return mate_in(ply + 1)

        # Step 4. Stand pat: the side to move need not capture.
        if evaluation == NO_SCORE:
            evaluation = evaluation_at(worker, ply)
        q.best = max(-MAX_EVAL, min(evaluation + correction_at(worker, ply), MAX_EVAL))
        q.futility = q.best + params.qsearch_futility
        if q.best >= beta:
            if not known:
                tt_store_evaluation(worker, evaluation, False)
            return q.best
        q.alpha = max(alpha, q.best)

    # Step 5. Search the captures; in check, all evasions.
    start_qsearch_picker(&picker, worker, ply, table_move)
    while True:
        move = next_move(&picker)
        if not move:
            break
        q.count += 1
        if q.best > -MATE_IN_MAX_PLY:
            if not evading:
                if not has_checks:
                    find_check_info(pos, &check_info)
                    has_checks = True
                checking = checks_with(pos, move, &check_info)
            if prune_qsearch_move(&q, move, checking):
                continue
        tt_prefetch(worker, move)
        play(worker, move, ply)
        value = -qsearch(worker, -beta, -q.alpha, ply + 1)
        undo_move(pos)
        if stopped(worker):
            return 0
        node.ghi_heads |= (node + 1).ghi_heads
        if value > q.best:
            q.best = value
            if value > q.alpha:
                best_move = move
                if on_pv:
                    set_pv(node, move, node + 1)
                if value >= beta:
                    node.ghi_heads = (node + 1).ghi_heads
                    break
                q.alpha = value

    # Step 6. Store the value.
    node.ghi_heads = heads_above(node.ghi_heads, ply)
    tt_store(worker, best_move, evaluation, q.best, beta - 1, beta, 0, was_on_pv, ply)
    return q.best
