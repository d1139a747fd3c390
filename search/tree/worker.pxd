"""A worker: the data that one thread owns while it searches, and a step down the tree.

`is_terminal` applies the rules of the game to a node; `stopped` says whether the time or a limit is used up. Scores are
from the side to move's view. `ply` counts from the root and indexes the worker's arrays.
"""
from engine.atomic cimport relaxed_increment, relaxed_load
from engine.movegen cimport is_noisy
from engine.position cimport Pos, do_move, do_null, in_check, key
from engine.rules cimport EnteringKingRule
from engine.types cimport DEBUG, MAX_EVAL, MAX_MOVES, MAX_PLY, MOVE_NONE, MOVE_NULL, Move, i16, i64, u64
from engine.validate cimport check_position
from eval.evaluator cimport AccumulatorStack, update
from search.parameters cimport Params
from search.tree.correction cimport PAWNS, Correction, CorrectionKeys, check_keys, updated_keys
from search.tree.history cimport NO_PIECE_TO, PAWN_SHAPES, History, piece_to_of
from tt.table cimport Table, Traffic, prefetch_bucket

cdef enum:
    POLL_INTERVAL = 128         # nodes between two checks of the time
    LOOKBACK = 6                # empty nodes before the root, because some steps look back up to 6 plies
    LOGARITHMS = 256            # entries: for depths and for move numbers; larger ones use the last

cdef struct Signals:            # shared by all threads of a search; atomic
    i64 stop                    # 1: stop at once
    i64 deadline                # in nanoseconds, as `monotonic_ns`; 0: none

cdef struct Rules:
    EnteringKingRule entering_king
    int max_moves               # 0: no limit
    int draw[2]                 # by side to move: the value of a draw for it, in centipawns

cdef struct TableView:          # what the transposition table knows about a node
    bint known                  # it has an entry
    Move move                   # legal, or MOVE_NONE
    bint noisy                  # the move is noisy
    int lower                   # bounds that hold on every path, of any depth; -INFINITE: none
    int lower_depth             # -1: none
    int upper                   # INFINITE: none
    int upper_depth

cdef struct Played:             # the move being searched from a node
    Move move                   # MOVE_NONE: none
    int piece_to                # (history.pxd)
    bint noisy
    int number                  # in the order, from 1
    int stat_score              # its histories, weighted as for LMR (selectivity.pxd)
    int reduction               # plies by which LMR reduced it; the child reads and clears it
    i16* continuation           # continuation history of the moves after it

cdef struct Node:
    u64 ghi_heads               # set of plies: the loop heads that the value so far rests on (loops.pxd)
    CorrectionKeys keys
    TableView tt
    int evaluation              # static, corrected; in check, that of two plies before; NO_SCORE: none
    int correction              # size of the correction in it, centipawns
    int cutoffs                 # fail highs at this ply since the node two plies above began
    bint was_on_pv              # a PV node, or the table says that it once was (ttPv)
    bint in_check               # the side to move is
    bint on_last_pv             # the path from the root to here is the PV of the last iteration
    Move excluded               # the table move while a singular search leaves it out, else MOVE_NONE
    Played played
    Move pv[MAX_PLY + 2]        # the best line from here, ended by MOVE_NONE

cdef enum Bound:
    EXACT = 0
    LOWER_BOUND = 1
    UPPER_BOUND = 2

cdef struct RootMove:
    int score                   # score of its last search; -INFINITE if that only showed that the move is not best
    Bound bound                 # the kind of that score
    int depth                   # the iteration that the score is from
    int previous_score          # after the iteration before
    int average                 # of its scores, recent ones counting more; NO_SCORE: none yet
    int mean_square             # the same for score * |score|; meaningless without an average
    int seldepth
    u64 nodes                   # spent on it in this search
    Move pv[MAX_PLY + 2]        # begins with the move itself

