from engine.position cimport Pos, in_check, undo_move
from engine.types cimport *
from eval.material cimport values
from search.instrumentation cimport count_leaving
from search.loops cimport heads_above
from search.parameters cimport Params
from search.picker cimport Picker, next_move, start_qsearch
from search.see cimport see_reaches
from search.worker cimport (Node, Worker, correction_at, evaluation_at, extend_pv, is_terminal, mates_at_once, play,
                            stopped, tt_cutoff, tt_prefetch, tt_probe, tt_store, tt_store_evaluation)
from tt.table cimport ON_PV, Cutoff, Entry, has_bound


cdef int qsearch(Worker* worker, int alpha, int beta, int depth, int ply) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = &worker.nodes_at[ply]
    cdef bint on_pv = beta - alpha > 1
    cdef bint checked = in_check(pos)
    cdef bint was_on_pv = on_pv
    cdef bint known
    cdef bint narrow = depth <= params.qsearch_recaptures
    cdef int evaluation, value, best, gain
    cdef int best_start = -INFINITE
    cdef Move move, best_move = MOVE_NONE
    cdef Move table_move = MOVE_NONE
    cdef int old_alpha = alpha
    cdef u64 ghi_heads = 0
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
    evaluation = NO_SCORE
    known = tt_probe(worker, &entry)
    if known:
        table_move = entry.move
        evaluation = entry.evaluation
        was_on_pv = on_pv or entry.marks & ON_PV
        cutoff = tt_cutoff(worker, &entry, 0, alpha, beta, ply)
        if cutoff.answer and not on_pv:
            count_leaving(worker.instruments, worker.table, pos)
            return cutoff.value

    # Step 3. Standing pat: the side to move need not capture. In check it has to answer.
    if checked:
        evaluation = NO_SCORE
        best = mated_in(ply)
    else:
        if evaluation == NO_SCORE:
            evaluation = evaluation_at(worker, ply)
        best = evaluation + correction_at(worker)
        if best >= beta:
            if not known:
                tt_store_evaluation(worker, evaluation, on_pv)
            return best
        alpha = max(alpha, best)
        best_start = best

    # Step 4. A mate in one, where the table would not have told. Not before: standing pat is the cheaper cut.
    if (params.selective and params.use_mate_in_one and not checked and not (known and has_bound(&entry))
            and mates_at_once(worker, on_pv, 0, ply)):
        return mate_in(ply + 1)

    # Step 5. The captures; in check, all evasions.
    start_qsearch(&picker, pos, &worker.history, params, table_move,
                  move_to(pos.state.move) if narrow and not checked else NO_SQUARE)
    while True:
        move = next_move(&picker)
        if not move:
            break
        if not checked:
            # Captures that lose material do not make a quiet position better, nor do those that win too little.
            if params.selective and params.use_qsearch_futility and best > -MATE_IN_MAX_PLY:
                gain = best_start + params.qsearch_futility + values.exchange[pos.board[move_to(move)]]
                if gain <= alpha and not is_promotion(move):
                    best = max(best, gain)
                    continue
            tt_prefetch(worker, move)
            if not see_reaches(pos, move, 0):
                continue
        else:
            tt_prefetch(worker, move)
        play(worker, move, ply)
        value = -qsearch(worker, -beta, -alpha, depth - 1, ply + 1)
        undo_move(pos)
        if stopped(worker):
            return 0
        ghi_heads |= worker.nodes_at[ply + 1].ghi_heads
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                if on_pv:
                    extend_pv(node, move, node + 1)
                if value >= beta:
                    ghi_heads = worker.nodes_at[ply + 1].ghi_heads
                    break
                alpha = value

    # Step 6. The table.
    node.ghi_heads = heads_above(ghi_heads, ply)
    if not narrow:
        tt_store(worker, best_move, evaluation, best, old_alpha, beta, 0, was_on_pv, ply)
    return best
