"""Stopping, and the rules applied to a node (see worker.pxd)."""
from engine.atomic cimport relaxed_store, relaxed_take
from engine.movegen cimport has_legal
from engine.rules cimport (BETTER, LOST_BY_CHECKS, REPEATED, TRY_RULE, WON_BY_CHECKS, Repetition, can_declare,
                           repetition_in_search, try_move)
from engine.system.monotonic cimport monotonic_ns
from engine.types cimport SUPERIOR, mate_in, mated_in
from search.tree.loops cimport head_bit, register_loop


cdef inline i64 draw_nodes(Worker* worker) noexcept nogil:
    """Draw a portion of the nodes left to all threads; 0 if none are left. Portions shrink towards the end, so that no
    thread stops with many of its nodes unused."""
    cdef i64* left = &worker.signals.nodes_left
    cdef i64 wanted = max(1, min(<i64>POLL_INTERVAL, relaxed_load(left) // (2 * worker.pool_size)))
    return max(0, min(wanted, relaxed_take(left, wanted)))


cdef void poll(Worker* worker) noexcept nogil:
    """Stop the search if its nodes or its time are used up. Only the first worker watches the time."""
    cdef Signals* signals = worker.signals
    cdef i64 deadline = relaxed_load(&signals.deadline)
    cdef i64 portion = draw_nodes(worker) if signals.node_limit else POLL_INTERVAL
    worker.next_poll = worker.nodes + portion
    if not portion:
        relaxed_store(&signals.stop, 1)
    if deadline and worker == worker.pool[0] and monotonic_ns() >= deadline:
        relaxed_store(&signals.stop, 1)


cdef bint is_terminal(Worker* worker, int ply, int* value) noexcept nogil:
    cdef const Pos* pos = &worker.pos
    cdef Node* node = node_at(worker, ply)
    cdef EnteringKingRule rule = worker.rules.entering_king
    cdef int distance = 0
    cdef Repetition kind = repetition_in_search(pos, ply, worker.whole_game, &distance)
    node.ghi_heads = 0
    if kind:
        # A loop whose head lies before the root gets bit 0: every path contains the game (loops.pxd).
        if worker.params.use_ghi_guard:
            node.ghi_heads = head_bit(ply - distance)
        if worker.params.use_ghi_reuse and distance < ply:
            register_loop(&worker.loops, pos, distance, kind)
        if kind == REPEATED:
            value[0] = worker.rules.draw[pos.turn]
        elif kind == WON_BY_CHECKS:
            value[0] = mate_in(ply)
        elif kind == LOST_BY_CHECKS:
            value[0] = mated_in(ply)
        else:
            value[0] = SUPERIOR if kind == BETTER else -SUPERIOR
        return True
    if can_declare(pos, rule) or (rule == TRY_RULE and try_move(pos)):
        value[0] = mate_in(ply + 1)
        return True
    if worker.rules.max_moves and pos.ply > worker.rules.max_moves:
        value[0] = worker.rules.draw[pos.turn] if has_legal(pos) else mated_in(ply)
        return True
    return False
