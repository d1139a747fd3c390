"""The selective parts of the search: which nodes to cut without searching a move, which moves to leave out, which table
moves may be extended, and how much to reduce a move.

The functions are inline in a .pxd so that the compiler can put them into `alpha_beta`.
"""
from engine.movegen cimport is_noisy
from engine.position cimport Pos, captured_piece
from engine.types cimport MAX_EVAL, NO_SCORE, SQUARES, Move, file_of, is_drop, move_from, move_to, rank_of
from eval.evaluator cimport exchange_value
from search.parameters cimport Params
from search.tree.bounds cimport Cutoff, fail_high, no_cutoff
from search.tree.evaluation cimport futility_gain
from search.tree.frame cimport PLY, Candidate, Frame
from search.tree.history cimport capture_history
from search.tree.picker cimport Picker
from search.tree.see cimport see_reaches
from search.tree.worker cimport LOGARITHMS, Node, TableView, Worker, is_decisive

# -- Steps 7, 8, 10 and 12: the node -----------------------------------------------------------------------------------

cdef inline void apply_hindsight(Frame* f, bint opponent_worsening) noexcept nogil:
    """Step 7, hindsight: change the depth if the evaluations of both sides say that LMR reduced this node wrongly."""
    cdef const Params* params = &f.worker.params
    cdef const Node* parent = f.node - 1
    if not params.use_hindsight or f.node.excluded:
        return
    if f.reduced_by >= params.hindsight_deeper and not opponent_worsening:
        f.depth += 1
    elif (f.reduced_by >= params.hindsight_shallower and f.depth >= params.hindsight_depth
            and parent.evaluation != NO_SCORE
            and f.node.evaluation + parent.evaluation > params.hindsight_margin):
        f.depth -= 1


cdef inline Cutoff reverse_futility(const Frame* f, bint opponent_worsening) noexcept nogil:
    """Step 8, reverse futility pruning (RFP): fail high if the evaluation is so far above beta that the opponent will
    not make up for it in the depth left."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.tt
    cdef int margin
    if (not params.use_rfp or node.was_on_pv or f.depth > params.rfp_depth or f.estimate < f.beta
            or is_decisive(f.beta) or is_decisive(f.estimate) or (view.move and not view.noisy)):
        return no_cutoff()
    margin = params.rfp_margin if view.known else params.rfp_margin_unknown
    margin = ((1024 * f.depth - params.rfp_improving * f.improving - params.rfp_worsening * opponent_worsening)
              * margin + params.rfp_correction * node.correction) // 1024
    if f.estimate - margin < f.beta:
        return no_cutoff()
    return fail_high((params.rfp_beta * f.beta + f.estimate) // (params.rfp_beta + 1))


cdef inline void reduce_without_move(Frame* f) noexcept nogil:
    """Step 10, internal iterative reduction (IIR): without a table move the order of moves is poor, so search a ply
    less deep."""
    cdef const Params* params = &f.worker.params
    if (params.use_iir and not f.at_root and not f.node.on_last_pv and not f.node.tt.move
            and (f.on_pv or f.cut_node) and f.depth >= params.iir_depth and f.reduced_by <= params.iir_reduced):
        f.depth -= 1


cdef inline bint is_known_below(const TableView* view, int bound) noexcept nogil:
    """Whether the table's value is below `bound`; the value is its upper bound or, without one, its lower bound."""
    return view.upper < bound if view.upper_depth >= 0 else view.lower_depth >= 0 and view.lower < bound


cdef inline Cutoff small_probcut(const Frame* f) noexcept nogil:
    """Step 12, small ProbCut: fail high if the table has a lower bound far above beta."""
    cdef const Params* params = &f.worker.params
    cdef const TableView* view = &f.node.tt
    cdef int bound = f.beta + params.small_probcut_margin
    if (not params.use_small_probcut or f.at_root or f.node.excluded or view.lower_depth < 0
            or view.lower_depth < f.depth - params.small_probcut_depth or view.lower < bound
            or is_decisive(f.beta) or is_decisive(view.lower)):
        return no_cutoff()
    return fail_high(bound)


# -- Step 14: shallow pruning of moves ---------------------------------------------------------------------------------

cdef inline void skip_late_quiets(const Frame* f, Picker* picker) noexcept nogil:
    """Late-move pruning (LMP): after enough candidates, tell the picker to skip the remaining quiet moves. Not while
    every move so far is far below the evaluation: there is a threat, which a later move may parry."""
    cdef const Params* params = &f.worker.params
    if (params.use_lmp and f.count >= (params.lmp_base + f.depth * f.depth) // (2 - f.improving)
            and f.best >= f.node.evaluation - params.lmp_loss):
        picker.skip_quiets = True


