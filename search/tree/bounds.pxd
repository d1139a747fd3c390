"""Cutoffs, such as by a mate in one, and how a node probes and stores in the transposition table."""
from engine.movegen cimport is_legal
from engine.position cimport Pos, key, key_after
from engine.types cimport INFINITE, MATE_IN_MAX_PLY, MOVE_NONE, NO_SCORE, Move
from search.mate.mate1 cimport mate_in_one
from search.tree.worker cimport Node, Worker, is_decisive, node_at
from tt.table cimport Entry, Finding, lower_bound, prefetch_bucket, probe, store, upper_bound

# How a step, or the table's bounds, decide a node with the window [alpha, beta).
cdef enum Answer:
    SEARCH = 0                  # undecided: search on
    FAIL_LOW = 1
    FAIL_HIGH = 2
    STOPPED = 3                 # the search was stopped meanwhile; the node has no value

cdef struct Cutoff:
    Answer answer
    int value                   # for FAIL_LOW and FAIL_HIGH only

cdef inline Cutoff no_cutoff() noexcept nogil:
    return Cutoff(SEARCH, NO_SCORE)

cdef inline Cutoff fail_high(int value) noexcept nogil:
    return Cutoff(FAIL_HIGH, value)

cdef inline Cutoff stopped_cutoff() noexcept nogil:
    return Cutoff(STOPPED, NO_SCORE)

cdef inline Cutoff bounds_cutoff(int lower, int upper, int alpha, int beta) noexcept nogil:
    """The cutoff that a node's bounds give, with lower <= upper and alpha < beta. Bounds inside the window could narrow
    it at PV nodes, but in games that gained nothing."""
    if upper <= alpha:
        return Cutoff(FAIL_LOW, upper)
    return fail_high(lower) if lower >= beta else no_cutoff()

cdef inline int refined(const Entry* entry, int evaluation) noexcept nogil:
    """The evaluation, raised or lowered to lie within the table's bounds, whatever their depth; bounds that are mates
    do not count."""
    cdef int lower = lower_bound(entry, 0)
    cdef int upper = upper_bound(entry, 0)
    if lower > evaluation and not is_decisive(lower):
        return lower
    if upper < evaluation and not is_decisive(upper):
        return upper
    return evaluation

cdef inline Move table_move_of(const Entry* entry, const Pos* pos) noexcept nogil:
    """The entry's move if it is legal, else MOVE_NONE. Another position may have the same check."""
    return entry.move if entry.move and is_legal(pos, entry.move) else <Move>MOVE_NONE

# The table stores mate scores counted from the node, because other paths reach it at other plies.
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
    """Prefetch the table's cache line for the position after a move, so that the line is there when the position is
    probed."""
    prefetch_bucket(worker.table, key_after(&worker.pos, move))

cdef inline bint tt_probe(const Worker* worker, Entry* entry) noexcept nogil:
    """Copy the position's entry from the transposition table; False if it has none."""
    return worker.params.table and probe(worker.table, key(&worker.pos), entry)

cdef inline Cutoff tt_cutoff(const Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                             int ply) noexcept nogil:
    """The cutoff that an entry gives a null-window search of this depth. Bounds that rest on a repetition do not count;
    nor do bounds that cross, because such an entry belongs to another position."""
    cdef bint exact = worker.params.exact_depth
    cdef int lower = -INFINITE
    cdef int upper = INFINITE
    if not exact or entry.lower_depth == depth + 1:
        lower = from_table(lower_bound(entry, depth), ply)
    if not exact or entry.upper_depth == depth + 1:
        upper = from_table(upper_bound(entry, depth), ply)
    if lower > upper:
        lower, upper = -INFINITE, INFINITE
    return bounds_cutoff(lower, upper, alpha, beta)

cdef inline void tt_store(Worker* worker, Move move, int evaluation, int value, int alpha, int beta, int depth,
                          bint on_pv, int ply) noexcept nogil:
    """Store a node's fail-soft value in the table: as a lower bound if above alpha, as an upper bound if below beta."""
    cdef Finding finding
    if worker.params.table:
        finding = Finding(move=move, evaluation=evaluation, depth=depth, on_pv=on_pv,
                          lower=to_table(value, ply) if value > alpha else -INFINITE,
                          upper=to_table(value, ply) if value < beta else INFINITE,
                          on_path=node_at(worker, ply).ghi_heads != 0)
        store(worker.table, &worker.traffic, key(&worker.pos), &finding)

cdef inline void tt_store_evaluation(Worker* worker, int evaluation, bint on_pv) noexcept nogil:
    """Store only a node's static evaluation, so that the next visit need not compute it."""
    cdef Finding finding
    if worker.params.table:
        finding = Finding(move=MOVE_NONE, evaluation=evaluation, lower=-INFINITE, upper=INFINITE, depth=0,
                          on_pv=on_pv, on_path=False)
        store(worker.table, &worker.traffic, key(&worker.pos), &finding)

cdef inline bint finds_mate_in_one(Worker* worker, int ply) noexcept nogil:
    """Look for a mate in one by the side to move, which must not be in check. If there is one, make it the node's
    PV."""
    cdef Node* node = node_at(worker, ply)
    cdef Move move = mate_in_one(&worker.pos)
    if not move:
        return False
    node.pv[0] = move
    node.pv[1] = MOVE_NONE
    return True
