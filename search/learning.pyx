from engine.position cimport in_check
from engine.types cimport MAX_EVAL, MOVE_NONE, MOVE_NULL, Move, i64, kind_of, unpromoted
from search.correction cimport CORRECTION_LIMIT, LARGEST_STEP
from search.history cimport (CAPTURE_LIMIT, LOW_PLIES, MAIN_LIMIT, NO_PIECE_TO, capture_history, learn,
                             learn_continued, main_history, piece_to_of)
from search.parameters cimport Params
from search.picker cimport is_noisy
from search.worker cimport CorrectionEntries, Worker, correction_entries, node_at


cdef inline void learn_after(Node* earlier, int piece_to, int bonus) noexcept nogil:
    if earlier.piece_to != NO_PIECE_TO:
        learn_continued(&earlier.continuation[piece_to], bonus)


cdef void learn_continuation(Node* node, int piece_to, int bonus) noexcept nogil:
    learn_after(node - 1, piece_to, bonus * 1157 // 1024 + 88)
    learn_after(node - 2, piece_to, bonus * 648 // 1024)
    if not node.evading:
        learn_after(node - 3, piece_to, bonus * 288 // 1024)
        learn_after(node - 4, piece_to, bonus * 576 // 1024)
        learn_after(node - 6, piece_to, bonus * 441 // 1024)


cdef void learn_quiet(Worker* worker, Move move, int bonus, int ply) noexcept nogil:
    cdef Node* node = node_at(worker, ply)
    cdef int piece_to = piece_to_of(&worker.pos, move)
    learn(main_history(&worker.history, worker.pos.turn, move), bonus, MAIN_LIMIT)
    if ply < LOW_PLIES:
        learn(&worker.history.low_ply[ply][move], bonus * 761 // 1024, MAIN_LIMIT)
    node.evading = in_check(&worker.pos)
    learn_continuation(node, piece_to, bonus * 955 // 1024)


cdef inline bint was_quiet(const Node* node) noexcept nogil:
    """Whether the move being searched from a node is a real one that captures nothing."""
    return node.move != MOVE_NONE and node.move != MOVE_NULL and not node.noisy


cdef inline int lost_bonus(const Params* params, int depth) noexcept nogil:
    return min(params.history_malus * depth - params.history_malus_base, params.history_malus_limit)


cdef void reward(Frame* f, const Tried* quiets, const Tried* noisy) noexcept nogil:
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* parent = f.node - 1
    cdef Move move = f.best_move
    cdef int malus = lost_bonus(params, f.depth)
    cdef int bonus = min(params.history_bonus * f.depth - params.history_bonus_base, params.history_bonus_limit)
    cdef int weighted, i
    if move == f.node.table.move:
        bonus += params.history_bonus_table
    bonus += parent.stat_score // 32
    if is_noisy(&worker.pos, move):
        learn(capture_history(&worker.history, &worker.pos, move), bonus * 1286 // 1024, CAPTURE_LIMIT)
    else:
        learn_quiet(worker, move, bonus * 806 // 1024, f.ply)
        weighted = malus * 1113 // 1024
        for i in range(quiets.count):
            weighted = weighted * 977 // 1024
            learn_quiet(worker, quiets.moves[i], -weighted, f.ply)
    for i in range(noisy.count):
        learn(capture_history(&worker.history, &worker.pos, noisy.moves[i]), -malus * 1556 // 1024, CAPTURE_LIMIT)
    if params.use_parent_learning and was_quiet(parent) and parent.move_count == 1 + parent.table.known:
        learn_continuation(parent, parent.piece_to, -malus * 614 // 1024)


cdef void reward_parent(Frame* f) noexcept nogil:
    cdef Worker* worker = f.worker
    cdef const Node* node = f.node
    cdef Node* parent = f.node - 1
    cdef int weight, bonus
    if parent.move == MOVE_NONE or parent.move == MOVE_NULL:
        return
    if parent.noisy:
        learn(&worker.history.capture[parent.piece_to][unpromoted(kind_of(worker.pos.state.captured))], 1018,
              CAPTURE_LIMIT)
        return
    weight = -232 - parent.stat_score // 108 + min(59 * f.depth, 454)
    if parent.move_count > 8:
        weight += 169
    if not f.checked and f.best <= node.evaluation - 76:
        weight += 145
    if not parent.evading and f.best <= -parent.evaluation - 50:
        weight += 154
    bonus = max(weight, 0) * min(135 * f.depth - 80, 1400)
    learn_continuation(parent, parent.piece_to, bonus * 14 // 1024)
    learn(main_history(&worker.history, worker.pos.turn ^ 1, parent.move), bonus * 7 // 1024, MAIN_LIMIT)


cdef void learn_from_swing(Frame* f) noexcept nogil:
    cdef const Node* parent = f.node - 1
    cdef int swing
    if was_quiet(parent) and not parent.evading:
        swing = max(-148, min(-(parent.evaluation + f.node.evaluation), 118))
        learn(main_history(&f.worker.history, f.worker.pos.turn ^ 1, parent.move), 29 * swing // 2 + 600, MAIN_LIMIT)


cdef void learn_from_table(Frame* f, Move table_move) noexcept nogil:
    cdef Node* parent = f.node - 1
    if not is_noisy(&f.worker.pos, table_move):
        learn_quiet(f.worker, table_move, min(130 * f.depth - 71, 1043), f.ply)
    if was_quiet(parent) and parent.move_count <= 4:
        learn_continuation(parent, parent.piece_to, -2142)


cdef void learn_correction(Frame* f) noexcept nogil:
    cdef Worker* worker = f.worker
    cdef int error = f.best - f.node.evaluation
    cdef i64 step
    cdef int bonus
    cdef CorrectionEntries entries
    if f.checked or (f.best_move and is_noisy(&worker.pos, f.best_move)) or (error > 0) != (f.best_move != MOVE_NONE):
        return
    error = max(-MAX_EVAL, min(error, MAX_EVAL))
    step = <i64>error * f.depth * (worker.params.correction_rate if f.best_move else worker.params.correction_rate_low)
    bonus = <int>max(<i64>-LARGEST_STEP, min(step // 1024, <i64>LARGEST_STEP))
    entries = correction_entries(worker, f.ply)
    learn(entries.pawns, bonus * 1069 // 1024, CORRECTION_LIMIT)
    learn(entries.minors, bonus * 1278 // 1024, CORRECTION_LIMIT)
    learn(entries.pieces[0], bonus * 1562 // 1024, CORRECTION_LIMIT)
    learn(entries.pieces[1], bonus * 1562 // 1024, CORRECTION_LIMIT)
    learn(entries.moves[0], bonus * 1052 // 1024, CORRECTION_LIMIT)
    learn(entries.moves[1], bonus * 526 // 1024, CORRECTION_LIMIT)
