"""A worker: all that one thread owns while it searches, and what ends a line by rule or by the clock.

Scores are from the side to move. `ply` counts from the root and indexes the worker's arrays.
"""
from engine.atomic cimport relaxed_increment, relaxed_load, relaxed_store, relaxed_take
from engine.movegen cimport is_legal
from engine.position cimport Pos, do_move, do_null, in_check, key, key_after
from engine.rules cimport EnteringKingRule
from engine.types cimport (DEBUG, INFINITE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_MOVES, MAX_PLY, MOVE_NONE, MOVE_NULL,
                           NO_SCORE, SUPERIOR, Move, i16, i64, mate_in, mated_in, u64, u8)
from engine.validate cimport check_position
from eval.evaluator cimport Accumulator, Eval, evaluate, update
from eval.kpp cimport RefreshCache
from search.correction cimport (MINORS, PAWNS, PIECES, Correction, CorrectionKeys, check_keys, entry_of, pair_of,
                                updated_keys)
from search.history cimport NO_PIECE_TO, History, piece_to_of
from search.instrumentation cimport Instruments, count_leaving, count_probe, count_stored, table_key
from search.loops cimport LOWER, UPPER, Loops, head_bit, heads_above, may_reuse, note_bound, register_loop
from search.mate1 cimport mate_in_one
from search.parameters cimport Params
from search.picker cimport is_noisy
from search.system cimport clock_ns
from tt.table cimport (LOWER_ON_PATH, UPPER_ON_PATH, Cutoff, Entry, Table, Traffic, bounds_cutoff, lower_bound,
                       prefetch_bucket, probe, store, upper_bound)

cdef enum:
    POLL_INTERVAL = 128         # nodes between two looks at the clock, and at most in a portion of the node limit
    LOOKBACK = 6                # nodes before the root's that steps may look at; they know nothing
    LOGARITHMS = 256            # of depths and of numbers of moves; beyond, the last one serves

cdef struct Signals:            # shared by all threads of a search; atomic
    i64 stop                    # 1: give up at once
    i64 deadline                # on the clock, in nanoseconds; 0: none
    i64 node_limit              # 0: none
    i64 nodes_left              # of that limit, for all threads to draw from

cdef struct Rules:
    EnteringKingRule entering_king
    int max_moves               # 0: no limit
    int draw[2]                 # the value of a draw for either side, to move

cdef struct TableView:          # what the transposition table says of a node
    bint known                  # it has an entry
    Move move                   # legal, or MOVE_NONE
    bint noisy                  # of that move
    int lower                   # bounds that hold on every path, whatever their depth; -INFINITE: none
    int lower_depth             # -1: none
    int upper                   # INFINITE: none
    int upper_depth

cdef struct Node:
    u64 ghi_heads               # the loop heads that the value rests on through a repetition, as a set of plies (GHI)
    CorrectionKeys keys
    TableView table
    int evaluation              # static and corrected; in check that of two plies before; NO_SCORE: none
    int correction              # its size in that
    int cutoffs                 # how often a node at this ply failed high, since two plies above last began
    bint was_on_pv              # it is on a PV, or the table says that it was (the field's ttPv)
    bint on_last_pv             # the path from the root to here is the PV of the last iteration
    Move excluded               # the table move, while a search asks what the node is worth without it
    # Of the move that is being searched from here:
    Move move                   # MOVE_NONE: there is none
    int piece_to                # (history.pxd)
    bint noisy
    bint evading                # it answers a check
    int move_count              # its number, from 1
    int stat_score              # its histories, as reductions weigh them
    int reduction               # plies by which LMR has reduced the search below; the child takes note and clears it
    i16* continuation           # the histories of the moves after it
    Move pv[MAX_PLY + 2]        # the best line from here, ended by MOVE_NONE

cdef enum Bound:
    EXACT = 0
    LOWER_BOUND = 1
    UPPER_BOUND = 2

cdef struct RootMove:
    int score                   # when it was last searched; -INFINITE if it only did not prove to be the best
    Bound bound                 # what that score is
    int depth                   # of the iteration that it is from
    int previous_score          # after the iteration before
    int average                 # of its scores, the later ones counting more; NO_SCORE before the first
    int mean_square             # likewise of score times its size
    int seldepth
    u64 nodes                   # spent on it in this search
    Move pv[MAX_PLY + 2]        # begins with the move itself

cdef struct Worker:
    Pos pos                     # its own copy, with the game's history
    Accumulator sums[MAX_PLY + 2]
    Node nodes_at[LOOKBACK + MAX_PLY + 3]   # see node_at; a node looks two ahead
    u64 nodes                   # counted so far; atomic, for other threads may read it
    u64 next_poll
    int root_depth
    int seldepth
    int root_count
    int root_first              # multi-PV: the moves before this one have had their turn
    RootMove root_moves[MAX_MOVES]
    History history
    Correction correction
    Loops loops
    Traffic traffic
    Params params
    int logarithms[LOGARITHMS]  # of 1, 2, … as reductions multiply them
    int root_width              # of the root's window
    Move last_pv[MAX_PLY + 2]   # of the last iteration; MOVE_NONE ends it
    bint whole_game             # a fourth occurrence may lie ahead, so repetitions are looked for before the root too
    int null_forbidden_until    # the ply from which null moves are allowed again, while one is being verified
    Rules rules
    Table* table
    const Eval* evaluator
    RefreshCache refresh_cache  # the evaluator's
    const Instruments* instruments  # used in search/instrumented.pyx only
    Signals* signals
    const i64* stop             # what ends it: the word in `signals` or, while it may not be stopped, one that stays 0
    Worker** pool               # all workers of the search, the first being the one that polls
    int pool_size

