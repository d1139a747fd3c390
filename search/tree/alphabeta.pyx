"""Steps 1 to 19 of the search (see alphabeta.pxd). docs/SEARCH.md describes them under the same numbers.

search/counted.pyx includes this file and compiles it once more.
"""
from libc.string cimport memcpy

from engine.movegen cimport is_noisy
from engine.position cimport CheckInfo, Pos, checks_with, find_check_info, in_check, undo_move, undo_null
from engine.types cimport (INFINITE, MAX_EVAL, MAX_PLY, MOVE_NONE, NO_SCORE, Move, mate_in, mated_in, u64)
from search.parameters cimport Params
from search.tree.bounds cimport (FAIL_HIGH, STOPPED, Cutoff, fail_high, finds_mate_in_one, from_table, no_cutoff,
                                 refined, stopped_cutoff, table_move_of, tt_prefetch)
from search.tree.evaluation cimport correction_at, evaluation_at
from search.tree.frame cimport PLY, Candidate, Frame, add_refuted
from search.tree.history cimport (INITIAL_CONTINUATION, INITIAL_PAWN, TABLE_MOVE_LIMIT, learn, main_history,
                                  piece_to_of)
from search.tree.loops cimport heads_above
from search.tree.picker cimport Picker, next_move, start_picker, start_qsearch_picker
from search.tree.rewards cimport learn_continuation, learn_from_node, learn_from_swing, learn_from_table
from search.tree.see cimport see_reaches
from search.tree.selectivity cimport (apply_hindsight, early_reduction_of, is_known_below, may_be_singular, may_deepen,
                                      prune_move, reduce_without_move, reduction_of, reverse_futility, small_probcut,
                                      stat_score_of)
from search.tree.worker cimport (EXACT, LOWER_BOUND, UPPER_BOUND, Node, RootMove, TableView, is_decisive, is_terminal,
                                 node_at, pawn_history, play, play_null, set_pv, stopped)
from tt.table cimport LOWER_ON_PATH, ON_PV, UPPER_ON_PATH, Entry

# -- The frame, and steps 4 and 6: what a node knows before it searches ------------------------------------------------

cdef inline void set_up_frame(Frame* f, Worker* worker, int alpha, int beta, int depth, int ply,
                              bint cut_node) noexcept nogil:
    """Fill the frame and reset the node's counters; nothing here needs the table."""
    cdef Node* node = node_at(worker, ply)
    cdef Node* parent = node - 1
    f.worker = worker
    f.node = node
    f.ply = ply
    f.depth = min(depth, MAX_PLY)
    f.alpha = alpha
    f.beta = beta
    f.at_root = ply == 0
    f.on_pv = beta - alpha > 1
    f.cut_node = cut_node
    node.in_check = in_check(&worker.pos)
    f.improving = False
    f.reduced_by = parent.played.reduction
    f.raw_evaluation = f.estimate = NO_SCORE
    f.best = -INFINITE
    f.count = 0
    f.best_move = MOVE_NONE
    f.refuted[0].count = f.refuted[1].count = 0
    node.on_last_pv = f.at_root or parent.on_last_pv and worker.last_pv[ply - 1] == parent.played.move
    parent.played.reduction = 0
    (node + 2).cutoffs = 0
    node.played.stat_score = node.played.number = 0


cdef inline void read_table(Frame* f, Entry* entry) noexcept nogil:
    """Probe the table. Set the node's mark "was on PV" and its view of the entry, all but the move."""
    cdef TableView* view = &f.node.tt
    view.known = tt_probe(f.worker, entry)
    view.move = MOVE_NONE
    view.noisy = False
    view.lower = -INFINITE
    view.upper = INFINITE
    view.lower_depth = view.upper_depth = -1
    f.node.was_on_pv = f.on_pv
    if not view.known:
        return
    f.node.was_on_pv |= (entry.marks & ON_PV) != 0
    if entry.lower_depth and not entry.marks & LOWER_ON_PATH:
        view.lower = from_table(entry.lower, f.ply)
        view.lower_depth = entry.lower_depth - 1
    if entry.upper_depth and not entry.marks & UPPER_ON_PATH:
        view.upper = from_table(entry.upper, f.ply)
        view.upper_depth = entry.upper_depth - 1


