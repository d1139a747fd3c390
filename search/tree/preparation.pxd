"""What a node finds out before it searches: its frame, its table entry (step 4), its static evaluation (step 6), and
the traits of each candidate move (step 13).

The functions are inline in a .pxd so that the compiler can put them into `alpha_beta`.
"""
from engine.movegen cimport is_noisy
from engine.position cimport CheckInfo, Pos, checks_with, in_check
from engine.types cimport INFINITE, MAX_EVAL, MAX_PLY, MOVE_NONE, NO_SCORE, Move
from search.parameters cimport Params
from search.tree.bounds cimport (FAIL_HIGH, Cutoff, from_table, no_cutoff, table_move_of, tt_cutoff, tt_probe)
from search.tree.evaluation cimport correction_at, evaluation_at
from search.tree.frame cimport Candidate, Frame
from search.tree.history cimport NEW_CONTINUATION, NEW_PAWN, main_history, piece_to_of
from search.tree.instrumentation cimport count_leaving
from search.tree.reductions cimport early_reduction_of
from search.tree.rewards cimport learn_from_table
from search.tree.worker cimport Node, TableView, Worker, node_at, pawn_history
from tt.table cimport LOWER_ON_PATH, ON_PV, UPPER_ON_PATH, Entry


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
    f.checked = in_check(&worker.pos)
    f.improving = False
    f.reduced_by = parent.reduction
    f.raw_evaluation = f.estimate = NO_SCORE
    f.best = -INFINITE
    f.count = 0
    f.best_move = MOVE_NONE
    f.refuted[0].count = f.refuted[1].count = 0
    node.on_last_pv = f.at_root or parent.on_last_pv and worker.last_pv[ply - 1] == parent.move
    parent.reduction = 0
    (node + 2).cutoffs = 0
    node.stat_score = node.move_count = 0


cdef inline void read_table(Frame* f, Entry* entry) noexcept nogil:
    """Probe the table. Set the node's mark "was on PV" and its view of the entry, all but the move."""
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


cdef inline Cutoff consult_table(Frame* f, Entry* entry) noexcept nogil:
    """Read the table into the node. Returns a cutoff if the entry's bounds decide a null-window node; PV nodes are
    never cut here. The table move is rewarded if it cuts."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* node = f.node
    cdef Move table_move
    cdef Cutoff cutoff
    read_table(f, entry)
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


cdef inline void evaluate_node(Frame* f, Move excluded) noexcept nogil:
    """Set the node's static evaluation, corrected by the correction history, and whether it is improving. A search
    without its table move (`excluded`) keeps the evaluation that the node has."""
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


cdef inline void set_up_candidate(Frame* f, Candidate* candidate, Move move, const CheckInfo* checks) noexcept nogil:
    """Count the next move and find its traits, by which steps 14 to 16 prune, extend and reduce it."""
    cdef Worker* worker = f.worker
    cdef Pos* pos = &worker.pos
    cdef const Node* node = f.node
    cdef int piece_to
    f.count += 1
    candidate.move = move
    candidate.noisy = is_noisy(pos, move)
    candidate.checking = checks_with(pos, move, checks)
    candidate.main = candidate.continuations = candidate.pawns = 0
    if not candidate.noisy:
        candidate.main = main_history(&worker.history, pos.turn, move)[0]
        piece_to = piece_to_of(pos, move)
        candidate.continuations = ((node - 1).continuation[piece_to] + (node - 2).continuation[piece_to]
                                   + 2 * NEW_CONTINUATION)
        if worker.params.use_pawn_history:
            candidate.pawns = pawn_history(worker, node)[piece_to] + NEW_PAWN
    candidate.depth = f.depth - 1
    candidate.extension = 0
    candidate.early_reduction = early_reduction_of(f)