cdef void poll(Worker* worker) noexcept nogil
cdef bint is_terminal(Worker* worker, int ply, int* value) noexcept nogil
"""Whether the rules end the game here, and with what value: repetition, perpetual check, a hand that dominates an
earlier one, declaration, the limit on moves. Sets the node's `ghi_heads`."""

cdef inline bint stopped(Worker* worker) noexcept nogil:
    if worker.nodes >= worker.next_poll:
        poll(worker)
    return relaxed_load(worker.stop) != 0

cdef inline void tt_prefetch(const Worker* worker, Move move) noexcept nogil:
    """Prefetch the table's line of the position after a move, long before it is probed: memory is slow."""
    prefetch_bucket(worker.table, key_after(&worker.pos, move))

cdef inline Node* node_at(Worker* worker, int ply) noexcept nogil:
    """Its neighbours in memory are its neighbours on the path, also a few plies before the root."""
    return &worker.nodes_at[0] + LOOKBACK + ply

cdef struct CorrectionEntries:  # those that correct a node's evaluation
    i16* pawns
    i16* minors
    i16* pieces[2]
    i16* moves[2]               # by the last move and the one, or three, plies before it

cdef inline CorrectionEntries correction_entries(Worker* worker, int ply) noexcept nogil:
    cdef Correction* correction = &worker.correction
    cdef const Node* node = node_at(worker, ply)
    cdef int turn = worker.pos.turn
    cdef CorrectionEntries entries
    entries.pawns = &correction.pawns[turn][entry_of(node.keys, PAWNS)]
    entries.minors = &correction.minors[turn][entry_of(node.keys, MINORS)]
    entries.pieces[0] = &correction.pieces[0][turn][entry_of(node.keys, PIECES)]
    entries.pieces[1] = &correction.pieces[1][turn][entry_of(node.keys, PIECES + 1)]
    entries.moves[0] = &correction.moves[pair_of((node - 2).piece_to, (node - 1).piece_to)]
    entries.moves[1] = &correction.moves[pair_of((node - 4).piece_to, (node - 1).piece_to)]
    return entries

cdef inline void play(Worker* worker, Move move, int ply) noexcept nogil:
    """Step from `ply` to the next, the evaluation with it. To `tt_prefetch` the move before pays (see there)."""
    cdef Node* node = node_at(worker, ply)
    cdef Pos* pos = &worker.pos
    node.move = move
    node.noisy = is_noisy(pos, move)
    node.evading = in_check(pos)
    node.piece_to = piece_to_of(pos, move)
    node.continuation = &worker.history.continuation[node.evading][node.noisy][node.piece_to][0]
    do_move(pos, move)
    relaxed_increment(&worker.nodes)
    update(&worker.sums[ply + 1], &worker.sums[ply], pos)
    (node + 1).keys = updated_keys(node.keys, &pos.state.dirty)
    if DEBUG:
        check_position(pos)
        check_keys((node + 1).keys, pos)

cdef inline void play_null(Worker* worker, int ply) noexcept nogil:
    """Pass, which the rules do not allow: only to see what the other side could do."""
    cdef Node* node = node_at(worker, ply)
    node.move = MOVE_NULL
    node.noisy = node.evading = False
    node.piece_to = NO_PIECE_TO
    node.continuation = &worker.history.continuation[0][0][NO_PIECE_TO][0]
    node.stat_score = 0
    do_null(&worker.pos)
    prefetch_bucket(worker.table, key(&worker.pos))
    relaxed_increment(&worker.nodes)
    update(&worker.sums[ply + 1], &worker.sums[ply], &worker.pos)
    (node + 1).keys = node.keys

cdef inline int correction_at(Worker* worker, int ply) noexcept nogil:
    """Centipawns to add to the evaluation of the position."""
    cdef const Params* params = &worker.params
    cdef CorrectionEntries entries
    if not params.selective or not params.use_correction:
        return 0
    entries = correction_entries(worker, ply)
    return (params.correction_pawns * entries.pawns[0] + params.correction_minors * entries.minors[0]
            + params.correction_pieces * (entries.pieces[0][0] + entries.pieces[1][0])
            + params.correction_moves * (entries.moves[0][0] + entries.moves[1][0])) // 65536

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

cdef inline bint is_decisive(int value) noexcept nogil:
    """Beyond all evaluations: a mate, or a hand that dominates."""
    return abs(value) > MAX_EVAL

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