cdef inline Cutoff consult_table(Frame* f, Entry* entry) noexcept nogil:
    """Read the table into the node. Returns a cutoff if the entry's bounds decide a null-window node; PV nodes are
    never cut here. The table move is rewarded if it cuts."""
    cdef Worker* worker = f.worker
    cdef Node* node = f.node
    cdef Move table_move
    cdef Cutoff cutoff
    read_table(f, entry)
    if not node.tt.known:
        return no_cutoff()
    f.raw_evaluation = entry.evaluation
    if not f.on_pv:
        cutoff = tt_cutoff(worker, entry, f.depth, f.alpha, f.beta, f.ply)
        if cutoff.answer:
            if cutoff.answer == FAIL_HIGH:
                table_move = table_move_of(entry, &worker.pos)
                if table_move:
                    learn_from_table(f, table_move)
            return cutoff
    node.tt.move = table_move_of(entry, &worker.pos)
    return no_cutoff()


cdef inline void evaluate_node(Frame* f, Move excluded) noexcept nogil:
    """Set the node's static evaluation, corrected by the correction history, and whether it is improving. A singular
    search, which leaves out the table move (`excluded`), keeps the evaluation that the node has."""
    cdef Node* node = f.node
    cdef int correction
    if node.in_check:
        node.evaluation = (node - 2).evaluation
        node.correction = 0
        return
    if not excluded:
        if f.raw_evaluation == NO_SCORE:
            f.raw_evaluation = evaluation_at(f.worker, f.ply)
        correction = correction_at(f.worker, f.ply)
        node.correction = abs(correction)
        node.evaluation = max(-MAX_EVAL, min(f.raw_evaluation + correction, MAX_EVAL))
    f.improving = node.evaluation > (node - 2).evaluation and (node - 2).evaluation != NO_SCORE


# -- Steps 7 to 12: pruning the node -----------------------------------------------------------------------------------

cdef Cutoff null_move(Frame* f) noexcept nogil:
    """Step 9, null-move pruning (NMP): fail high if even a pass holds beta. Only at cut nodes, so there are never two
    in a row."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef int reduced_depth, value, verified
    cdef u64 heads
    if (not params.use_null_move or not f.cut_node or node.excluded or is_decisive(f.beta)
            or f.ply < worker.null_forbidden_until
            or node.evaluation < (f.beta + params.null_margin - params.null_margin_slope * f.depth
                                  - params.null_improving * f.improving)):
        return no_cutoff()
    reduced_depth = f.depth - params.null_base - f.depth // params.null_depth_divisor
    play_null(worker, f.ply)
    value = -alpha_beta(worker, -f.beta, -f.beta + 1, reduced_depth, f.ply + 1, False)
    undo_null(&worker.pos)
    if stopped(worker):
        return stopped_cutoff()
    if value < f.beta or is_decisive(value):
        return no_cutoff()
    heads = heads_above((node + 1).ghi_heads, f.ply)
    if not worker.null_forbidden_until and f.depth >= params.null_verification_depth:
        # At this depth a mistake would cost too much, so a search without null moves has to confirm.
        worker.null_forbidden_until = f.ply + params.null_forbidden * reduced_depth // 4
        verified = alpha_beta(worker, f.beta - 1, f.beta, reduced_depth, f.ply, False)
        worker.null_forbidden_until = 0
        if stopped(worker):
            return stopped_cutoff()
        if verified < f.beta:
            node.ghi_heads = 0
            return no_cutoff()
        heads |= node.ghi_heads
        value = min(value, verified)
    node.ghi_heads = heads
    return fail_high(value)


cdef int search_captures(Frame* f, int beta, Move* best) noexcept nogil:
    """Find a capture whose value in a shallower search is at least `beta`, ProbCut's raised beta. Returns the value and
    sets `best` to the move; -INFINITE if there is none, or after a stop."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = f.node
    cdef int needed = (beta - node.evaluation) * params.see_evaluation // 1024
    cdef int reduced_depth = f.depth - params.probcut_reduction
    cdef Picker picker
    cdef Move move
    cdef int value
    start_qsearch_picker(&picker, worker, f.ply, node.tt.move)
    while True:
        move = next_move(&picker)
        if not move:
            return -INFINITE
        if move == node.excluded or (move != node.tt.move and not see_reaches(pos, move, needed)):
            continue
        tt_prefetch(worker, move)
        play(worker, move, f.ply)
        value = -qsearch(worker, -beta, -beta + 1, f.ply + 1)
        if value >= beta and reduced_depth > 0:
            value = -alpha_beta(worker, -beta, -beta + 1, reduced_depth, f.ply + 1, not f.cut_node)
        undo_move(pos)
        if stopped(worker):
            return -INFINITE
        if value >= beta:
            best[0] = move
            return value