cdef struct Worker:
    int number                  # 0: the leader
    Pos pos                     # its own copy, with the game's history
    AccumulatorStack accumulators
    Node nodes_at[LOOKBACK + MAX_PLY + 3]   # see node_at; steps look two nodes ahead
    u64 nodes                   # so far; atomic, because other threads read it
    u64 node_limit              # its share of the search's limit
    u64 next_poll
    int root_depth
    int seldepth
    int root_count
    int root_first              # multi-PV: the moves before this one already have their line
    RootMove root_moves[MAX_MOVES]
    History history
    Correction correction
    Traffic traffic
    Params params
    int logarithms[LOGARITHMS]  # of 1, 2, …, scaled for LMR
    int root_width              # of the root's window
    Move last_pv[MAX_PLY + 2]   # PV of the last iteration, ended by MOVE_NONE
    bint whole_game             # a position of the game has occurred three times: see `repetition_in_search`
    int null_forbidden_until    # while a null move is verified: no null moves before this ply; else 0
    Rules rules
    Table* table
    Signals* signals
    # The stop flag that this worker looks at: the flag in `signals`; a flag that stays 0, while the worker must not be
    # stopped; or a flag that is 1, once its nodes are used up.
    const i64* stop

cdef void poll(Worker* worker) noexcept nogil
cdef bint is_terminal(Worker* worker, int ply, int* value) noexcept nogil
"""Whether the rules decide the node: repetition, perpetual check, a dominated hand, declaration, the limit on moves.
Sets `value` to the result and the node's `ghi_heads`."""

cdef inline bint stopped(Worker* worker) noexcept nogil:
    if worker.nodes >= worker.next_poll:
        poll(worker)
    return relaxed_load(worker.stop) != 0

cdef inline Node* node_at(Worker* worker, int ply) noexcept nogil:
    """The node at a ply. `node - 1` is its parent on the path; the root has LOOKBACK empty nodes before it."""
    return &worker.nodes_at[0] + LOOKBACK + ply

cdef inline i16* pawn_history(Worker* worker, const Node* node) noexcept nogil:
    """The pawn history, by piece and target, for the pawns on the node's board."""
    return &worker.history.pawns[node.keys >> 16 * PAWNS & (PAWN_SHAPES - 1)][0]

cdef inline void play(Worker* worker, Move move, int ply) noexcept nogil:
    """Play a move from `ply` and update the evaluation. Call `tt_prefetch` (bounds.pxd) first."""
    cdef Node* node = node_at(worker, ply)
    cdef Pos* pos = &worker.pos
    node.played.move = move
    node.played.noisy = is_noisy(pos, move)
    node.in_check = in_check(pos)
    node.played.piece_to = piece_to_of(pos, move)
    node.played.continuation = &worker.history.continuation[node.in_check][node.played.noisy][node.played.piece_to][0]
    do_move(pos, move)
    relaxed_increment(&worker.nodes)
    update(&worker.accumulators, ply + 1, pos)
    (node + 1).keys = updated_keys(node.keys, &pos.state.dirty)
    if DEBUG:
        check_position(pos)
        check_keys((node + 1).keys, pos)

cdef inline void play_null(Worker* worker, int ply) noexcept nogil:
    """Play a null move: the side to move passes."""
    cdef Node* node = node_at(worker, ply)
    node.played.move = MOVE_NULL
    node.played.noisy = node.in_check = False
    node.played.piece_to = NO_PIECE_TO
    node.played.continuation = &worker.history.continuation[0][0][NO_PIECE_TO][0]
    node.played.stat_score = 0
    do_null(&worker.pos)
    prefetch_bucket(worker.table, key(&worker.pos))
    relaxed_increment(&worker.nodes)
    update(&worker.accumulators, ply + 1, &worker.pos)
    (node + 1).keys = node.keys

cdef inline void set_pv(Node* node, Move move, const Node* child) noexcept nogil:
    """Set the node's PV to `move`, followed by the child's PV."""
    cdef int i = 0
    node.pv[0] = move
    while child.pv[i]:
        node.pv[i + 1] = child.pv[i]
        i += 1
    node.pv[i + 1] = MOVE_NONE

cdef inline bint is_decisive(int value) noexcept nogil:
    """Whether a value lies beyond all evaluations: a mate, or a dominated hand."""
    return abs(value) > MAX_EVAL
