"""Bonuses and maluses (see rewards.pxd)."""
from engine.movegen cimport is_noisy
from engine.types cimport MAX_EVAL, MOVE_NONE, MOVE_NULL, i64, kind_of, unpromoted
from search.tree.correction cimport CORRECTION_LIMIT, LARGEST_STEP
from search.tree.evaluation cimport CorrectionEntries, correction_entries
from search.tree.history cimport (CAPTURE_LIMIT, CONTINUATION_LIMIT, INITIAL_CONTINUATION, INITIAL_PAWN, LOW_PLIES,
                                  MAIN_LIMIT, NO_PIECE_TO, PAWN_LIMIT, TABLE_MOVE_LIMIT, capture_history, learn,
                                  learn_from, main_history, piece_to_of)
from search.tree.worker cimport Worker, node_at, pawn_history


cdef inline void learn_after(Node* earlier, int piece_to, int bonus) noexcept nogil:
    if earlier.played.piece_to != NO_PIECE_TO:
        learn_from(&earlier.played.continuation[piece_to], INITIAL_CONTINUATION, bonus, CONTINUATION_LIMIT)


cdef void learn_continuation(const Params* params, Node* node, int piece_to, int bonus) noexcept nogil:
    learn_after(node - 1, piece_to, bonus * params.continuation_1 // 1024 + params.continuation_1_base)
    learn_after(node - 2, piece_to, bonus * params.continuation_2 // 1024)
    if not node.in_check:
        learn_after(node - 3, piece_to, bonus * params.continuation_3 // 1024)
        learn_after(node - 4, piece_to, bonus * params.continuation_4 // 1024)
        learn_after(node - 6, piece_to, bonus * params.continuation_6 // 1024)


cdef void learn_quiet(Worker* worker, Move move, int bonus, int ply) noexcept nogil:
    cdef const Params* params = &worker.params
    cdef Node* node = node_at(worker, ply)
    cdef int piece_to = piece_to_of(&worker.pos, move)
    learn(main_history(&worker.history, worker.pos.turn, move), bonus, MAIN_LIMIT)
    if ply < LOW_PLIES:
        learn(&worker.history.low_ply[ply][move], bonus * params.quiet_low_ply // 1024, MAIN_LIMIT)
    learn_continuation(params, node, piece_to, bonus * params.quiet_continuation // 1024)
    if params.use_pawn_history:
        learn_from(&pawn_history(worker, node)[piece_to], INITIAL_PAWN, bonus * params.quiet_pawns // 1024, PAWN_LIMIT)


cdef inline bint was_quiet(const Node* node) noexcept nogil:
    """Whether the move being searched from a node is quiet, and not a null move."""
    return node.played.move != MOVE_NONE and node.played.move != MOVE_NULL and not node.played.noisy


cdef inline int malus_of(const Params* params, int depth) noexcept nogil:
    return min(params.history_malus * depth - params.history_malus_base, params.history_malus_limit)


cdef void reward_best_move(Frame* f) noexcept nogil:
    """Reward the best move and punish the moves refuted before it; quiet ones only if the best move is quiet. The quiet
    move that led here is punished too if it came first at a node without table entry, second at a node with one."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef Node* parent = f.node - 1
    cdef Move move = f.best_move
    cdef int malus = malus_of(params, f.depth)
    cdef int bonus = min(params.history_bonus * f.depth - params.history_bonus_base, params.history_bonus_limit)
    cdef int weighted, i
    if move == f.node.tt.move:
        bonus += params.history_bonus_table
    bonus += parent.played.stat_score // params.history_bonus_before
    if is_noisy(&worker.pos, move):
        learn(capture_history(&worker.history, &worker.pos, move), bonus * params.history_bonus_capture // 1024,
              CAPTURE_LIMIT)
    else:
        learn_quiet(worker, move, bonus * params.history_bonus_quiet // 1024, f.ply)
        weighted = malus * params.history_malus_quiet // 1024
        for i in range(f.refuted[0].count):
            weighted = weighted * params.history_malus_decay // 1024
            learn_quiet(worker, f.refuted[0].moves[i], -weighted, f.ply)
    for i in range(f.refuted[1].count):
        learn(capture_history(&worker.history, &worker.pos, f.refuted[1].moves[i]),
              -malus * params.history_malus_capture // 1024, CAPTURE_LIMIT)
    if params.use_parent_learning and was_quiet(parent) and parent.played.number == 1 + parent.tt.known:
        learn_continuation(params, parent, parent.played.piece_to, -malus * params.history_malus_parent // 1024)


cdef void reward_parent(Frame* f) noexcept nogil:
    """No move raised alpha, so the move that led here was good: reward it."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef const Node* node = f.node
    cdef Node* parent = f.node - 1
    cdef int weight, bonus
    if not params.use_parent_learning or parent.played.move == MOVE_NONE or parent.played.move == MOVE_NULL:
        return
    if parent.played.noisy:
        learn(&worker.history.capture[parent.played.piece_to][unpromoted(kind_of(worker.pos.state.captured))],
              params.parent_capture, CAPTURE_LIMIT)
        return
    weight = (min(params.parent_depth * f.depth, params.parent_depth_limit) - params.parent_base
              - parent.played.stat_score // params.parent_stat_score)
    if parent.played.number > params.parent_late_count:
        weight += params.parent_late
    if not node.in_check and f.best <= node.evaluation - params.parent_below_margin:
        weight += params.parent_below
    if not parent.in_check and f.best <= -parent.evaluation - params.parent_fallen_margin:
        weight += params.parent_fallen
    bonus = max(weight, 0) * min(params.parent_bonus * f.depth - params.parent_bonus_base, params.parent_bonus_limit)
    learn_continuation(params, parent, parent.played.piece_to, bonus * params.parent_continuation // 1024)
    learn(main_history(&worker.history, worker.pos.turn ^ 1, parent.played.move), bonus * params.parent_main // 1024,
          MAIN_LIMIT)


cdef void learn_from_swing(Frame* f) noexcept nogil:
    cdef const Params* params = &f.worker.params
    cdef const Node* parent = f.node - 1
    cdef int swing
    if params.use_swing_learning and was_quiet(parent) and not parent.in_check:
        swing = max(params.swing_least, min(-(parent.evaluation + f.node.evaluation), params.swing_most))
        learn(main_history(&f.worker.history, f.worker.pos.turn ^ 1, parent.played.move),
              params.swing_slope * swing // 2 + params.swing_base, MAIN_LIMIT)


cdef void learn_from_table(Frame* f, Move table_move) noexcept nogil:
    cdef const Params* params = &f.worker.params
    cdef Node* parent = f.node - 1
    if not params.use_table_learning:
        return
    if not is_noisy(&f.worker.pos, table_move):
        learn_quiet(f.worker, table_move,
                    min(params.table_bonus * f.depth - params.table_bonus_base, params.table_bonus_limit), f.ply)
    if was_quiet(parent) and parent.played.number <= params.table_parent_count:
        learn_continuation(params, parent, parent.played.piece_to, -params.table_parent_malus)


cdef void learn_correction(Frame* f) noexcept nogil:
    """Move the correction towards the error that the search found. A lower bound counts only if it lies above the
    evaluation, an upper bound only if it lies below. Nodes in check, or with a noisy best move, do not count."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int error = f.best - f.node.evaluation
    cdef i64 step
    cdef int bonus
    cdef CorrectionEntries entries
    if (not params.use_correction or f.node.in_check or (f.best_move and is_noisy(&worker.pos, f.best_move))
            or (error > 0) != (f.best_move != MOVE_NONE)):
        return
    error = max(-MAX_EVAL, min(error, MAX_EVAL))
    step = <i64>error * f.depth * (params.correction_rate if f.best_move else params.correction_rate_low)
    bonus = <int>max(<i64>-LARGEST_STEP, min(step // 1024, <i64>LARGEST_STEP))
    entries = correction_entries(worker, f.ply)
    learn(entries.pawns, bonus * params.correction_learn_pawns // 1024, CORRECTION_LIMIT)
    learn(entries.minors, bonus * params.correction_learn_minors // 1024, CORRECTION_LIMIT)
    learn(entries.pieces[0], bonus * params.correction_learn_pieces // 1024, CORRECTION_LIMIT)
    learn(entries.pieces[1], bonus * params.correction_learn_pieces // 1024, CORRECTION_LIMIT)
    learn(entries.hands, bonus * params.correction_learn_hands // 1024, CORRECTION_LIMIT)
    learn(entries.moves[0], bonus * params.correction_learn_moves // 1024, CORRECTION_LIMIT)
    learn(entries.moves[1], bonus * params.correction_learn_earlier // 1024, CORRECTION_LIMIT)


cdef inline void learn_table_move(Frame* f) noexcept nogil:
    """Update how reliable table moves are, at nodes with a null window."""
    cdef const Params* params = &f.worker.params
    if not f.on_pv:
        learn(&f.worker.history.table_move, params.table_move_bonus if f.best_move == f.node.tt.move
              else -params.table_move_malus, TABLE_MOVE_LIMIT)


cdef void learn_from_node(Frame* f) noexcept nogil:
    if f.best_move:
        reward_best_move(f)
        learn_table_move(f)
    else:
        reward_parent(f)
    learn_correction(f)