cdef Cutoff probcut(Frame* f) noexcept nogil:
    """Step 11, ProbCut: fail high if a capture beats a raised beta in a shallower search. Not tried if the table knows
    a value below that."""
    cdef const Params* params = &f.worker.params
    cdef Node* node = f.node
    cdef int bound = f.beta + params.probcut_margin - params.probcut_improving * f.improving
    cdef int value
    cdef Move move = MOVE_NONE
    if (not params.use_probcut or f.depth < params.probcut_depth or node.excluded or f.at_root
            or is_decisive(f.beta) or is_known_below(&node.tt, bound)):
        return no_cutoff()
    value = search_captures(f, bound, &move)
    if stopped(f.worker):
        return stopped_cutoff()
    if value >= bound:
        node.ghi_heads = heads_above((node + 1).ghi_heads, f.ply)
        tt_store(f.worker, move, f.raw_evaluation, value, bound - 1, value,
                 max(f.depth - params.probcut_reduction + 1, 0), node.was_on_pv, f.ply)
        node.tt.known = True
        if not is_decisive(value):
            return fail_high(value - (bound - f.beta))
    node.ghi_heads = 0
    return no_cutoff()


cdef Cutoff prune_node(Frame* f) noexcept nogil:
    """Steps 7 to 12: adjust the depth, and return a cutoff if the node's value is known well enough without its
    moves."""
    cdef const Node* node = f.node
    cdef const Node* parent = f.node - 1
    cdef bint opponent_worsening = parent.evaluation == NO_SCORE or node.evaluation > -parent.evaluation
    cdef Cutoff cutoff
    if not node.in_check:
        apply_hindsight(f, opponent_worsening)                      # Step 7. Hindsight.
        cutoff = reverse_futility(f, opponent_worsening)            # Step 8. Reverse futility pruning (RFP).
        if cutoff.answer:
            return cutoff
        cutoff = null_move(f)                                       # Step 9. Null-move pruning (NMP).
        if cutoff.answer:
            return cutoff
        f.improving |= node.evaluation >= f.beta
        reduce_without_move(f)                                      # Step 10. Internal iterative reduction (IIR).
        cutoff = probcut(f)                                         # Step 11. ProbCut.
        if cutoff.answer:
            return cutoff
    return small_probcut(f)                                         # Step 12. Small ProbCut.


# -- Steps 13 and 15 to 17: a move -------------------------------------------------------------------------------------

cdef inline void set_up_candidate(Frame* f, Candidate* candidate, Move move,
                                  const CheckInfo* check_info) noexcept nogil:
    """Count the next move and set its properties, by which steps 14 to 16 prune, extend or reduce it."""
    cdef Worker* worker = f.worker
    cdef Pos* pos = &worker.pos
    cdef const Node* node = f.node
    cdef int piece_to
    f.count += 1
    candidate.move = move
    candidate.noisy = is_noisy(pos, move)
    candidate.checking = checks_with(pos, move, check_info)
    candidate.main = candidate.continuations = candidate.pawns = 0
    if not candidate.noisy:
        candidate.main = main_history(&worker.history, pos.turn, move)[0]
        piece_to = piece_to_of(pos, move)
        candidate.continuations = ((node - 1).played.continuation[piece_to] + (node - 2).played.continuation[piece_to]
                                   + 2 * INITIAL_CONTINUATION)
        if worker.params.use_pawn_history:
            candidate.pawns = pawn_history(worker, node)[piece_to] + INITIAL_PAWN
    candidate.depth = f.depth - 1
    candidate.extension = 0
    candidate.early_reduction = early_reduction_of(f)


