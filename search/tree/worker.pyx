"""Stopping, and the rules applied to a node (see worker.pxd)."""
from engine.atomic cimport relaxed_store
from engine.movegen cimport has_legal
from engine.rules cimport (BETTER, LOST_BY_CHECKS, REPEATED, TRY_RULE, WON_BY_CHECKS, Repetition, can_declare,
                           repetition_in_search, try_move)
from engine.system.monotonic cimport monotonic_ns
from engine.types cimport SUPERIOR, mate_in, mated_in
from search.tree.loops cimport head_bit


cdef i64 NODES_USED_UP = 1          # the stop flag of a worker whose nodes are used up


cdef void poll(Worker* worker) noexcept nogil:
    """Stop the search if its time is used up, and the worker if its nodes are."""
    cdef i64 deadline = relaxed_load(&worker.signals.deadline)
    worker.next_poll = min(worker.nodes + POLL_INTERVAL, worker.node_limit)
    if worker.nodes >= worker.node_limit:
        worker.stop = &NODES_USED_UP
    if deadline and monotonic_ns() >= deadline:
        relaxed_store(&worker.signals.stop, 1)


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
