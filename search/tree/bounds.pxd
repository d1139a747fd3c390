"""What a node reads from the transposition table and stores there."""
from engine.movegen cimport is_legal
from engine.position cimport Pos, key_after
from engine.types cimport INFINITE, MATE_IN_MAX_PLY, MOVE_NONE, NO_SCORE, Move, mate_in, u64
from search.mate.mate1 cimport mate_in_one
from search.tree.instrumentation cimport count_leaving, count_probe, count_stored, table_key
from search.tree.loops cimport LOWER, UPPER, note_bound
from search.tree.worker cimport Node, Worker, is_decisive, node_at
from tt.table cimport LOWER_ON_PATH, UPPER_ON_PATH, Entry, lower_bound, prefetch_bucket, probe, store, upper_bound

# What two bounds say about a search with the window [alpha, beta).
cdef enum Answer:
    SEARCH = 0                  # not enough
    FAIL_LOW = 1
    FAIL_HIGH = 2

cdef struct Cutoff:
    Answer answer
    int value                   # unless the answer is SEARCH

cdef inline Cutoff no_cutoff() noexcept nogil:
    cdef Cutoff cutoff
    cutoff.answer = SEARCH
    cutoff.value = NO_SCORE
    return cutoff

cdef inline Cutoff fail_high(int value) noexcept nogil:
    cdef Cutoff cutoff
    cutoff.answer = FAIL_HIGH
    cutoff.value = value
    return cutoff

cdef inline Cutoff bounds_cutoff(int lower, int upper, int alpha, int beta) noexcept nogil:
    """The probe rule: a pure function of lower <= upper and alpha < beta. Bounds in between could shrink the
    window of a PV node, but in games that did not pay."""
    cdef Cutoff cutoff = no_cutoff()
    if upper <= alpha:
        cutoff.answer = FAIL_LOW
        cutoff.value = upper
    elif lower >= beta:
        return fail_high(lower)
    return cutoff

cdef inline int refined(const Entry* entry, int evaluation) noexcept nogil:
    """An evaluation as the table's bounds allow it, of whatever depth they are."""
    cdef int lower = lower_bound(entry, 0)
    cdef int upper = upper_bound(entry, 0)
    if lower > evaluation and not is_decisive(lower):
        return lower
    if upper < evaluation and not is_decisive(upper):
        return upper
    return evaluation

cdef inline Move table_move_of(const Entry* entry, const Pos* pos) noexcept nogil:
    """An entry may be torn, so its move is any 16 bits."""
    return entry.move if entry.move and is_legal(pos, entry.move) else <Move>MOVE_NONE

# Mates are stored counted from the node, for it may be reached at another ply.
cdef inline int to_table(int value, int ply) noexcept nogil:
    if value >= MATE_IN_MAX_PLY:
        return value + ply
    return value - ply if value <= -MATE_IN_MAX_PLY else value

cdef inline int from_table(int value, int ply) noexcept nogil:
    if value >= MATE_IN_MAX_PLY:
        return value if value == INFINITE else value - ply
    if value <= -MATE_IN_MAX_PLY:
        return value if value == -INFINITE else value + ply
    return value

cdef inline void tt_prefetch(const Worker* worker, Move move) noexcept nogil:
    """Prefetch the table's line of the position after a move, long before it is probed: memory is slow."""
    prefetch_bucket(worker.table, key_after(&worker.pos, move))

cdef inline bint tt_probe(const Worker* worker, Entry* entry) noexcept nogil:
    """Whether the transposition table has the position, and a copy of its entry."""
    if not worker.params.table:
        return False
    count_probe(worker.instruments, worker.table, &worker.pos)
    return probe(worker.table, table_key(worker.instruments, &worker.pos), entry)

cdef Cutoff ghi_cutoff(Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                       int ply) noexcept nogil
"""What the entry's bounds that rest on loops say, where they hold on this path; sets the node's `ghi_heads`."""

cdef inline Cutoff tt_cutoff(Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                             int ply) noexcept nogil:
    """Whether the table's entry cuts off a null-window search of this depth. Bounds that cross, being torn, say
    nothing."""
    cdef bint exact = worker.params.exact_depth
    cdef int lower = -INFINITE
    cdef int upper = INFINITE
    cdef Cutoff cutoff
    if not exact or entry.lower_depth == depth + 1:
        lower = from_table(lower_bound(entry, depth), ply)
    if not exact or entry.upper_depth == depth + 1:
        upper = from_table(upper_bound(entry, depth), ply)
    if lower > upper:
        lower, upper = -INFINITE, INFINITE
    cutoff = bounds_cutoff(lower, upper, alpha, beta)
    if not cutoff.answer and entry.marks & (LOWER_ON_PATH | UPPER_ON_PATH) and worker.params.use_ghi_reuse:
        return ghi_cutoff(worker, entry, depth, alpha, beta, ply)
    return cutoff

cdef inline void tt_store(Worker* worker, Move move, int evaluation, int value, int alpha, int beta, int depth,
                          bint on_pv, int ply) noexcept nogil:
    """Store a node's fail-soft value in the table: above alpha it is a lower bound, below beta an upper one."""
    cdef u64 heads = node_at(worker, ply).ghi_heads
    if worker.params.table:
        count_leaving(worker.instruments, worker.table, &worker.pos)
        store(worker.table, &worker.traffic, table_key(worker.instruments, &worker.pos), move, evaluation,
              to_table(value, ply) if value > alpha else -INFINITE,
              to_table(value, ply) if value < beta else INFINITE,
              depth, on_pv, heads != 0)
        count_stored(worker.instruments, worker.table, &worker.pos)
        if heads and worker.params.use_ghi_reuse:
            if value > alpha:
                note_bound(&worker.loops, &worker.pos, ply, heads, LOWER, to_table(value, ply), depth)
            if value < beta:
                note_bound(&worker.loops, &worker.pos, ply, heads, UPPER, to_table(value, ply), depth)

cdef inline void tt_store_evaluation(Worker* worker, int evaluation, bint on_pv) noexcept nogil:
    """Store a node's evaluation alone, where there is no value worth an entry: the next visit is spared the work."""
    if worker.params.table:
        count_leaving(worker.instruments, worker.table, &worker.pos)
        store(worker.table, &worker.traffic, table_key(worker.instruments, &worker.pos), MOVE_NONE, evaluation,
              -INFINITE, INFINITE, 0, on_pv, False)
        count_stored(worker.instruments, worker.table, &worker.pos)

cdef inline bint mates_at_once(Worker* worker, bint on_pv, int depth, int ply) noexcept nogil:
    """Whether the side to move, which is not in check, has a mate in one: then it is the node's line, and stored."""
    cdef Node* node = node_at(worker, ply)
    cdef Move move = mate_in_one(&worker.pos)
    if not move:
        return False
    node.pv[0] = move
    node.pv[1] = MOVE_NONE
    tt_store(worker, move, NO_SCORE, mate_in(ply + 1), -INFINITE, INFINITE, depth, on_pv, ply)
    return True