cdef Cutoff extend_singular(Frame* f, Candidate* candidate) noexcept nogil:
    """Step 15, singular extension: search the node without its table move, to a lower bound. If no other move reaches
    the bound, extend the table move by one to three plies. If one reaches beta, fail high (multi-cut). Otherwise the
    table move may lose depth."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef bint quiet = not node.tt.noisy
    cdef bint past_root_depth = f.ply > worker.root_depth
    cdef int table_value = node.tt.lower
    cdef int slope = params.singular_margin + (params.singular_was_on_pv if node.was_on_pv and not f.on_pv else 0)
    cdef int excess = max(0, table_value - f.beta)      # counts only in part: the node needs no more than beta
    cdef int bound = table_value - excess + excess * params.singular_excess // 1024 - slope * f.depth // 64
    cdef int double_margin, triple_margin, value
    cdef u64 heads = node.ghi_heads
    node.excluded = candidate.move
    value = alpha_beta(worker, bound - 1, bound, (f.depth - 1) // params.singular_divisor, f.ply, f.cut_node)
    node.excluded = MOVE_NONE
    if stopped(worker):
        return stopped_cutoff()
    if value >= bound and value >= f.beta and not is_decisive(value):
        # The value rests on the repetitions of that search, so the `ghi_heads` that it left in the node stay.
        learn(&worker.history.table_move, -min(params.table_move_multicut * f.depth + params.table_move_multicut_base,
                                               params.table_move_multicut_limit), TABLE_MOVE_LIMIT)
        return fail_high(value)
    node.ghi_heads = heads
    if value < bound:
        double_margin = (params.double_margin + params.double_on_pv * f.on_pv - params.double_quiet * quiet
                         - params.double_table_move * worker.history.table_move // TABLE_MOVE_LIMIT
                         - params.double_past_root_depth * past_root_depth)
        triple_margin = (params.triple_margin + params.triple_on_pv * f.on_pv - params.triple_quiet * quiet
                         + params.triple_was_on_pv * node.was_on_pv - params.triple_past_root_depth * past_root_depth)
        candidate.extension = 1 + (value < bound - double_margin) + (value < bound - triple_margin)
        f.depth += 1
    elif table_value >= f.beta:
        candidate.extension = -params.singular_rivals
    elif f.cut_node:
        candidate.extension = -params.singular_rivals_cut
    return no_cutoff()


cdef int search_move(Frame* f, const Candidate* candidate) noexcept nogil:
    """Step 16: the value of the candidate, which has just been played, by principal-variation search (PVS). Late moves
    are first searched shallower (late-move reductions, LMR). The first move of a PV node gets the whole window; the
    others get a null window first, and the whole one if they beat alpha. The whole window begins at alpha, not at the
    value of the null-window search, because that value need not hold at another depth."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef Node* child = node + 1
    cdef int ply = f.ply
    cdef int new_depth = candidate.depth
    cdef int reduction = candidate.reduction
    cdef int value = -INFINITE
    cdef int reduced_depth, most
    if params.use_lmr and f.depth >= params.lmr_depth and f.count > 1:
        most = new_depth + (params.lmr_deeper if may_deepen(f) else 0)
        reduced_depth = max(1, min(new_depth - reduction // PLY, most)) + f.on_pv
        node.played.reduction = new_depth - reduced_depth
        value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, reduced_depth, ply + 1, True)
        node.played.reduction = 0
        node.ghi_heads |= child.ghi_heads
        if value > f.alpha and not stopped(worker):
            if params.use_research_depth:
                new_depth += (reduced_depth < new_depth and value > f.best + params.research_deeper)
                new_depth -= (value < f.best + params.research_shallower)
            if new_depth > reduced_depth:
                value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, new_depth, ply + 1, not f.cut_node)
                node.ghi_heads |= child.ghi_heads
            # A move that beats alpha even in a reduced search deserves a better place in the order.
            learn_continuation(params, node, node.played.piece_to, params.research_bonus)
    elif not f.on_pv or f.count > 1:
        reduced_depth = new_depth
        if params.use_lmr:
            if not node.tt.move:
                reduction += params.lmr_no_move
            reduced_depth -= ((reduction > params.lmr_first_one)
                              + (reduction > params.lmr_first_two and new_depth > params.lmr_first_depth))
        value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, reduced_depth, ply + 1, not f.cut_node)
        node.ghi_heads |= child.ghi_heads
    if f.on_pv and (f.count == 1 or value > f.alpha):
        if (candidate.move == node.tt.move
                and max(node.tt.lower_depth, node.tt.upper_depth) > params.pv_table_depth):
            new_depth = max(new_depth, 1)
        value = -alpha_beta(worker, -f.beta, -f.alpha, new_depth, ply + 1, False)
        node.ghi_heads |= child.ghi_heads
    return value


