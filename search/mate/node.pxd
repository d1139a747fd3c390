"""The nodes of the mate search: children, the estimates of leaves, and how a node's numbers follow from its children's.

Even plies are OR nodes: the attacker is to move and gives check. Odd plies are AND nodes: the defender answers. A child
may be held back until the move most like it has failed: a drop waits for another drop on the same square, a move
without promotion waits for the promotion. Hopeless alternatives then do not inflate the numbers, and every move is
tried in the end.
"""
from engine.types cimport (BISHOP, KNIGHT, LANCE, MAX_MOVES, MOVE_NONE, MOVE_PROMOTE, PAWN, PROMOTED, ROOK, Hand, Move,
                           board_place, dropped_kind, hand_dominates, hand_unit, i16, i32, i64, is_drop, is_promotion,
                           kind_of, make_move, make_piece, make_promotion, move_from, move_to, prefetch, u128, u16, u32,
                           u64)
from engine.position cimport Pos
from search.mate.table cimport MateTable

cdef enum:
    PATH_BUCKETS = 1 << 12
    MAX_EXCLUDED = MAX_MOVES

cdef struct Child:
    u64 key                     # of the board after the move
    Hand hand                   # the attacker's after the move
    Hand pieces                 # proof or disproof pieces, once it is decided
    u32 pn
    u32 dn
    u32 amount
    i32 repeat                  # the shallowest ply that its disproof repeats; NO_REPEAT: it holds on every path
    Move move
    u16 length                  # see Entry
    u16 min_ply                 # so is this
    i16 next                    # the child that waits for this one, counted from the frame's first; -1 for none
    bint held                   # not looked at yet …
    bint behind                 # … until the child it waits for has failed
    bint merges                 # siblings that transpose: only their maximum counts
    bint fresh                  # never expanded

cdef struct Frame:              # a node on the path
    u64 key
    u64 path                    # key of all positions from the root to this one, in order
    Hand hand                   # the attacker's
    int limit                   # plies in which the mate must come
    int first                   # of its children
    int count
    int best                    # the child that the search goes on with, counted from `first`
    u32 pn
    u32 dn
    u32 pn_threshold
    u32 dn_threshold
    u32 second                  # the numbers of the best child's rivals: see `sum_up`
    u32 rest
    u32 amount
    u32 nodes_before            # low word of the solver's node count when it was entered
    int path_next               # the ply before it in its bucket; -1 for none
    int tca_before              # see Solver.tca
    bint old_child              # a child was met nearer to the root before, so there may be a cycle

cdef struct Solver:
    Pos pos
    MateTable table
    Frame* frames
    int frame_capacity
    Child* children
    int child_capacity
    int ply                     # of the node on top
    bint entering               # it has no children yet
    int attacker
    u64 nodes                   # moves made
    Child result                # of the last search that was decided: its move, length, pieces
    u64 salt                    # of keys: another attacker, another set of pieces
    int tca                     # Threshold Controlling Algorithm: above 0, thresholds give way until a leaf is expanded
    bint end_early              # a position where only useless interpositions are left counts as mate
    i64 stop                    # atomic
    int excluded_count          # moves left out at the root
    Move excluded[MAX_EXCLUDED]
    int path_heads[PATH_BUCKETS]

cdef inline u64 mixed(u64 word) noexcept nogil:
    word ^= word >> 32
    word *= 0x9fb21c651e98df25ULL
    return word ^ (word >> 29)

cdef inline u64 position_key(u64 key, Hand hand) noexcept nogil:
    return key ^ mixed(hand + 0x9e3779b97f4a7c15ULL)

cdef inline u64 path_after(u64 path, u64 key, Hand hand) noexcept nogil:
    return mixed(path * 0x9e3779b97f4a7c15ULL ^ position_key(key, hand))

cdef inline bint attacking(int ply) noexcept nogil:
    return ply & 1 == 0

cdef inline bint is_excluded(const Solver* solver, Move move) noexcept nogil:
    cdef int i
    for i in range(solver.excluded_count):
        if solver.excluded[i] == move:
            return True
    return False

cdef inline u64 board_key(const Solver* solver) noexcept nogil:
    return solver.pos.state.board_key ^ solver.salt

cdef void assess(Solver* solver, Child* child, bint attack, int limit) noexcept nogil
"""Set the numbers of a child whose move, key and hand are known, from the table or by looking at the position; what its
path adds is left out. `attack` says who moves, `limit` is the child's. child.repeat becomes 0 if the entry was LOOPED,
else NO_REPEAT."""

cdef bint only_useless_interpositions(Pos* pos) noexcept nogil
"""In check: whether every answer is a drop that the checking piece takes with check, again and again until no answer is
left. True for a mate, too."""

cdef bint expand(Solver* solver) noexcept nogil
"""Make the children of the top node, whose thresholds and hand are set. False when memory is short."""

cdef void sum_up(Solver* solver) noexcept nogil
"""Set the top node's numbers from its children's, its best child, and what limits the child's thresholds."""

cdef void release_next(Solver* solver, Child* child) noexcept nogil
"""`child` has failed: release the one that waited for it."""

cdef bint ends_the_wait(int ply, const Child* child) noexcept nogil
