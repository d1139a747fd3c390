from search.history cimport butterfly, learn
from search.picker cimport Picker, is_noisy, next_move, start
from search.params cimport Params
from search.qsearch cimport quiescence
from search.see cimport see_reaches
from search.worker cimport *
from tt.table cimport ON_PV

from libc.string cimport memcpy

cdef enum:
    MAX_TRIED = 64              # quiet moves that are remembered to lose history when another cuts off


cdef void reward(Worker* worker, Move move, const Move* tried, int count, int depth, int ply) noexcept nogil:
    """A quiet move has cut off: it gains, those tried before it lose."""
    cdef int bonus = min(worker.params.history_bonus * depth * depth, worker.params.history_bonus_limit)
    cdef int limit = worker.params.history_limit
    cdef int turn = worker.pos.turn
    cdef Move* killers = worker.nodes_at[ply].killers
    cdef int i
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    learn(butterfly(&worker.history, turn, move), bonus, limit)
    for i in range(count):
        learn(butterfly(&worker.history, turn, tried[i]), -bonus, limit)


cdef void note_at_root(Worker* worker, int index, int value, bint leads) noexcept nogil:
    """A root move's score and line if it leads; of any other only that it does not."""
    cdef RootMove* root_move = &worker.root_moves[index]
    if leads:
        root_move.score = value
        root_move.seldepth = worker.seldepth
        extend_pv(&worker.nodes_at[0], root_move.pv[0], &worker.nodes_at[1])
        memcpy(root_move.pv, worker.nodes_at[0].pv, sizeof(root_move.pv))
    else:
        root_move.score = -INFINITE


cdef inline int late_reduction(const Worker* worker, int depth, int count) noexcept nogil:
    return worker.reductions[min(depth, REDUCTIONS - 1)][min(count, REDUCTIONS - 1)]


