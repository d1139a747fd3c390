from engine.movegen cimport is_noisy
from engine.position cimport CheckInfo, Pos, checks_with, find_check_info, in_check, undo_move, undo_null
from engine.types cimport (INFINITE, MAX_EVAL, MAX_PLY, MOVE_NONE, NO_SCORE, Move, is_drop, mate_in, mated_in,
                           move_from, move_to, u64)
from search.parameters cimport Params
from search.tree.bounds cimport (FAIL_HIGH, Cutoff, fail_high, from_table, mates_at_once, no_cutoff, refined,
                                 table_move_of, tt_cutoff, tt_prefetch, tt_probe, tt_store, tt_store_evaluation)
from search.tree.evaluation cimport correction_at, evaluation_at
from search.tree.frame cimport PLY, Candidate, Frame, note
from search.tree.history cimport NEW_CONTINUATION, NEW_PAWN, TABLE_MOVE_LIMIT, learn, main_history, piece_to_of
from search.tree.instrumentation cimport count_leaving
from search.tree.loops cimport heads_above
from search.tree.picker cimport Picker, next_move, start, start_qsearch
from search.tree.pruning cimport is_pruned
from search.tree.reductions cimport base_reduction, reduction_of, stat_score
from search.tree.rewards cimport learn_continuation, learn_from_node, learn_from_swing, learn_from_table
from search.tree.see cimport see_reaches
from search.tree.worker cimport (EXACT, LOWER_BOUND, UPPER_BOUND, Node, RootMove, TableView, Worker, extend_pv,
                                 is_decisive, is_terminal, node_at, pawn_history, play, play_null, stopped)
from tt.table cimport LOWER_ON_PATH, ON_PV, UPPER_ON_PATH, Entry

from libc.string cimport memcpy

# -- The table ---------------------------------------------------------------------------------------------------------

cdef inline void look_up(Frame* f, Entry* entry) noexcept nogil:
    """What the table knows of the node: its mark and its bounds."""
    cdef TableView* view = &f.node.table
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


# -- Before the moves --------------------------------------------------------------------------------------------------

cdef inline void evaluate_node(Frame* f, Move excluded) noexcept nogil:
    """The static evaluation, corrected by what searches have found, and whether it is rising."""
    cdef Node* node = f.node
    cdef int correction
    if f.checked:
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


# The steps before the moves. Each that may end the node returns a cutoff. After a stop its answer is FAIL_HIGH and its
# value means nothing.

cdef inline void correct_depth(Frame* f, bint worsening) noexcept nogil:
    """Hindsight: the move that led here was reduced; now there is an evaluation to say whether rightly so."""
    cdef const Params* params = &f.worker.params
    cdef const Node* parent = f.node - 1
    if not params.use_hindsight or f.node.excluded:
        return
    if f.lmr_before >= params.hindsight_deeper and not worsening:
        f.depth += 1
    elif (f.lmr_before >= params.hindsight_shallower and f.depth >= params.hindsight_depth
            and parent.evaluation != NO_SCORE
            and f.node.evaluation + parent.evaluation > params.hindsight_margin):
        f.depth -= 1


