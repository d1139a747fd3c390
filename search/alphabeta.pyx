from engine.position cimport CheckInfo, Pos, checks_with, find_check_info, in_check, undo_move, undo_null
from engine.types cimport *
from search.history cimport LOW_PLIES, butterfly, capture, correction, learn, low_ply, piece_to_of
from search.instrumentation cimport count_leaving
from search.loops cimport heads_above
from search.parameters cimport Params
from search.picker cimport Picker, is_noisy, next_move, start, start_qsearch
from search.see cimport see_reaches
from search.worker cimport (LOGARITHMS, Node, RootMove, Worker, continuation, correction_at, evaluation_at, extend_pv,
                            from_table, is_terminal, mates_at_once, play, play_null, stopped, tt_cutoff, tt_prefetch,
                            tt_probe, tt_store, tt_store_evaluation)
from tt.table cimport LOWER_ON_PATH, ON_PV, UPPER_ON_PATH, Cutoff, Entry, has_bound, lower_bound, upper_bound

from libc.string cimport memcpy

cdef enum:
    MAX_TRIED = 64              # moves that are remembered to lose history when another cuts off
    PLY = 1024                  # of reduction
    MATE_DEPTH = 4              # a mate in one is stored as if found so much deeper
    PROBCUT_REDUCTION = 3       # ProbCut confirms a capture with a search so many plies shallower
    DEEPEST_CORRECTION = 1024   # what a single search may move a correction by, in its grains

cdef struct Tried:              # moves that did not cut off, of one class
    Move moves[MAX_TRIED]
    int count


cdef inline void note(Tried* tried, Move move) noexcept nogil:
    if tried.count < MAX_TRIED:
        tried.moves[tried.count] = move
        tried.count += 1


# -- Learning ----------------------------------------------------------------------------------------------------------