cdef inline bint is_futile(Worker* worker, Move move, bint quiet, int count, int alpha, int depth, bint improving,
                           int evaluation) noexcept nogil:
    """Whether a move at a small depth may be left out, for one of the reasons of Step 9."""
    cdef const Params* params = &worker.params
    cdef const Pos* pos = &worker.pos
    cdef int reduced, most
    if not quiet:
        return depth <= params.see_depth and not see_reaches(pos, move, -params.see_capture * depth)
    if gives_check(pos, move):
        return False
    if depth <= params.move_count_depth:
        most = params.move_count_base + params.move_count_factor * depth * depth // 100
        if count > (most if improving else most // 2):
            return True
    reduced = max(depth - 1 - late_reduction(worker, depth, count), 0)
    if reduced < params.quiet_futility_depth and evaluation != NO_SCORE:
        if evaluation + params.quiet_futility_base + params.quiet_futility_margin * reduced <= alpha:
            return True
    return depth <= params.see_depth and not see_reaches(pos, move, -params.see_quiet * reduced * reduced)


cdef int search(Worker* worker, int alpha, int beta, int depth, int ply) noexcept nogil:
    cdef Pos* pos = &worker.pos
    cdef const Params* params = &worker.params
    cdef Node* node = &worker.nodes_at[ply]
    cdef Node* child = node + 1
    cdef bint at_root = ply == 0
    cdef bint on_pv = beta - alpha > 1
    cdef bint was_on_pv = on_pv
    cdef bint checked = in_check(pos)
    cdef bint improving = False
    cdef int evaluation = NO_SCORE
    cdef int best = -INFINITE
    cdef int rests_on = NEVER
    cdef int count = 0
    cdef int tried_count = 0
    cdef int value, old_alpha, new_depth, reduced
    cdef bint quiet
    cdef Move move
    cdef Move best_move = MOVE_NONE
    cdef Move table_move = MOVE_NONE
    cdef Move tried[MAX_TRIED]
    cdef Entry entry
    cdef Verdict verdict
    cdef Picker picker

    if depth <= 0:
        return quiescence(worker, alpha, beta, 0, ply)

    # Step 1. Stop, and the clock.
    node.pv[0] = MOVE_NONE
    node.rests_on = NEVER
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)

    if not at_root:
        # Step 2. What the rules decide, before the table may speak: it does not know the path.
        if settled(worker, ply, &value):
            return value
        if ply >= MAX_PLY:
            return evaluation_at(worker, ply)

        # Step 3. Mate distance: nothing here can beat a shorter mate that is already known.
        alpha = max(alpha, mated_in(ply))
        beta = min(beta, mate_in(ply + 1))
        if alpha >= beta:
            return alpha
    old_alpha = alpha

    # Step 4. The table.
    if recall(worker, &entry):
        table_move = entry.move
        evaluation = entry.evaluation
        was_on_pv = on_pv or entry.marks & ON_PV
        verdict = consult(&entry, depth, alpha, beta, ply)
        if verdict.answer and not on_pv:
            return verdict.value

    # Step 5. Static evaluation, and whether it has improved since this side's last move.
    if checked:
        evaluation = NO_SCORE
    elif evaluation == NO_SCORE:
        evaluation = evaluation_at(worker, ply)
    node.evaluation = evaluation
    if not checked:
        improving = ply < 2 or (node - 2).evaluation == NO_SCORE or evaluation > (node - 2).evaluation

    if not on_pv and not checked and abs(beta) < SUPERIOR:
        # Step 6. Futility of the child.
        if depth <= params.futility_depth and evaluation - params.futility_margin * depth >= beta:
            return evaluation

        # Step 7. Null move. Never two in a row: that would be the same node again at a smaller depth.
        if (params.null_move and depth >= params.null_move_depth and evaluation >= beta
                and pos.state.move != MOVE_NULL):
            reduced = (depth - params.null_move_base - depth // params.null_move_divisor
                       - min((evaluation - beta) // params.null_move_score, 3))
            play_null(worker, ply)
            value = -search(worker, -beta, -beta + 1, reduced, ply + 1)
            undo_null(pos)
            if stopped(worker):
                return 0
            if value >= beta:
                # A mate found after a pass is not proven.
                return value if value < SUPERIOR else beta

    # Step 8. The moves.
    child.killers[0] = child.killers[1] = MOVE_NONE
    if not at_root:
        start(&picker, pos, &worker.history, table_move, node.killers, params.quiet_sort_limit * depth)
    while True:
        if not at_root:
            move = next_move(&picker)
        elif worker.root_first + count < worker.root_count:
            move = worker.root_moves[worker.root_first + count].pv[0]
        else:
            move = MOVE_NONE
        if not move:
            break
        count += 1
        quiet = not is_noisy(pos, move)

        # Step 9. Pruning at small depths: late moves, futility of the parent, loss of material. Never before some move
        # has been found that is not mated at once.
        if (not at_root and not checked and best > -SUPERIOR
                and is_futile(worker, move, quiet, count, alpha, depth, improving, evaluation)):
            continue

        # Step 10. Extension of checks, within twice the nominal depth.
        new_depth = depth - 1
        if (params.check_extension and ply < 2 * worker.root_depth
                and gives_check(pos, move) and see_reaches(pos, move, 0)):
            new_depth += 1

        # Step 11. Late-move reductions.
        reduced = new_depth
        if params.reduction and depth >= 2 and count > 1 + at_root and quiet:
            reduced -= late_reduction(worker, depth, count)
            reduced += butterfly(&worker.history, pos.turn, move)[0] // params.reduction_history
            reduced += on_pv
            reduced -= not improving and not checked
            reduced = max(1, min(reduced, new_depth))

        # Step 12. Principal-variation search: the first move with the open window, the others are asked only whether
        # they are better, and searched again if so. The window of that second search starts at alpha, for what the
        # first one returned need not hold at another window.
        play(worker, move, ply)
        if count > 1:
            value = -search(worker, -alpha - 1, -alpha, reduced, ply + 1)
            rests_on = min(rests_on, child.rests_on)
            if value > alpha and reduced < new_depth:
                value = -search(worker, -alpha - 1, -alpha, new_depth, ply + 1)
                rests_on = min(rests_on, child.rests_on)
        if count == 1 or (on_pv and alpha < value < beta):
            value = -search(worker, -beta, -alpha, new_depth, ply + 1)
            rests_on = min(rests_on, child.rests_on)
        undo_move(pos)
        if stopped(worker):
            return 0

        # Step 13. What it was worth.
        if at_root:
            note_at_root(worker, worker.root_first + count - 1, value, count == 1 or value > alpha)
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                if on_pv and not at_root:
                    extend_pv(node, move, child)
                if value >= beta:
                    # One clean refutation is enough; what the moves before it rest on does not matter.
                    rests_on = child.rests_on
                    if quiet:
                        reward(worker, move, tried, tried_count, depth, ply)
                    break
                alpha = value
        if quiet and tried_count < MAX_TRIED:
            tried[tried_count] = move
            tried_count += 1

    # Step 14. No move at all: in shogi that is lost, in check or not.
    if count == 0:
        return mated_in(ply)

    # Step 15. The table. A loop that begins here or deeper lies wholly in this subtree, so a value that rests on it
    # holds on every path to here. At the root some moves may be left out, so nothing is stored there.
    node.rests_on = rests_on if rests_on < ply else <int>NEVER
    if not at_root:
        remember(worker, best_move, evaluation, best, old_alpha, beta, depth, was_on_pv, ply)
    return best