cdef inline Cutoff reverse_futility(const Frame* f, bint worsening) noexcept nogil:
    """Reverse futility pruning (RFP): so far above beta, the other side will not make up for it in the depth left."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.table
    cdef int margin
    if (not params.use_rfp or node.was_on_pv or f.depth > params.rfp_depth or f.estimate < f.beta
            or is_decisive(f.beta) or is_decisive(f.estimate) or (view.move and not view.noisy)):
        return no_cutoff()
    margin = params.rfp_margin if view.known else params.rfp_margin_unknown
    margin = ((1024 * f.depth - params.rfp_improving * f.improving - params.rfp_worsening * worsening)
              * margin + params.rfp_correction * node.correction) // 1024
    if f.estimate - margin < f.beta:
        return no_cutoff()
    return fail_high((params.rfp_beta * f.beta + f.estimate) // (params.rfp_beta + 1))


cdef Cutoff null_move(Frame* f) noexcept nogil:
    """Null-move pruning (NMP): if the position holds even after a pass, a move will do. Only where a cut is expected,
    so never two in a row."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef int reduced, value, verified
    cdef u64 heads
    if (not params.use_null_move or not f.cut_node or node.excluded or is_decisive(f.beta)
            or f.ply < worker.null_forbidden_until
            or node.evaluation < (f.beta + params.null_margin - params.null_margin_slope * f.depth
                                  - params.null_improving * f.improving)):
        return no_cutoff()
    reduced = f.depth - params.null_base - f.depth // params.null_depth_divisor
    play_null(worker, f.ply)
    value = -alpha_beta(worker, -f.beta, -f.beta + 1, reduced, f.ply + 1, False)
    undo_null(&worker.pos)
    if stopped(worker):
        return fail_high(0)
    if value < f.beta or is_decisive(value):
        return no_cutoff()
    heads = heads_above((node + 1).ghi_heads, f.ply)
    if not worker.null_forbidden_until and f.depth >= params.null_verification_depth:
        # So near the root a mistake would cost too much: a shallower search has to hold without null moves.
        worker.null_forbidden_until = f.ply + params.null_forbidden * reduced // 4
        verified = alpha_beta(worker, f.beta - 1, f.beta, reduced, f.ply, False)
        worker.null_forbidden_until = 0
        if verified < f.beta and not stopped(worker):
            node.ghi_heads = 0
            return no_cutoff()
        heads |= node.ghi_heads
        value = min(value, verified)
    node.ghi_heads = heads
    return fail_high(value)


cdef inline void reduce_without_move(Frame* f) noexcept nogil:
    """Internal iterative reduction (IIR): without a table move the order is poor, and the full depth not worth its
    nodes yet."""
    cdef const Params* params = &f.worker.params
    if (params.use_iir and not f.at_root and not f.node.on_last_pv and not f.node.table.move
            and (f.on_pv or f.cut_node) and f.depth >= params.iir_depth and f.lmr_before <= params.iir_reduced):
        f.depth -= 1


cdef inline bint tells_below(const TableView* view, int bound) noexcept nogil:
    """Whether the table's value, as far as it has one, is below that."""
    return view.upper < bound if view.upper_depth >= 0 else view.lower_depth >= 0 and view.lower < bound


cdef int best_capture(Frame* f, int beta, Move* found) noexcept nogil:
    """The value of a capture, `found`, that beats this raised beta at a lower depth, else -INFINITE."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = f.node
    cdef int needed = (beta - node.evaluation) * params.see_evaluation // 1024
    cdef int reduced = f.depth - params.probcut_reduction
    cdef Picker picker
    cdef Move move
    cdef int value
    start_qsearch(&picker, worker, f.ply, node.table.move)
    while True:
        move = next_move(&picker)
        if not move:
            return -INFINITE
        if move == node.excluded or (move != node.table.move and not see_reaches(pos, move, needed)):
            continue
        tt_prefetch(worker, move)
        play(worker, move, f.ply)
        value = -qsearch(worker, -beta, -beta + 1, f.ply + 1)
        if value >= beta and reduced > 0:
            value = -alpha_beta(worker, -beta, -beta + 1, reduced, f.ply + 1, not f.cut_node)
        undo_move(pos)
        if stopped(worker):
            return -INFINITE
        if value >= beta:
            found[0] = move
            return value


cdef Cutoff probcut(Frame* f) noexcept nogil:
    """ProbCut: a capture that beats beta by far at a low depth will beat it at this one, unless the table has a lower
    value."""
    cdef const Params* params = &f.worker.params
    cdef Node* node = f.node
    cdef int bound = f.beta + params.probcut_margin - params.probcut_improving * f.improving
    cdef int value
    cdef Move move = MOVE_NONE
    if (not params.use_probcut or f.depth < params.probcut_depth or node.excluded or f.at_root
            or is_decisive(f.beta) or tells_below(&node.table, bound)):
        return no_cutoff()
    value = best_capture(f, bound, &move)
    if stopped(f.worker):
        return fail_high(0)
    if value >= bound:
        node.ghi_heads = heads_above((node + 1).ghi_heads, f.ply)
        tt_store(f.worker, move, f.raw_evaluation, value, bound - 1, value,
                 max(f.depth - params.probcut_reduction + 1, 0), node.was_on_pv, f.ply)
        node.table.known = True
        if not is_decisive(value):
            return fail_high(value - (bound - f.beta))
    node.ghi_heads = 0
    return no_cutoff()


cdef inline Cutoff probcut_by_table(const Frame* f) noexcept nogil:
    """ProbCut by the table alone: it knows a lower bound that beats beta by far."""
    cdef const Params* params = &f.worker.params
    cdef const TableView* view = &f.node.table
    cdef int bound = f.beta + params.small_probcut_margin
    if (not params.use_small_probcut or f.at_root or f.node.excluded or view.lower_depth < 0
            or view.lower_depth < f.depth - params.small_probcut_depth or view.lower < bound
            or is_decisive(f.beta) or is_decisive(view.lower)):
        return no_cutoff()
    return fail_high(bound)


cdef Cutoff prune_node(Frame* f) noexcept nogil:
    """Steps 7 to 12: whether the node's value is known well enough without searching its moves."""
    cdef const Node* node = f.node
    cdef const Node* parent = f.node - 1
    cdef bint worsening = (parent.evaluation == NO_SCORE            # for the opponent
                           or node.evaluation > -parent.evaluation)
    cdef Cutoff cutoff
    if not f.checked:
        correct_depth(f, worsening)                     # Step 7. Hindsight.
        cutoff = reverse_futility(f, worsening)         # Step 8. RFP.
        if cutoff.answer:
            return cutoff
        cutoff = null_move(f)                           # Step 9. Null move.
        if cutoff.answer:
            return cutoff
        f.improving |= node.evaluation >= f.beta
        reduce_without_move(f)                          # Step 10. IIR.
        cutoff = probcut(f)                             # Step 11. ProbCut.
        if cutoff.answer:
            return cutoff
    return probcut_by_table(f)                          # Step 12. ProbCut by the table.


