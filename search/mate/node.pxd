"""The nodes of the mate search: children, estimates of leaves, and a node's numbers, computed from its children's.

Even plies are OR nodes: the attacker is to move and gives check. Odd plies are AND nodes: the defender answers. A child
may be held back until the move most like it has failed: a drop waits for another drop on the same square, a move
without promotion waits for the same move with promotion. So hopeless alternatives do not inflate the numbers, and every
move is still tried in the end.
"""
from engine.types cimport MAX_MOVES, Hand, Move, i16, i32, i64, u16, u32, u64
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
    i32 repeat                  # shallowest ply of a position that its disproof repeats; NO_REPEAT: none
    Move move
    u16 length                  # as in Entry
    u16 min_ply                 # as in Entry
    i16 next                    # the child that waits for this one, counted from the frame's first; -1 for none
    bint held                   # not evaluated yet
    bint behind                 # waits for another child to fail
    bint merges                 # transposes with siblings: only their maximum counts
    bint fresh                  # never expanded

cdef struct Frame:              # a node on the path
    u64 key
    u64 path                    # key of the positions from the root to this one, in order
    Hand hand                   # the attacker's
    int limit                   # plies within which to mate
    int first                   # of its children
    int count
    int best                    # the child that the search goes on with, counted from `first`
    u32 pn
    u32 dn
    u32 pn_threshold
    u32 dn_threshold
    u32 second                  # the second-best child's number, and …
    u32 rest                    # … the sum without the best child: see `sum_up`
    u32 amount
    u32 nodes_before            # low word of the solver's node count on arrival
    int path_next               # the next ply in its bucket; -1 for none
    int tca_before              # see Solver.tca
    bint old_child              # a child was met nearer to the root before: there may be a cycle

cdef struct Solver:
    Pos pos
    MateTable table
    Frame* frames
    int frame_capacity
    Child* children
    int child_capacity
    int ply                     # of the top node, the last one on the path
    bint unexpanded             # the top node has no children yet
    int attacker
    u64 nodes                   # moves made
    Child result                # move, length and pieces of the last search that was decided
    u64 salt                    # XORed into keys, so that entries of other attackers or piece sets do not match
    int tca                     # threshold controlling algorithm: above 0, thresholds are ignored until a leaf expands
    bint end_early              # a position with only useless interpositions left counts as mate
    i64 stop                    # atomic
    int excluded_count          # moves left out at the root
    Move excluded[MAX_EXCLUDED]
    int path_heads[PATH_BUCKETS]

cdef inline u64 scatter(u64 word) noexcept nogil:
    """A hash of one word, cheaper than `splitmix` of zobrist.pxd."""
    word ^= word >> 32
    word *= 0x9fb21c651e98df25ULL
    return word ^ (word >> 29)

cdef inline u64 position_key(u64 key, Hand hand) noexcept nogil:
    return key ^ scatter(hand + 0x9e3779b97f4a7c15ULL)

cdef inline u64 path_after(u64 path, u64 key, Hand hand) noexcept nogil:
    return scatter(path * 0x9e3779b97f4a7c15ULL ^ position_key(key, hand))

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
"""Set the numbers of a child, whose move, key and hand are set, from the table or from the position, without regard to
the path. `attack`: the attacker makes the move; `limit`: plies within which to mate after it. child.repeat becomes 0 if
the entry is LOOPED, else NO_REPEAT."""

cdef bint only_useless_interpositions(Pos* pos) noexcept nogil
"""Whether, in check, every answer is a useless interposition (mudaai): the checking piece captures the drop with check,
and so on until no answer is left. True for a mate, too."""

cdef bint expand(Solver* solver) noexcept nogil
"""Make the children of the top node, whose thresholds and hand are set. False if there is no memory."""

cdef void sum_up(Solver* solver) noexcept nogil
"""Set the top node's numbers from its children's, its best child, and the two numbers that limit that child's
thresholds (`second`, `rest`)."""

cdef void release_next(Solver* solver, Child* child) noexcept nogil
"""Evaluate the child that waited for `child`, which has failed."""

cdef bint has_failed(int ply, const Child* child) noexcept nogil
"""Whether a child has failed for the side that made its move, so that the child waiting for it is tried."""