cdef inline void learn_quiet(Worker* worker, Move move, int bonus, int ply) noexcept nogil:
    cdef Pos* pos = &worker.pos
    cdef int limit = worker.params.history_limit
    cdef int piece_to = piece_to_of(pos, move)
    learn(butterfly(&worker.history, pos.turn, move), bonus, limit)
    learn(&continuation(worker, ply, 1)[piece_to], bonus, limit)
    learn(&continuation(worker, ply, 2)[piece_to], bonus, limit)
    learn(&continuation(worker, ply, 4)[piece_to], bonus // 2, limit)
    if ply < LOW_PLIES:
        learn(low_ply(&worker.history, ply, move), bonus, limit)


cdef void reward(Worker* worker, Move move, const Tried* quiets, const Tried* noisy, int depth, int ply) noexcept nogil:
    """The best move gains; those of its class tried before it lose, and captures in any case."""
    cdef const Params* params = &worker.params
    cdef int bonus = min(params.history_bonus_linear * depth + params.history_bonus * depth * depth,
                         params.history_bonus_limit)
    cdef int limit = params.history_limit
    cdef Move* killers = worker.nodes_at[ply].killers
    cdef int i
    if is_noisy(&worker.pos, move):
        learn(capture(&worker.history, &worker.pos, move), bonus, limit)
    else:
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        learn_quiet(worker, move, bonus, ply)
        for i in range(quiets.count):
            if quiets.moves[i] != move:
                learn_quiet(worker, quiets.moves[i], -bonus * params.history_malus // 1024, ply)
    for i in range(noisy.count):
        if noisy.moves[i] != move:
            learn(capture(&worker.history, &worker.pos, noisy.moves[i]), -bonus, limit)


cdef inline void learn_correction(Worker* worker, int error, int depth) noexcept nogil:
    """The search found the corrected evaluation wrong by so many centipawns."""
    learn(correction(&worker.history, &worker.pos), max(-DEEPEST_CORRECTION, min(error * depth, DEEPEST_CORRECTION)),
          worker.params.history_limit)


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


# -- Judgements --------------------------------------------------------------------------------------------------------

cdef inline bint is_mate_score(int value) noexcept nogil:
    return abs(value) >= MATE_IN_MAX_PLY


cdef inline bint improves(const Worker* worker, int ply) noexcept nogil:
    """Whether the evaluation is better than at the side's last move or, where that was in check, at the one before."""
    cdef const Node* node = &worker.nodes_at[ply]
    if node.evaluation == NO_SCORE or ply < 2:
        return False
    if (node - 2).evaluation != NO_SCORE:
        return node.evaluation > (node - 2).evaluation
    return ply >= 4 and (node - 4).evaluation != NO_SCORE and node.evaluation > (node - 4).evaluation


cdef inline int refined(const Entry* entry, int evaluation) noexcept nogil:
    """An evaluation as the table's bounds allow it, of whatever depth they are."""
    cdef int lower = lower_bound(entry, 0)
    cdef int upper = upper_bound(entry, 0)
    if lower > evaluation and not is_mate_score(lower):
        return lower
    if upper < evaluation and not is_mate_score(upper):
        return upper
    return evaluation


cdef inline int lmp_count(const Params* params, int depth, bint improving) noexcept nogil:
    """LMP: after how many moves no more quiet ones are tried."""
    cdef int count = 64 * params.lmp_base + params.lmp_linear * depth + params.lmp_square * depth * depth
    return count // 64 if improving else count * params.lmp_not_improving // 4096


cdef inline int lmr_reduction(const Worker* worker, int depth, int count) noexcept nogil:
    """LMR: by how much to search a late move shallower, in 1024ths of a ply, before its own traits are looked at."""
    return (worker.logarithms[min(depth, LOGARITHMS - 1)] * worker.logarithms[min(count, LOGARITHMS - 1)] // PLY
            * worker.params.lmr_scale // PLY + worker.params.lmr_base)


cdef inline int history_of(Worker* worker, Move move, int piece_to, int ply) noexcept nogil:
    return (butterfly(&worker.history, worker.pos.turn, move)[0]
            + continuation(worker, ply, 1)[piece_to] + continuation(worker, ply, 2)[piece_to])


cdef inline int weighted_history(Worker* worker, Move move, int ply) noexcept nogil:
    """By what a quiet move is reduced less, in 1024ths of 1024ths of a ply."""
    cdef const Params* params = &worker.params
    cdef int piece_to = piece_to_of(&worker.pos, move)
    return (params.lmr_butterfly * butterfly(&worker.history, worker.pos.turn, move)[0]
            + params.lmr_continuation_1 * continuation(worker, ply, 1)[piece_to]
            + params.lmr_continuation_2 * continuation(worker, ply, 2)[piece_to])


cdef bint can_prune(Worker* worker, Move move, bint tactical, int history, int alpha, int depth, int reduced,
                    int ply) noexcept nogil:
    """Whether a move at a small depth may be left out, for one of the reasons of Step 13. `tactical` moves capture,
    promote a pawn or give check; `reduced` is the depth that a late move would be searched to."""
    cdef const Params* params = &worker.params
    cdef const Pos* pos = &worker.pos
    cdef int evaluation = worker.nodes_at[ply].evaluation
    cdef int piece_to
    if tactical:
        return (params.use_see_pruning and depth <= params.see_depth
                and not see_reaches(pos, move, -params.see_noisy_slope * depth * depth))
    if params.use_history_pruning and reduced <= params.history_pruning_depth:
        piece_to = piece_to_of(pos, move)
        if (continuation(worker, ply, 1)[piece_to] < 0 and continuation(worker, ply, 2)[piece_to] < 0
                and history < -params.history_pruning_base - params.history_pruning_slope * reduced):
            return True
    if (params.use_futility_pruning and evaluation != NO_SCORE and reduced <= params.futility_pruning_depth
            and evaluation + params.futility_pruning_base + params.futility_pruning_slope * reduced <= alpha):
        return True
    return (params.use_see_pruning and reduced <= params.see_depth
            and not see_reaches(pos, move, -params.see_quiet_slope * reduced * reduced))


# -- Searches within the search ----------------------------------------------------------------------------------------

cdef int try_null_move(Worker* worker, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """The value to fail high with if even passing holds beta, else -INFINITE."""
    cdef const Params* params = &worker.params
    cdef int reduced = (depth - params.null_base - depth // params.null_depth_divisor
                        - min((worker.nodes_at[ply].evaluation - beta) // params.null_eval_divisor, 3))
    cdef int value, verified
    play_null(worker, ply)
    value = -search(worker, -beta, -beta + 1, reduced, ply + 1, not cut_node)
    undo_null(&worker.pos)
    if value < beta or stopped(worker):
        return -INFINITE
    if is_mate_score(value):
        value = beta            # a mate after a pass is not proven
    if worker.null_forbidden_until or depth < params.null_verification_depth:
        return value
    # So near the root a mistake would cost too much: a shallower search has to hold without null moves.
    worker.null_forbidden_until = ply + 3 * reduced // 4
    verified = search(worker, beta - 1, beta, reduced, ply, False)
    worker.null_forbidden_until = 0
    return value if verified >= beta else -INFINITE


cdef int try_probcut(Worker* worker, int beta, int depth, int ply, Move table_move, bint cut_node,
                     Move* found) noexcept nogil:
    """ProbCut: the value of a capture, `found`, that beats this raised beta at a lower depth, else -INFINITE."""
    cdef Pos* pos = &worker.pos
    cdef int needed = beta - worker.nodes_at[ply].evaluation
    cdef Picker picker
    cdef Move move
    cdef int value
    start_qsearch(&picker, pos, &worker.history, &worker.params, table_move, NO_SQUARE)
    while True:
        move = next_move(&picker)
        if not move:
            return -INFINITE
        if not see_reaches(pos, move, needed):
            continue
        tt_prefetch(worker, move)
        play(worker, move, ply)
        value = -qsearch(worker, -beta, -beta + 1, 0, ply + 1)
        if value >= beta:
            value = -search(worker, -beta, -beta + 1, depth - PROBCUT_REDUCTION - 1, ply + 1, not cut_node)
        undo_move(pos)
        if stopped(worker):
            return -INFINITE
        if value >= beta:
            found[0] = move
            return value


# -- The search --------------------------------------------------------------------------------------------------------

cdef int search(Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = &worker.nodes_at[ply]
    cdef Node* child = node + 1
    cdef bint at_root = ply == 0
    cdef bint on_pv = beta - alpha > 1
    cdef bint was_on_pv = on_pv
    cdef bint checked = in_check(pos)
    cdef bint selective = params.selective
    cdef Move excluded = node.excluded
    cdef int evaluation = NO_SCORE      # as the evaluation gives it
    cdef int estimate = NO_SCORE        # corrected, and improved by the table's bounds
    cdef int best = -INFINITE
    cdef u64 ghi_heads = 0
    cdef int count = 0
    cdef int table_lower = -INFINITE
    cdef int table_lower_depth = -1
    cdef int table_upper = INFINITE
    cdef int table_upper_depth = -1
    cdef int floor = -INFINITE          # what the table has proven of the node's value, …
    cdef int ceiling = INFINITE         # … where that shrinks the window
    cdef int value = 0
    cdef int bound, old_alpha, extension, reduction, new_depth, reduced, history
    cdef bint improving, noisy, checking, tactical, late, prunable
    cdef bint table_is_noisy = False
    cdef bint known = False
    cdef Move move = MOVE_NONE
    cdef Move best_move = MOVE_NONE
    cdef Move table_move = MOVE_NONE
    cdef Tried quiets_tried, noisy_tried
    cdef CheckInfo checks
    cdef Entry entry
    cdef Cutoff cutoff
    cdef Picker picker

    if depth <= 0:
        return qsearch(worker, alpha, beta, 0, ply)

    # Step 1. Stop, and the clock.
    node.pv[0] = MOVE_NONE
    node.ghi_heads = 0
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)

    if not at_root:
        # Step 2. What the rules decide, before the table may speak: it does not know the path.
        if is_terminal(worker, ply, &value):
            return value
        if ply >= MAX_PLY:
            return evaluation_at(worker, ply)

        # Step 3. Mate distance: nothing here can beat a shorter mate that is already known.
        alpha = max(alpha, mated_in(ply))
        beta = min(beta, mate_in(ply + 1))
        if alpha >= beta:
            return alpha

    # Step 4. The table. Of a node that leaves a move out it knows nothing.
    if not excluded and tt_probe(worker, &entry):
        known = True
        table_move = entry.move
        table_is_noisy = table_move != MOVE_NONE and is_noisy(pos, table_move)
        evaluation = entry.evaluation
        was_on_pv = on_pv or entry.marks & ON_PV
        if entry.lower_depth and not entry.marks & LOWER_ON_PATH:
            table_lower = from_table(entry.lower, ply)
            table_lower_depth = entry.lower_depth - 1
        if entry.upper_depth and not entry.marks & UPPER_ON_PATH:
            table_upper = from_table(entry.upper, ply)
            table_upper_depth = entry.upper_depth - 1
        cutoff = tt_cutoff(worker, &entry, depth, alpha, beta, ply)
        if cutoff.answer and not on_pv:
            count_leaving(worker.instruments, worker.table, pos)
            return cutoff.value
        if params.use_window_shrink and on_pv and not at_root and not cutoff.answer:
            # To one less than each bound, so that a value that equals a bound is found with its line.
            if cutoff.alpha > alpha:
                floor = cutoff.alpha
                alpha = floor - 1
            if cutoff.beta < beta:
                ceiling = cutoff.beta
                beta = ceiling + 1
    old_alpha = alpha

    # Step 5. A mate in one, where the table would not have told.
    if (selective and params.use_mate_in_one and not checked and not excluded and not at_root
            and not (known and has_bound(&entry)) and mates_at_once(worker, on_pv, depth + MATE_DEPTH, ply)):
        return mate_in(ply + 1)

    # Step 6. Static evaluation, corrected by what searches have found.
    if checked:
        evaluation = node.evaluation = NO_SCORE
    elif excluded:
        evaluation = estimate = node.evaluation
    else:
        if evaluation == NO_SCORE:
            evaluation = evaluation_at(worker, ply)
        node.evaluation = evaluation + correction_at(worker)
        estimate = refined(&entry, node.evaluation) if known else node.evaluation
    improving = improves(worker, ply)

    if selective and not checked and not on_pv and not excluded and abs(beta) < SUPERIOR:
        # Step 7. Razoring: so far below alpha, only captures could help.
        if params.use_razoring and estimate < alpha - params.razoring_base - params.razoring_slope * depth * depth:
            value = qsearch(worker, alpha, alpha + 1, 0, ply)
            if value <= alpha:
                return value
            node.ghi_heads = 0

        # Step 8. Reverse futility pruning (RFP): so far above beta, the other side will not make up for it in
        # the depth that is left.
        if (params.use_rfp and depth <= params.rfp_depth
                and estimate - params.rfp_base - params.rfp_margin * depth + params.rfp_improving * improving >= beta):
            if not known:
                tt_store_evaluation(worker, evaluation, was_on_pv)
            return estimate

        # Step 9. Null-move pruning (NMP): if the position holds even after a pass, a move will do. Never two in
        # a row: that would be the same node again at a smaller depth.
        if (params.use_null_move and estimate >= beta and node.evaluation >= beta and pos.state.move != MOVE_NULL
                and ply >= worker.null_forbidden_until):
            value = try_null_move(worker, beta, depth, ply, cut_node)
            if stopped(worker):
                return 0
            if value >= beta:
                if not known:
                    tt_store_evaluation(worker, evaluation, was_on_pv)
                node.ghi_heads = heads_above(child.ghi_heads, ply)
                return value
            node.ghi_heads = 0

        # Step 10. ProbCut: a capture that beats beta by far at a low depth will beat it at this one, unless the table
        # knows that none does.
        bound = beta + params.probcut_margin
        if (params.use_probcut and depth >= params.probcut_depth
                and not (table_upper_depth >= depth - PROBCUT_REDUCTION and table_upper < bound)):
            value = try_probcut(worker, bound, depth, ply, table_move, cut_node, &move)
            if stopped(worker):
                return 0
            if value >= bound:
                node.ghi_heads = heads_above(child.ghi_heads, ply)
                tt_store(worker, move, evaluation, value, bound - 1, value, depth - PROBCUT_REDUCTION, was_on_pv, ply)
                return value if is_mate_score(value) else value - params.probcut_margin
            node.ghi_heads = 0

    # Step 11. Internal iterative reduction (IIR): without a table move the order is poor, and the full depth not worth
    # its nodes yet. Not at the root, which has its order from the iteration before and no entry in the table.
    if (selective and params.use_iir and not at_root and not excluded and not table_move
            and depth >= params.iir_depth and (on_pv or cut_node)):
        depth -= 1

    # Step 12. The moves.
    child.killers[0] = child.killers[1] = MOVE_NONE
    child.excluded = MOVE_NONE
    quiets_tried.count = noisy_tried.count = 0
    find_check_info(pos, &checks)
    if not at_root:
        start(&picker, pos, &worker.history, params, table_move, node.killers, &checks)
        picker.by_capture_history = params.use_capture_history
        if params.use_continuation:
            picker.continuations[0] = continuation(worker, ply, 1)
            picker.continuations[1] = continuation(worker, ply, 2)
            picker.continuations[2] = continuation(worker, ply, 4)
        if params.use_low_ply and ply < LOW_PLIES:
            picker.low_ply = &worker.history.low_ply[ply][0][0]
    while True:
        prunable = selective and not at_root and best > -MATE_IN_MAX_PLY
        late = prunable and params.use_lmp and count + 1 >= lmp_count(params, depth, improving)
        if not at_root:
            picker.checks_only |= late
            move = next_move(&picker)
        elif worker.root_first + count < worker.root_count:
            move = worker.root_moves[worker.root_first + count].pv[0]
        else:
            move = MOVE_NONE
        if not move:
            break
        if move == excluded:
            continue
        count += 1
        noisy = is_noisy(pos, move)
        checking = checks_with(pos, move, &checks)
        tactical = noisy or checking

        # Step 13. Shallow pruning: late quiet moves (late-move pruning, LMP), poor histories, futility, loss of
        # material. Never before a move has been found that is not mated.
        if late and not tactical:
            continue
        tt_prefetch(worker, move)
        history = history_of(worker, move, piece_to_of(pos, move), ply)
        reduction = lmr_reduction(worker, depth, count)
        extension = 0
        if prunable:
            if can_prune(worker, move, tactical, history, alpha, depth, max(depth - reduction // PLY, 0), ply):
                continue

        # Step 14. Extensions. Singular: a table move without a rival is searched deeper. If even its rivals hold beta,
        # the node does (multi-cut); if it has rivals and a cut is expected anyway, it needs less depth. A check
        # that loses little is followed a ply deeper, within twice the nominal depth.
        if (selective and params.use_singular and not at_root and move == table_move and depth >= params.singular_depth
                and table_lower_depth >= depth - 3 and not is_mate_score(table_lower)):
            bound = table_lower - params.singular_margin * depth // 16
            node.excluded = move
            value = search(worker, bound - 1, bound, (depth - 1) // 2, ply, cut_node)
            node.excluded = MOVE_NONE
            if stopped(worker):
                return 0
            if value < bound:
                extension = 1
            elif bound >= beta:
                return bound
            elif table_lower >= beta or cut_node:
                extension = -1
            node.ghi_heads = 0
        elif (selective and params.use_check_extension and checking and ply < 2 * worker.root_depth
                and see_reaches(pos, move, -params.check_extension_risk)):
            extension = 1
        new_depth = depth - 1 + extension

        # Step 15. Principal-variation search (PVS). Late moves are searched shallower first, by what is known of them
        # (late-move reductions, LMR). The first move gets the open window; the others are asked only whether they are
        # better, and searched again if so. The window of that last search starts at alpha, for what the first returned
        # need not hold at another.
        reduced = new_depth
        if selective and params.use_lmr and depth >= 2 and count > 1 + at_root:
            if table_is_noisy:
                reduction += params.lmr_table_noisy
            if was_on_pv:
                reduction -= params.lmr_was_on_pv
            if cut_node:
                reduction += params.lmr_cut_node
            if checked:
                reduction += params.lmr_in_check
            if noisy:
                reduction -= params.lmr_noisy
            elif checking:
                reduction -= params.lmr_check
            else:
                reduction -= weighted_history(worker, move, ply) // PLY
            reduced = max(1, min(new_depth - reduction // PLY, new_depth))
        play(worker, move, ply)
        if count > 1 or not on_pv:
            value = -search(worker, -alpha - 1, -alpha, reduced, ply + 1, reduced < new_depth or not cut_node)
            ghi_heads |= child.ghi_heads
            if value > alpha and reduced < new_depth:
                value = -search(worker, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
                ghi_heads |= child.ghi_heads
        if on_pv and (count == 1 or alpha < value < beta):
            value = -search(worker, -beta, -alpha, new_depth, ply + 1, False)
            ghi_heads |= child.ghi_heads
        undo_move(pos)
        if stopped(worker):
            return 0

        # Step 16. What it was worth.
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
                    ghi_heads = child.ghi_heads
                    break
                alpha = value
        note(&noisy_tried if noisy else &quiets_tried, move)

    # Step 17. No move at all: in shogi that is lost, in check or not.
    if count == 0:
        return old_alpha if excluded else mated_in(ply)

    best = max(floor, min(best, ceiling))

    # Step 18. What is learnt from it. At the root some moves may be left out, so nothing is stored there.
    if best_move:
        reward(worker, best_move, &quiets_tried, &noisy_tried, depth, ply)
    node.ghi_heads = heads_above(ghi_heads, ply)
    if not at_root and not excluded:
        tt_store(worker, best_move, evaluation, best, old_alpha, beta, depth, was_on_pv, ply)
        if not checked and not is_mate_score(best) and not (best_move and is_noisy(pos, best_move)):
            # A bound tells only that the evaluation was too low, or that it was too high.
            if best_move and best > node.evaluation or best < beta and best < node.evaluation:
                learn_correction(worker, best - node.evaluation, depth)
    return best
