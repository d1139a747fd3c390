"""Late-move reductions (LMR), step 16 of the search: how much shallower to search a move, in 1024ths of a ply.

The functions are inline in a .pxd so that the compiler can put them into the loop over the moves.
"""
from engine.position cimport Pos, captured_piece
from engine.types cimport move_to
from eval.evaluator cimport exchange_value
from search.parameters cimport Params
from search.tree.frame cimport Candidate, Frame
from search.tree.history cimport capture_history
from search.tree.worker cimport LOGARITHMS, Node, TableView, Worker


cdef inline int early_reduction_of(const Frame* f) noexcept nogil:
    """The part of the reduction that depends on the node and the move's number alone. Shallow pruning uses it, too."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int product
    if not params.selective:
        return 0
    product = (worker.logarithms[min(f.depth, LOGARITHMS - 1)]
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
    """The whole reduction of a move: the early one, and terms for what the node and the move are like."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.table
    cdef int reduction = candidate.early_reduction
    cdef int cutoffs = (node + 1).cutoffs
    cdef int depth = max(view.lower_depth, view.upper_depth)
    if not params.selective:
        return reduction
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
    if (node - 1).noisy and move_to(candidate.move) == move_to((node - 1).move):
        reduction -= params.lmr_retakes
    if candidate.move == view.move:
        reduction -= params.lmr_table_move
    reduction -= node.stat_score * params.lmr_stat_score // 4096
    if not f.on_pv and not f.cut_node:
        reduction += reduction * params.lmr_all_scale // (params.lmr_all_slope * f.depth + params.lmr_all_base)
    return reduction
