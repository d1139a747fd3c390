"""Workers (see worker.pxd)."""
from engine.rules cimport (BETTER, LOST_BY_CHECKS, REPEATED, TRY_RULE, WON_BY_CHECKS, Repetition, can_declare,
                           repetition_in_search, try_move)


cdef void poll(Worker* worker) noexcept nogil:
    """Stop the search when its time or its nodes are used up. Only the first worker looks, for all."""
    cdef Signals* signals = worker.signals
    cdef i64 deadline = atomic_load(&signals.deadline)
    cdef i64 node_limit = atomic_load(&signals.node_limit)
    cdef i64 nodes = 0
    cdef int i
    worker.next_poll = worker.nodes + POLL_INTERVAL
    if worker != worker.crew[0]:
        return
    if deadline and clock_ns() >= deadline:
        atomic_store(&signals.stop, 1)
    if node_limit:
        for i in range(worker.crew_size):
            nodes += worker.crew[i].nodes
        if nodes >= node_limit:
            atomic_store(&signals.stop, 1)
        elif node_limit - nodes < POLL_INTERVAL:
            worker.next_poll = worker.nodes + <u64>(node_limit - nodes)


cdef bint settled(Worker* worker, int ply, int* value) noexcept nogil:
    cdef const Pos* pos = &worker.pos
    cdef Node* node = &worker.nodes_at[ply]
    cdef EnteringKingRule rule = worker.rules.entering_king
    cdef int distance = 0
    cdef Repetition verdict = repetition_in_search(pos, ply, &distance)
    node.rests_on = NEVER
    if verdict:
        # A loop that reaches back before the root rests on the game, which lies above every ply.
        node.rests_on = max(ply - distance, -1)
        if verdict == REPEATED:
            value[0] = worker.rules.draw[pos.turn]
        elif verdict == WON_BY_CHECKS:
            value[0] = mate_in(ply)
        elif verdict == LOST_BY_CHECKS:
            value[0] = mated_in(ply)
        else:
            value[0] = SUPERIOR if verdict == BETTER else -SUPERIOR
        return True
    if can_declare(pos, rule) or (rule == TRY_RULE and try_move(pos)):
        value[0] = mate_in(ply + 1)
        return True
    if worker.rules.max_moves and pos.ply > worker.rules.max_moves:
        value[0] = worker.rules.draw[pos.turn] if has_legal(pos) else mated_in(ply)
        return True
    return False
