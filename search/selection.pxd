"""Shallow pruning and late-move reductions: which moves are left out, and how much shallower others are searched.

Written here and not in a module of its own, so that the compiler can put it into the loop over the moves.
"""
from engine.position cimport Pos
from engine.types cimport Move, is_drop, move_from, move_to
from search.evaluation cimport futility_gain
from search.frame cimport Frame
from search.history cimport capture_history
from search.parameters cimport Params
from search.picker cimport is_noisy
from search.see cimport see_reaches
from search.worker cimport LOGARITHMS, Node, TableView, Worker, is_decisive


cdef inline int lmp_count(const Params* params, int depth, bint improving) noexcept nogil:
    """Late-move pruning (LMP): after how many moves no more quiet ones are tried."""
    return (params.lmp_base + depth * depth) // (2 - improving)


cdef inline int base_reduction(const Frame* f) noexcept nogil:
    """Late-move reductions (LMR): by how much to search a move shallower, in 1024ths of a ply, before its own traits
    count."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int product = (worker.logarithms[min(f.depth, LOGARITHMS - 1)]
                        * worker.logarithms[min(f.count, LOGARITHMS - 1)])
    return (product + (0 if f.improving else product * params.lmr_not_improving // 1024) + params.lmr_base
            - (params.lmr_window * (f.beta - f.alpha) // worker.root_width if f.on_pv else 0)
            + (params.lmr_was_on_pv_early if f.node.was_on_pv else 0))


cdef inline bint prune_tactical(Frame* f, Move move, bint checking, int reduced) noexcept nogil:
    """A capture, a promotion of a pawn or a check that wins too little, or loses too much."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef const Pos* pos = &worker.pos
    cdef int history = capture_history(&worker.history, pos, move)[0]
    if params.use_capture_futility and not checking and reduced < params.capture_futility_depth:
        if (f.node.evaluation + params.capture_futility_base + params.capture_futility_slope * reduced
                + futility_gain(params, pos, move) + params.capture_futility_history * history // 1024 <= f.alpha):
            return True
    if not params.use_see_pruning or f.alpha < worker.rules.draw[pos.turn]:
        return False
    return not see_reaches(pos, move, -max(params.see_noisy_slope * f.depth + history // params.see_noisy_history, 0))


cdef inline bint prune_quiet(Frame* f, Move move, int continuations, int main, int reduced) noexcept nogil:
    """A quiet move of poor history, or that cannot bring the evaluation up to alpha, or loses too much."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef const Node* node = f.node
    cdef int futility
    if params.use_history_pruning and continuations < -params.history_pruning * f.depth:
        return True
    reduced += (continuations + params.futility_main * main // 1024) // params.futility_history
    if params.use_futility_pruning and not f.checked and reduced < params.futility_depth:
        futility = (node.evaluation + params.futility_base + params.futility_slope * reduced
                    + (0 if f.best_move else params.futility_no_best)
                    + (params.futility_above if node.evaluation > f.alpha else 0))
        if futility <= f.alpha:
            if f.best <= futility and not is_decisive(f.best) and not is_decisive(futility):
                f.best = futility
            return True
    reduced = max(reduced, 0)
    return params.use_see_pruning and not see_reaches(&worker.pos, move, -params.see_quiet_slope * reduced * reduced)


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


cdef inline int lmr_reduction(Frame* f, Move move, int reduction) noexcept nogil:
    """LMR: what is known of the move and of its node, in 1024ths of a ply."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.table
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
    reduction += (params.lmr_all - params.lmr_count * f.count - params.lmr_correction * node.correction // 10)
    if f.cut_node:
        reduction += params.lmr_cut_node + (0 if view.move else params.lmr_cut_no_move)
    if view.noisy:
        reduction += params.lmr_table_noisy
    if cutoffs > 1:
        reduction += (params.lmr_cutoffs + (params.lmr_cutoffs_more if cutoffs > 2 else 0)
                      + (params.lmr_cutoffs_all if not f.on_pv and not f.cut_node else 0))
    if move == view.move:
        reduction -= params.lmr_table_move
    reduction -= node.stat_score * params.lmr_stat_score // 4096
    if not f.on_pv and not f.cut_node:
        reduction += reduction * params.lmr_all_scale // (params.lmr_all_slope * f.depth + params.lmr_all_base)
    return reduction
