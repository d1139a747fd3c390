"""A worker: all that one thread owns while it searches, and what ends a line by rule or by the clock.

Scores are from the side to move. `ply` counts from the root and indexes the worker's arrays.
"""
from engine.atomic cimport relaxed_increment, relaxed_load, relaxed_store, relaxed_take
from engine.movegen cimport is_noisy
from engine.position cimport Pos, do_move, do_null, in_check, key
from engine.rules cimport EnteringKingRule
from engine.system.clock cimport clock_ns
from engine.types cimport DEBUG, MAX_EVAL, MAX_MOVES, MAX_PLY, MOVE_NONE, MOVE_NULL, Move, i16, i64, u64
from engine.validate cimport check_position
from eval.evaluator cimport AccumulatorStack, update
from search.parameters cimport Params
from search.tree.correction cimport PAWNS, Correction, CorrectionKeys, check_keys, updated_keys
from search.tree.history cimport NO_PIECE_TO, PAWN_SHAPES, History, piece_to_of
from search.tree.instrumentation cimport Instruments
from search.tree.loops cimport Loops
from tt.table cimport Table, Traffic, prefetch_bucket

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
    u64 ghi_heads               # the loop heads that the value so far rests on, as a set of plies (loops.pxd)
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
    AccumulatorStack accumulators
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

cdef inline Node* node_at(Worker* worker, int ply) noexcept nogil:
    """Its neighbours in memory are its neighbours on the path, also a few plies before the root."""
    return &worker.nodes_at[0] + LOOKBACK + ply

cdef inline i16* pawn_history(Worker* worker, const Node* node) noexcept nogil:
    """The histories of moves with the pawns where they are at the node."""
    return &worker.history.pawns[node.keys >> 16 * PAWNS & (PAWN_SHAPES - 1)][0]

cdef inline void play(Worker* worker, Move move, int ply) noexcept nogil:
    """Step from `ply` to the next, the evaluation with it. Call `tt_prefetch` of bounds.pxd first."""
    cdef Node* node = node_at(worker, ply)
    cdef Pos* pos = &worker.pos
    node.move = move
    node.noisy = is_noisy(pos, move)
    node.evading = in_check(pos)
    node.piece_to = piece_to_of(pos, move)
    node.continuation = &worker.history.continuation[node.evading][node.noisy][node.piece_to][0]
    do_move(pos, move)
    relaxed_increment(&worker.nodes)
    update(&worker.accumulators, ply + 1, pos)
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
    update(&worker.accumulators, ply + 1, &worker.pos)
    (node + 1).keys = node.keys

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