# -- A move -----------------------------------------------------------------------------------------------------------

cdef inline bint is_shuffling(const Frame* f, Move move) noexcept nogil:
    """Whether a piece goes to and fro: its own side's last two moves were by it, too, and took nothing."""
    cdef const Node* node = f.node
    cdef Move last = (node - 2).move
    cdef Move before = (node - 4).move
    cdef const Params* params = &f.worker.params
    if (f.ply < params.shuffling_ply or f.worker.pos.state.plies <= params.shuffling_plies or is_drop(move)
            or is_noisy(&f.worker.pos, move)):
        return False
    return (not is_drop(last) and not is_drop(before) and move_from(move) == move_to(last)
            and move_from(last) == move_to(before))


cdef inline bint may_be_singular(const Frame* f, Move move) noexcept nogil:
    """Whether the table knows this move to be good, by a search deep enough to ask whether it has a rival."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.table
    return (params.selective and params.use_singular and move == view.move and not f.at_root and not node.excluded
            and f.depth >= params.singular_depth + node.was_on_pv
            and view.lower_depth >= f.depth - params.singular_bound_depth and view.lower_depth >= view.upper_depth
            and not is_decisive(view.lower) and not is_shuffling(f, move))


cdef Cutoff extend_singular(Frame* f, Candidate* tried) noexcept nogil:
    """Singular extension: a table move without a rival is searched deeper, by up to three plies. If even its rivals
    hold beta, the node does (multi-cut, a cutoff); if it has rivals and a cut is expected anyway, it needs less depth.
    After a stop the answer is FAIL_HIGH."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef bint quiet = not node.table.noisy
    cdef bint beyond = f.ply > worker.root_depth
    cdef int table_value = node.table.lower
    cdef int slope = params.singular_margin + (params.singular_was_on_pv if node.was_on_pv and not f.on_pv else 0)
    cdef int excess = max(0, table_value - f.beta)      # counts in part alone, for beta is all that the node needs
    cdef int bound = table_value - excess + excess * params.singular_excess // 1024 - slope * f.depth // 64
    cdef int double_margin, triple_margin, value
    cdef u64 heads = node.ghi_heads
    node.excluded = tried.move
    value = alpha_beta(worker, bound - 1, bound, (f.depth - 1) // params.singular_divisor, f.ply, f.cut_node)
    node.excluded = MOVE_NONE
    if stopped(worker):
        return fail_high(0)
    if value >= bound and value >= f.beta and not is_decisive(value):
        # It rests on what that search rested on: the node's `ghi_heads` stay as it has left them.
        learn(&worker.history.table_move, -min(params.table_move_multicut * f.depth + params.table_move_multicut_base,
                                               params.table_move_multicut_limit), TABLE_MOVE_LIMIT)
        return fail_high(value)
    node.ghi_heads = heads
    if value < bound:
        double_margin = (params.double_margin + params.double_on_pv * f.on_pv - params.double_quiet * quiet
                         - params.double_table_move * worker.history.table_move // TABLE_MOVE_LIMIT
                         - params.double_beyond * beyond)
        triple_margin = (params.triple_margin + params.triple_on_pv * f.on_pv - params.triple_quiet * quiet
                         + params.triple_was_on_pv * node.was_on_pv - params.triple_beyond * beyond)
        tried.extension = 1 + (value < bound - double_margin) + (value < bound - triple_margin)
        f.depth += 1
    elif table_value >= f.beta:
        tried.extension = -params.singular_rivals
    elif f.cut_node:
        tried.extension = -params.singular_rivals_cut
    return no_cutoff()


cdef int search_move(Frame* f, const Candidate* tried) noexcept nogil:
    """Principal-variation search (PVS) of a move that has just been played. Late moves are searched shallower first, by
    what is known of them (late-move reductions, LMR). The first move of a PV node gets the open window; the others are
    asked only whether they are better, and searched again if so. The window of that last search starts at alpha, for
    what the first returned need not hold at another."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef Node* child = node + 1
    cdef int ply = f.ply
    cdef int new_depth = tried.depth
    cdef int reduction = tried.reduction
    cdef int value = -INFINITE
    cdef int reduced
    if params.selective and params.use_lmr and f.depth >= params.lmr_depth and f.count > 1:
        reduced = max(1, min(new_depth - reduction // PLY, new_depth + params.lmr_deeper)) + f.on_pv
        node.reduction = new_depth - reduced
        value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, reduced, ply + 1, True)
        node.reduction = 0
        node.ghi_heads |= child.ghi_heads
        if value > f.alpha and not stopped(worker):
            if params.use_research_depth:
                new_depth += (reduced < new_depth and value > f.best + params.research_deeper)
                new_depth -= (value < f.best + params.research_shallower)
            if new_depth > reduced:
                value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, new_depth, ply + 1, not f.cut_node)
                node.ghi_heads |= child.ghi_heads
            # What even a reduced search liked is worth remembering.
            learn_continuation(params, node, node.piece_to, params.research_bonus)
    elif not f.on_pv or f.count > 1:
        reduced = new_depth
        if params.selective and params.use_lmr:
            if not node.table.move:
                reduction += params.lmr_no_move
            reduced -= ((reduction > params.lmr_first_one)
                        + (reduction > params.lmr_first_two and new_depth > params.lmr_first_depth))
        value = -alpha_beta(worker, -f.alpha - 1, -f.alpha, reduced, ply + 1, not f.cut_node)
        node.ghi_heads |= child.ghi_heads
    if f.on_pv and (f.count == 1 or value > f.alpha):
        if (tried.move == node.table.move and params.selective
                and max(node.table.lower_depth, node.table.upper_depth) > params.pv_table_depth):
            new_depth = max(new_depth, 1)
        value = -alpha_beta(worker, -f.beta, -f.alpha, new_depth, ply + 1, False)
        node.ghi_heads |= child.ghi_heads
    return value


cdef void note_at_root(const Frame* f, int value, u64 nodes) noexcept nogil:
    """The score and the line of the root move just searched if it leads; of any other only that it does not."""
    cdef Worker* worker = f.worker
    cdef RootMove* root_move = &worker.root_moves[worker.root_first + f.count - 1]
    cdef int square = max(-MAX_EVAL, min(value, MAX_EVAL))
    square *= abs(square)
    root_move.nodes += nodes
    root_move.average = value if root_move.average == NO_SCORE else (root_move.average + value) // 2
    root_move.mean_square = square if root_move.mean_square == NO_SCORE else (root_move.mean_square // 2 + square // 2)
    if f.count == 1 or value > f.alpha:
        root_move.score = value
        root_move.bound = UPPER_BOUND if value <= f.alpha else LOWER_BOUND if value >= f.beta else EXACT
        root_move.depth = worker.root_depth
        root_move.seldepth = worker.seldepth
        extend_pv(node_at(worker, 0), root_move.pv[0], node_at(worker, 1))
        memcpy(root_move.pv, node_at(worker, 0).pv, sizeof(root_move.pv))
    else:
        root_move.score = -INFINITE


# -- The steps of the search -------------------------------------------------------------------------------------------

cdef inline void enter(Frame* f, Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """What is known before the table has spoken."""
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
    f.checked = in_check(&worker.pos)
    f.improving = False
    f.lmr_before = parent.reduction
    f.raw_evaluation = f.estimate = NO_SCORE
    f.best = -INFINITE
    f.count = 0
    f.best_move = MOVE_NONE
    f.tried[0].count = f.tried[1].count = 0
    node.on_last_pv = f.at_root or parent.on_last_pv and worker.last_pv[ply - 1] == parent.move
    parent.reduction = 0
    (node + 2).cutoffs = 0
    node.stat_score = node.move_count = 0


cdef inline Cutoff ask_table(Frame* f, Entry* entry) noexcept nogil:
    """Read the table, and whether it ends the search here, which it never does at a PV node."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef Move table_move
    cdef Cutoff cutoff
    look_up(f, entry)
    if not node.table.known:
        return no_cutoff()
    f.raw_evaluation = entry.evaluation
    if not f.on_pv:
        cutoff = tt_cutoff(worker, entry, f.depth, f.alpha, f.beta, f.ply)
        if cutoff.answer:
            count_leaving(worker.instruments, worker.table, &worker.pos)
            if params.selective and cutoff.answer == FAIL_HIGH:
                table_move = table_move_of(entry, &worker.pos)
                if table_move:
                    learn_from_table(f, table_move)
            return cutoff
    node.table.move = table_move_of(entry, &worker.pos)
    return no_cutoff()


cdef inline Move next_of(const Frame* f, Picker* picker) noexcept nogil:
    """At the root the moves have an order of their own."""
    cdef const Worker* worker = f.worker
    if not f.at_root:
        return next_move(picker)
    if worker.root_first + f.count < worker.root_count:
        return worker.root_moves[worker.root_first + f.count].pv[0]
    return MOVE_NONE


cdef inline void look_at(Frame* f, Candidate* tried, Move move, const CheckInfo* checks) noexcept nogil:
    """What the steps of a move go by."""
    cdef Worker* worker = f.worker
    cdef Pos* pos = &worker.pos
    cdef const Node* node = f.node
    cdef int piece_to
    f.count += 1
    tried.move = move
    tried.noisy = is_noisy(pos, move)
    tried.checking = checks_with(pos, move, checks)
    tried.main = tried.continuations = tried.pawns = 0
    if not tried.noisy:
        tried.main = main_history(&worker.history, pos.turn, move)[0]
        piece_to = piece_to_of(pos, move)
        tried.continuations = ((node - 1).continuation[piece_to] + (node - 2).continuation[piece_to]
                               + 2 * NEW_CONTINUATION)
        if worker.params.use_pawn_history:
            tried.pawns = pawn_history(worker, node)[piece_to] + NEW_PAWN
    tried.depth = f.depth - 1
    tried.extension = 0
    tried.reduction = base_reduction(f)


cdef inline bint fails_high(Frame* f, const Candidate* tried, int value) noexcept nogil:
    """Take note of a move's value, and whether it ends the node."""
    cdef Node* node = f.node
    if value <= f.alpha or value <= f.best:
        f.best = max(f.best, value)
        note(&f.tried[tried.noisy], tried.move)
        return False
    f.best = value
    f.best_move = tried.move
    if f.on_pv and not f.at_root:
        extend_pv(node, tried.move, node + 1)
    if value >= f.beta:
        # One clean refutation is enough; what the moves before it rest on does not matter.
        node.ghi_heads = (node + 1).ghi_heads
        node.cutoffs += tried.extension < f.worker.params.cutoff_extension or f.on_pv
        return True
    f.alpha = value
    return False


# -- The search --------------------------------------------------------------------------------------------------------

cdef int alpha_beta(Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Pos* pos = &worker.pos
    cdef Node* node = node_at(worker, ply)
    cdef bint selective = params.selective
    cdef Move excluded = node.excluded
    cdef int value = 0
    cdef Move move
    cdef u64 nodes_before
    cdef CheckInfo checks
    cdef Cutoff cutoff
    cdef Entry entry
    cdef Candidate tried
    cdef Picker picker
    cdef Frame f

    if depth <= 0:
        return qsearch(worker, alpha, beta, ply)

    # Step 1. Stop, and the clock.
    node.pv[0] = MOVE_NONE
    node.ghi_heads = 0
    if stopped(worker):
        return 0
    worker.seldepth = max(worker.seldepth, ply)
    enter(&f, worker, alpha, beta, depth, ply, cut_node)

    if not f.at_root:
        # Step 2. What the rules decide, before the table may speak: it does not know the path.
        if is_terminal(worker, ply, &value):
            return value
        if ply >= MAX_PLY:
            return evaluation_at(worker, ply)

        # Step 3. Mate distance: nothing here can beat a shorter mate that is already known.
        f.alpha = max(alpha, mated_in(ply))
        f.beta = min(beta, mate_in(ply + 1))
        if f.alpha >= f.beta:
            return f.alpha

    # Step 4. The table. A search that leaves a move out goes by what the node itself has read there.
    if not excluded:
        cutoff = ask_table(&f, &entry)
        if cutoff.answer:
            return cutoff.value
        if f.at_root:
            node.table.move = worker.root_moves[worker.root_first].pv[0]
        node.table.noisy = node.table.move != MOVE_NONE and is_noisy(pos, node.table.move)
    f.old_alpha = f.alpha

    # Step 5. A mate in one, where the table would not have told.
    if (selective and params.use_mate_in_one and not f.checked and not excluded and not f.at_root
            and not node.table.known and mates_at_once(worker, f.on_pv, f.depth + params.mate_in_one_depth, ply)):
        return mate_in(ply + 1)

    # Step 6. Static evaluation.
    evaluate_node(&f, excluded)
    if not f.checked:
        f.estimate = refined(&entry, node.evaluation) if node.table.known and not excluded else node.evaluation
        if selective and not excluded:
            learn_from_swing(&f)

    # Steps 7 to 12.
    if selective:
        cutoff = prune_node(&f)
        if cutoff.answer:
            if stopped(worker):
                return 0
            if not node.table.known and not f.checked and not excluded:
                tt_store_evaluation(worker, f.raw_evaluation, node.was_on_pv)
            return cutoff.value

    # Step 13. The moves.
    (node + 1).excluded = MOVE_NONE
    find_check_info(pos, &checks)
    if not f.at_root:
        start(&picker, worker, ply, node.table.move, &checks)
    while True:
        move = next_of(&f, &picker)
        if not move:
            break
        if move == excluded:
            continue
        look_at(&f, &tried, move, &checks)

        # Step 14. Shallow pruning (pruning.pxd).
        if is_pruned(&f, &tried, &picker):
            continue
        tt_prefetch(worker, move)

        # Step 15. Extensions.
        if may_be_singular(&f, move):
            cutoff = extend_singular(&f, &tried)
            if cutoff.answer:
                return 0 if stopped(worker) else cutoff.value
            tried.depth += tried.extension

        # Step 16. The search of the move, reduced (reductions.pxd).
        node.stat_score = stat_score(&f, &tried)
        node.move_count = f.count
        tried.reduction = reduction_of(&f, &tried)
        nodes_before = worker.nodes
        play(worker, move, ply)
        value = search_move(&f, &tried)
        undo_move(pos)
        if stopped(worker):
            return 0

        # Step 17. What it was worth.
        if f.at_root:
            note_at_root(&f, value, worker.nodes - nodes_before)
        if fails_high(&f, &tried, value):
            break

    # Step 18. No move at all: in shogi that is lost, in check or not.
    if f.count == 0:
        return f.old_alpha if excluded else mated_in(ply)

    # Step 19. What is learnt from it (rewards.pxd).
    if selective:
        learn_from_node(&f)
        if params.use_pv_spread and f.best <= f.old_alpha:
            node.was_on_pv |= (node - 1).was_on_pv
    node.ghi_heads = heads_above(node.ghi_heads, ply)
    # At the root some moves may be left out, so nothing is stored there.
    if not f.at_root and not excluded:
        tt_store(worker, f.best_move, f.raw_evaluation, f.best, f.old_alpha, f.beta, f.depth, node.was_on_pv, ply)
    return f.best
