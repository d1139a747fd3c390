"""Steps 7, 8, 10 and 12 of the search, which adjust a node's depth or cut the node without searching anything, and when
a table move may be extended (step 15).

The functions are inline in a .pxd so that the compiler can put them into `alpha_beta`.
"""
from engine.movegen cimport is_noisy
from engine.types cimport NO_SCORE, Move, is_drop, move_from, move_to
from search.parameters cimport Params
from search.tree.bounds cimport Cutoff, fail_high, no_cutoff
from search.tree.frame cimport Frame
from search.tree.worker cimport Node, TableView, is_decisive


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
    cdef const TableView* view = &node.table
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
    if (params.use_iir and not f.at_root and not f.node.on_last_pv and not f.node.table.move
            and (f.on_pv or f.cut_node) and f.depth >= params.iir_depth and f.reduced_by <= params.iir_reduced):
        f.depth -= 1


cdef inline bint is_known_below(const TableView* view, int bound) noexcept nogil:
    """Whether the table has a value below `bound`: its upper bound or, if it has none, its lower one."""
    return view.upper < bound if view.upper_depth >= 0 else view.lower_depth >= 0 and view.lower < bound


cdef inline Cutoff small_probcut(const Frame* f) noexcept nogil:
    """Step 12, small ProbCut: fail high if the table has a lower bound far above beta."""
    cdef const Params* params = &f.worker.params
    cdef const TableView* view = &f.node.table
    cdef int bound = f.beta + params.small_probcut_margin
    if (not params.use_small_probcut or f.at_root or f.node.excluded or view.lower_depth < 0
            or view.lower_depth < f.depth - params.small_probcut_depth or view.lower < bound
            or is_decisive(f.beta) or is_decisive(view.lower)):
        return no_cutoff()
    return fail_high(bound)


cdef inline bint is_shuffling(const Frame* f, Move move) noexcept nogil:
    """Whether a piece moves to and fro: it made its side's last two moves as well, and captured nothing."""
    cdef const Node* node = f.node
    cdef Move last = (node - 2).move
    cdef Move before = (node - 4).move
    cdef const Params* params = &f.worker.params
    if (f.ply < params.shuffling_ply or f.worker.pos.state.plies <= params.shuffling_plies or is_drop(move)
            or is_noisy(&f.worker.pos, move)):
        return False
    return (not is_drop(last) and not is_drop(before) and move_from(move) == move_to(last)
            and move_from(last) == move_to(before))


cdef inline bint may_deepen(const Frame* f) noexcept nogil:
    """Whether a move may be searched deeper than its node: not where the table's value says that the game is decided,
    since there nearly every move that keeps the value is singular, and the search would explode."""
    cdef const TableView* view = &f.node.table
    cdef int value = view.lower if view.lower_depth >= 0 else view.upper if view.upper_depth >= 0 else 0
    return abs(value) <= f.worker.params.deepening_value


cdef inline bint may_be_singular(const Frame* f, Move move) noexcept nogil:
    """Whether to look for rivals of a move: it is the table move, with a lower bound from a deep enough search."""
    cdef const Params* params = &f.worker.params
    cdef const Node* node = f.node
    cdef const TableView* view = &node.table
    return (params.selective and params.use_singular and move == view.move and not f.at_root and not node.excluded
            and f.depth >= params.singular_depth + node.was_on_pv
            and view.lower_depth >= f.depth - params.singular_bound_depth and view.lower_depth >= view.upper_depth
            and not is_decisive(view.lower) and may_deepen(f) and not is_shuffling(f, move))