cdef void update_root_move(const Frame* f, int value, u64 nodes) noexcept nogil:
    """Store the result of the root move just searched: score, bound and PV if it is the best so far, else only that its
    score is lower."""
    cdef Worker* worker = f.worker
    cdef RootMove* root_move = &worker.root_moves[worker.root_first + f.count - 1]
    cdef int square = max(-MAX_EVAL, min(value, MAX_EVAL))
    square *= abs(square)
    root_move.nodes += nodes
    if root_move.average == NO_SCORE:
        root_move.average = value
        root_move.mean_square = square
    else:
        root_move.average = (root_move.average + value) // 2
        root_move.mean_square = root_move.mean_square // 2 + square // 2
    if f.count == 1 or value > f.alpha:
        root_move.score = value
        root_move.bound = UPPER_BOUND if value <= f.alpha else LOWER_BOUND if value >= f.beta else EXACT
        root_move.depth = worker.root_depth
        root_move.seldepth = worker.seldepth
        set_pv(node_at(worker, 0), root_move.pv[0], node_at(worker, 1))
        memcpy(root_move.pv, node_at(worker, 0).pv, sizeof(root_move.pv))
    else:
        root_move.score = -INFINITE


cdef inline Move next_of(const Frame* f, Picker* picker) noexcept nogil:
    """The picker's next move; at the root the next root move. MOVE_NONE after the last."""
    cdef const Worker* worker = f.worker
    if not f.at_root:
        return next_move(picker)
    if worker.root_first + f.count < worker.root_count:
        return worker.root_moves[worker.root_first + f.count].pv[0]
    return MOVE_NONE


cdef inline bint take_value(Frame* f, const Candidate* candidate, int value) noexcept nogil:
    """Step 17: store the candidate's value in the frame. True if it reaches beta, which ends the node."""
    cdef Node* node = f.node
    if value <= f.alpha:
        f.best = max(f.best, value)
        add_refuted(&f.refuted[candidate.noisy], candidate.move)
        return False
    f.best = value
    f.best_move = candidate.move
    if f.on_pv and not f.at_root:       # at the root `update_root_move` has set it already
        set_pv(node, candidate.move, node + 1)
    if value >= f.beta:
        # The cut rests on this move alone, so the repetitions under earlier moves do not count.
        node.ghi_heads = (node + 1).ghi_heads
        # The parent uses this count of failing-high children in LMR. Off the PV, cuts by moves extended by two plies or
        # more do not count.
        node.cutoffs += candidate.extension < f.worker.params.cutoff_extension or f.on_pv
        return True
    f.alpha = value
    return False


# -- The search --------------------------------------------------------------------------------------------------------

