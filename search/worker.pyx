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
    node.rests_on = 0
    if verdict:
        # A loop that reaches back before the root rests on the game and has no head on the path.
        if worker.params.use_path_guard:
            node.rests_on = head_bit(ply - distance)
        if worker.params.use_loops and distance < ply:
            register_loop(&worker.loops, pos, distance, verdict)
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


cdef inline bint serves(const Worker* worker, u8 bound_depth, int depth) noexcept nogil:
    return bound_depth == depth + 1 if worker.params.exact_depth else bound_depth > depth


cdef Verdict consult_loops(Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                           int ply) noexcept nogil:
    cdef int lower = -INFINITE
    cdef int upper = INFINITE
    cdef u64 heads = 0
    if entry.marks & LOWER_ON_PATH and serves(worker, entry.lower_depth, depth):
        lower = from_table(entry.lower, ply)
    if entry.marks & UPPER_ON_PATH and serves(worker, entry.upper_depth, depth):
        upper = from_table(entry.upper, ply)
    if lower >= beta:
        heads = may_reuse(&worker.loops, &worker.pos, ply, LOWER, entry.lower, entry.lower_depth - 1)
        upper = INFINITE
    elif upper <= alpha:
        heads = may_reuse(&worker.loops, &worker.pos, ply, UPPER, entry.upper, entry.upper_depth - 1)
    worker.nodes_at[ply].rests_on = heads
    return judge(lower if heads else -INFINITE, upper if heads else INFINITE, alpha, beta)