cdef inline bint is_futile_capture(const Frame* f, const Candidate* candidate, int history,
                                   int reduced_depth) noexcept nogil:
    """Futility pruning of captures: even with the captured piece, the evaluation stays below alpha."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_capture_futility and not candidate.checking and reduced_depth < params.capture_futility_depth
            and f.node.evaluation + params.capture_futility_base + params.capture_futility_slope * reduced_depth
            + futility_gain(params, &worker.pos, candidate.move)
            + params.capture_futility_history * history // 1024 <= f.alpha)


cdef inline bint loses_exchange(const Frame* f, const Candidate* candidate, int history) noexcept nogil:
    """SEE pruning of captures and checks: the exchange loses too much. Not while a draw is better than alpha, because a
    sacrifice may lead to a draw."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_see_pruning and f.alpha >= worker.rules.draw[worker.pos.turn]
            and not see_reaches(&worker.pos, candidate.move,
                                -max(params.see_noisy_slope * f.depth + history // params.see_noisy_history, 0)))


cdef inline bint has_poor_history(const Frame* f, const Candidate* candidate) noexcept nogil:
    """History pruning: a quiet move whose continuation and pawn histories are too low for the depth."""
    cdef const Params* params = &f.worker.params
    return params.use_history_pruning and candidate.continuations + candidate.pawns < -params.history_pruning * f.depth


cdef inline bint goes_near_king(const Pos* pos, Move move) noexcept nogil:
    """Whether a move ends at most two squares from the opponent's king."""
    cdef int king = pos.king[pos.turn ^ 1]
    cdef int target = move_to(move)
    return king < SQUARES and abs(file_of(king) - file_of(target)) <= 2 and abs(rank_of(king) - rank_of(target)) <= 2


cdef inline bint prune_futile(Frame* f, const Candidate* candidate, int reduced_depth) noexcept nogil:
    """Futility pruning of quiet moves: true if the evaluation plus an optimistic gain does not exceed alpha. If this
    sum is higher than the node's best value, it becomes the best value (fail-soft)."""
    cdef const Params* params = &f.worker.params
    cdef int evaluation = f.node.evaluation
    cdef int reached
    if not params.use_futility_pruning or f.node.in_check or reduced_depth >= params.futility_depth:
        return False
    reached = (evaluation + params.futility_base + params.futility_slope * reduced_depth
               + (params.futility_near if goes_near_king(&f.worker.pos, candidate.move) else 0)
               + (0 if f.best_move else params.futility_no_best)
               + (params.futility_above if evaluation > f.alpha else 0))
    if reached > f.alpha:
        return False
    if f.best <= reached and not is_decisive(f.best) and not is_decisive(reached):
        f.best = reached
    return True


cdef inline bint loses_material(const Frame* f, const Candidate* candidate, int reduced_depth) noexcept nogil:
    """SEE pruning of quiet moves: the moved piece would be lost for too little."""
    cdef const Params* params = &f.worker.params
    return (params.use_see_pruning
            and not see_reaches(&f.worker.pos, candidate.move, -params.see_quiet_slope * reduced_depth * reduced_depth))


cdef inline bint prune_move(Frame* f, const Candidate* candidate, Picker* picker) noexcept nogil:
    """Whether to leave the candidate out. For a futile move the node's best value rises to the value that the move
    could reach. Nothing is left out before some move has avoided mate. On the last iteration's PV only late quiet moves
    and bad captures and checks are left out."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int reduced_depth = candidate.depth - candidate.early_reduction // PLY
    cdef int history
    if f.at_root or f.best <= -MAX_EVAL:
        return False
    skip_late_quiets(f, picker)
    if candidate.noisy or candidate.checking:
        history = capture_history(&worker.history, &worker.pos, candidate.move)[0]
        return is_futile_capture(f, candidate, history, reduced_depth) or loses_exchange(f, candidate, history)
    if f.on_pv and f.node.on_last_pv:
        return False
    if has_poor_history(f, candidate):
        return True
    reduced_depth += ((candidate.continuations + candidate.pawns + params.futility_main * candidate.main // 1024)
                      // params.futility_history)
    return prune_futile(f, candidate, reduced_depth) or loses_material(f, candidate, max(reduced_depth, 0))


# -- Step 15: when a table move may be extended ------------------------------------------------------------------------

cdef inline bint is_shuffling(const Frame* f, Move move) noexcept nogil:
    """Whether a piece moves to and fro: it made its side's last two moves as well, and captured nothing."""
    cdef const Node* node = f.node
    cdef Move last = (node - 2).played.move
    cdef Move before = (node - 4).played.move
    cdef const Params* params = &f.worker.params
    if (f.ply < params.shuffling_ply or f.worker.pos.state.plies <= params.shuffling_plies or is_drop(move)
            or is_noisy(&f.worker.pos, move)):
        return False
    return (not is_drop(last) and not is_drop(before) and move_from(move) == move_to(last)
            and move_from(last) == move_to(before))


cdef inline bint may_deepen(const Frame* f) noexcept nogil:
    """Whether a move may be searched deeper than its node. Not if the table's value says that the game is decided: in
    such positions nearly every move that keeps the value is singular, and the tree would explode."""
    cdef const TableView* view = &f.node.tt
    cdef int value = view.lower if view.lower_depth >= 0 else view.upper if view.upper_depth >= 0 else 0
    return abs(value) <= f.worker.params.deepening_value


cdef inline bint may_be_singular(const Frame* f, Move move) noexcept nogil:
    """Whether to look for rivals of a move: it is the table move, with a lower bound from a deep enough search."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.tt
    return (params.use_singular and move == view.move and not f.at_root and not node.excluded
            and f.depth >= params.singular_depth + node.was_on_pv
            and view.lower_depth >= f.depth - params.singular_bound_depth and view.lower_depth >= view.upper_depth
            and not is_decisive(view.lower) and may_deepen(f) and not is_shuffling(f, move))


# -- Step 16: late-move reductions (LMR), in 1024ths of a ply ----------------------------------------------------------

cdef inline int early_reduction_of(const Frame* f) noexcept nogil:
    """The part of the reduction that depends on the node and the move's number alone. Shallow pruning uses it, too."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int product = (worker.logarithms[min(f.depth, LOGARITHMS - 1)]
                        * worker.logarithms[min(f.count, LOGARITHMS - 1)])
    return (product + (0 if f.improving else product * params.lmr_not_improving // 1024) + params.lmr_base
            - (params.lmr_window * (f.beta - f.alpha) // worker.root_width if f.on_pv else 0)
            + (params.lmr_was_on_pv_early if f.node.was_on_pv else 0))


cdef inline int stat_score_of(const Frame* f, const Candidate* candidate) noexcept nogil:
    """A move's histories, weighted for reductions. For a noisy move the captured piece counts as well."""
    cdef Worker* worker = f.worker
    cdef const Pos* pos = &worker.pos
    if not candidate.noisy:
        return 2 * candidate.main + candidate.continuations
    return (worker.params.stat_score_piece * exchange_value(captured_piece(pos, candidate.move)) // 1024
            + capture_history(&worker.history, pos, candidate.move)[0])


cdef inline int reduction_of(const Frame* f, const Candidate* candidate) noexcept nogil:
    """The whole reduction of a move: the early part, and terms for properties of the node and the move."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.tt
    cdef int reduction = candidate.early_reduction
    cdef int cutoffs = (node + 1).cutoffs
    cdef int depth = max(view.lower_depth, view.upper_depth)
    if node.was_on_pv:
        reduction -= params.lmr_was_on_pv
        if f.on_pv:
            reduction -= params.lmr_on_pv
        if (view.lower if view.lower_depth >= 0 else view.upper) > f.alpha:
            reduction -= params.lmr_table_above
        if depth >= f.depth:
            reduction -= params.lmr_table_deep + (params.lmr_table_deep_cut if f.cut_node else 0)
    reduction += (params.lmr_all - params.lmr_count * min(f.count, params.lmr_count_limit)
                  - params.lmr_correction * node.correction // 10)
    if f.cut_node:
        reduction += params.lmr_cut_node + (0 if view.move else params.lmr_cut_no_move)
    if view.noisy:
        reduction += params.lmr_table_noisy
    if cutoffs > 1:
        reduction += (params.lmr_cutoffs + (params.lmr_cutoffs_more if cutoffs > 2 else 0)
                      + (params.lmr_cutoffs_all if not f.on_pv and not f.cut_node else 0))
    if (node - 1).played.noisy and move_to(candidate.move) == move_to((node - 1).played.move):
        reduction -= params.lmr_retakes
    if candidate.move == view.move:
        reduction -= params.lmr_table_move
    reduction -= node.played.stat_score * params.lmr_stat_score // 4096
    if not f.on_pv and not f.cut_node:
        reduction += reduction * params.lmr_all_scale // (params.lmr_all_slope * f.depth + params.lmr_all_base)
    return reduction