cdef int alpha_beta(Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = node_at(worker, ply)
    cdef Move excluded = node.excluded
    cdef int value = 0
    cdef Move move
    cdef u64 nodes_before
    cdef CheckInfo check_info
    cdef Cutoff cutoff
    cdef Entry entry
    cdef Candidate candidate
    cdef Picker picker
    cdef Frame f

    if depth <= 0:
        return qsearch(worker, alpha, beta, ply)

    # Step 1. Stop if the time or a limit is used up.
    node.pv[0] = MOVE_NONE
    node.ghi_heads = 0
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)
    set_up_frame(&f, worker, alpha, beta, depth, ply, cut_node)

    if not f.at_root:
        # Step 2. Apply the rules. The rules come before the table, which does not know the path.
        if is_terminal(worker, ply, &value):
            return value
        if ply >= MAX_PLY:
            return evaluation_at(worker, ply)

        # Step 3. Mate distance pruning: no value here can beat a shorter mate that is already known.
        f.alpha = max(alpha, mated_in(ply))
        f.beta = min(beta, mate_in(ply + 1))
        if f.alpha >= f.beta:
            return f.alpha

    # Step 4. Probe the table. A singular search keeps the view of the table that its node already has.
    if not excluded:
        cutoff = consult_table(&f, &entry)
        if cutoff.answer:
            return cutoff.value
        if f.at_root:
            node.tt.move = worker.root_moves[worker.root_first].pv[0]
        node.tt.noisy = node.tt.move != MOVE_NONE and is_noisy(pos, node.tt.move)
    f.old_alpha = f.alpha

    # Step 5. Look for a mate in one, at nodes that the table does not know.
    if (params.use_mate_in_one and not node.in_check and not excluded and not f.at_root
            and not node.tt.known and finds_mate_in_one(worker, ply)):
        tt_store(worker, node.pv[0], NO_SCORE, mate_in(ply + 1), -INFINITE, INFINITE,
                 f.depth + params.mate_in_one_depth, f.on_pv, ply)
        return mate_in(ply + 1)

    # Step 6. Evaluate statically; the change since the node above rewards or punishes the move to here.
    evaluate_node(&f, excluded)
    if not node.in_check:
        f.estimate = refined(&entry, node.evaluation) if node.tt.known and not excluded else node.evaluation
        if not excluded:
            learn_from_swing(&f)

    # Steps 7 to 12. Prune the node.
    cutoff = prune_node(&f)
    if cutoff.answer == STOPPED:
        return 0
    if cutoff.answer:
        if not node.tt.known and not node.in_check and not excluded:
            tt_store_evaluation(worker, f.raw_evaluation, node.was_on_pv)
        return cutoff.value

    # Step 13. Get the next move.
    (node + 1).excluded = MOVE_NONE
    find_check_info(pos, &check_info)
    if not f.at_root:
        start_picker(&picker, worker, ply, node.tt.move, &check_info)
    while True:
        move = next_of(&f, &picker)
        if not move:
            break
        if move == excluded:
            continue
        set_up_candidate(&f, &candidate, move, &check_info)

        # Step 14. Shallow pruning of the move (selectivity.pxd).
        if prune_move(&f, &candidate, &picker):
            continue
        tt_prefetch(worker, move)

        # Step 15. Singular extension.
        if may_be_singular(&f, move):
            cutoff = extend_singular(&f, &candidate)
            if cutoff.answer:
                return 0 if cutoff.answer == STOPPED else cutoff.value
            candidate.depth += candidate.extension

        # Step 16. Search the move, with late-move reductions.
        node.played.stat_score = stat_score_of(&f, &candidate)
        node.played.number = f.count
        candidate.reduction = reduction_of(&f, &candidate)
        nodes_before = worker.nodes
        play(worker, move, ply)
        value = search_move(&f, &candidate)
        undo_move(pos)
        if stopped(worker):
            return 0

        # Step 17. Take its value.
        if f.at_root:
            update_root_move(&f, value, worker.nodes - nodes_before)
        if take_value(&f, &candidate, value):
            break

    # Step 18. Without a legal move the side to move is mated; shogi has no stalemate.
    if f.count == 0:
        return f.old_alpha if excluded else mated_in(ply)

    # Step 19. Learn from the result (rewards.pxd) and store it.
    learn_from_node(&f)
    if params.use_pv_spread and f.best <= f.old_alpha:
        node.was_on_pv |= (node - 1).was_on_pv
    node.ghi_heads = heads_above(node.ghi_heads, ply)
    # Some root moves may be left out, so the root is not stored.
    if not f.at_root and not excluded:
        tt_store(worker, f.best_move, f.raw_evaluation, f.best, f.old_alpha, f.beta, f.depth, node.was_on_pv, ply)
    return f.best
