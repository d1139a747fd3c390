"""A worker: all that one thread owns while it searches, and what ends a line by rule or by the clock.

Scores are from the side to move. `ply` counts from the root and indexes the worker's arrays.
"""
from engine.position cimport Pos, do_move, do_null, key, key_after
from engine.rules cimport EnteringKingRule
from engine.types cimport *
from engine.validate cimport check_position
from eval.evaluator cimport Accumulator, Eval, evaluate, update
from eval.kpp cimport RefreshCache
from search.history cimport History, correction, piece_to_of
from search.instrumentation cimport Instruments, count_leaving, count_probe, count_stored, table_key
from search.loops cimport LOWER, UPPER, Loops, head_bit, heads_above, may_reuse, note_bound, register_loop
from search.mate1 cimport mate_in_one
from search.parameters cimport Params
from search.system cimport clock_ns, relaxed_load, relaxed_store
from tt.table cimport (LOWER_ON_PATH, UPPER_ON_PATH, Cutoff, Entry, Table, Traffic, bounds_cutoff, lower_bound,
                       prefetch_bucket, probe, store, upper_bound)

cdef enum:
    POLL_INTERVAL = 128         # nodes between two looks at the clock
    CORRECTION_GRAIN = 32       # units of the correction history in a centipawn
    LOGARITHMS = 256            # of depths and of numbers of moves; beyond, the last one serves

cdef struct Signals:            # shared by all threads of a search; atomic
    i64 stop                    # 1: give up at once
    i64 deadline                # on the clock, in nanoseconds; 0: none
    i64 node_limit              # 0: none
    i64 node_ns                 # on a clock that nodes drive, the nanoseconds of each; 0: real time

cdef struct Rules:
    EnteringKingRule entering_king
    int max_moves               # 0: no limit
    int draw[2]                 # the value of a draw for either side, to move

cdef struct Node:
    u64 ghi_heads               # the loop heads that the value rests on through a repetition, as a set of plies (GHI)
    int evaluation              # static and corrected; NO_SCORE in check
    int piece_to                # of the move played from here (history.pxd); 0 for a null move
    Move excluded               # the table move, while a search asks what the node is worth without it
    Move killers[2]
    Move pv[MAX_PLY + 2]        # the best line from here, ended by MOVE_NONE

cdef struct RootMove:
    int score                   # when it was last searched; -INFINITE if it only did not prove to be the best
    int previous_score          # after the iteration before
    int seldepth
    Move pv[MAX_PLY + 2]        # begins with the move itself

cdef struct Worker:
    Pos pos                     # its own copy, with the game's history
    Accumulator sums[MAX_PLY + 2]
    Node nodes_at[MAX_PLY + 2]
    u64 nodes                   # counted so far; other threads may read it
    u64 next_poll
    int root_depth
    int seldepth
    int root_count
    int root_first              # multi-PV: the moves before this one have had their turn
    RootMove root_moves[MAX_MOVES]
    History history
    Loops loops
    Traffic traffic
    Params params
    int logarithms[LOGARITHMS]  # of 1, 2, … in 1024ths, for reductions
    bint whole_game             # a fourth occurrence may lie ahead, so repetitions are looked for before the root too
    int null_forbidden_until    # the ply from which null moves are allowed again, while one is being verified
    Rules rules
    Table* table
    const Eval* evaluator
    RefreshCache refresh_cache  # the evaluator's
    const Instruments* instruments  # used in search/instrumented.pyx only
    Signals* signals
    Worker** pool               # all workers of the search, the first being the one that polls
    int pool_size

cdef void poll(Worker* worker) noexcept nogil
cdef bint is_terminal(Worker* worker, int ply, int* value) noexcept nogil
"""Whether the rules end the game here, and with what value: repetition, perpetual check, a hand that dominates an
earlier one, declaration, the limit on moves. Sets the node's `ghi_heads`."""

cdef inline bint stopped(Worker* worker) noexcept nogil:
    if worker.nodes >= worker.next_poll:
        poll(worker)
    return relaxed_load(&worker.signals.stop) != 0

cdef inline void tt_prefetch(const Worker* worker, Move move) noexcept nogil:
    """Prefetch the table's line of the position after a move, long before it is probed: memory is slow."""
    prefetch_bucket(worker.table, key_after(&worker.pos, move))

cdef inline void play(Worker* worker, Move move, int ply) noexcept nogil:
    """Step from `ply` to the next, the evaluation with it. To `tt_prefetch` the move before pays (see there)."""
    worker.nodes_at[ply].piece_to = piece_to_of(&worker.pos, move)
    do_move(&worker.pos, move)
    if DEBUG:
        check_position(&worker.pos)
    worker.nodes += 1
    update(&worker.sums[ply + 1], &worker.sums[ply], &worker.pos)

cdef inline void play_null(Worker* worker, int ply) noexcept nogil:
    """Pass, which the rules do not allow: only to see what the other side could do."""
    worker.nodes_at[ply].piece_to = 0
    do_null(&worker.pos)
    prefetch_bucket(worker.table, key(&worker.pos))
    worker.nodes += 1
    update(&worker.sums[ply + 1], &worker.sums[ply], &worker.pos)

cdef inline i16* continuation(Worker* worker, int ply, int back) noexcept nogil:
    """The history of moves after the one played `back` plies before this ply; that of no move where there is none."""
    return worker.history.continuation[worker.nodes_at[ply - back].piece_to if ply >= back else 0]

cdef inline int correction_at(Worker* worker) noexcept nogil:
    """Centipawns to add to the evaluation of the position."""
    if worker.params.selective and worker.params.use_correction:
        return correction(&worker.history, &worker.pos)[0] // CORRECTION_GRAIN
    return 0

cdef inline int evaluation_at(Worker* worker, int ply) noexcept nogil:
    return evaluate(worker.evaluator, &worker.refresh_cache, &worker.sums[ply], &worker.pos)

cdef inline void extend_pv(Node* node, Move move, const Node* child) noexcept nogil:
    """The best line from here: this move, then the child's."""
    cdef int i = 0
    node.pv[0] = move
    while child.pv[i]:
        node.pv[i + 1] = child.pv[i]
        i += 1
    node.pv[i + 1] = MOVE_NONE

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
    """Whether the table's entry cuts off a search of this depth, and with what window if it does not. Bounds that
    cross, being torn, say nothing."""
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
    if (not cutoff.answer and entry.marks & (LOWER_ON_PATH | UPPER_ON_PATH) and worker.params.use_ghi_reuse
            and beta - alpha == 1):
        return ghi_cutoff(worker, entry, depth, alpha, beta, ply)
    return cutoff

cdef inline void tt_store(Worker* worker, Move move, int evaluation, int value, int alpha, int beta, int depth,
                          bint on_pv, int ply) noexcept nogil:
    """Store a node's fail-soft value in the table: above alpha it is a lower bound, below beta an upper one."""
    cdef u64 heads = worker.nodes_at[ply].ghi_heads
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
    cdef Node* node = &worker.nodes_at[ply]
    cdef Move move = mate_in_one(&worker.pos)
    if not move:
        return False
    node.pv[0] = move
    node.pv[1] = MOVE_NONE
    tt_store(worker, move, NO_SCORE, mate_in(ply + 1), -INFINITE, INFINITE, depth, on_pv, ply)
    return True
