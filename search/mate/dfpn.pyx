"""The df-pn search (see dfpn.pxd)."""
from engine.atomic cimport relaxed_load
from engine.position cimport copy, do_move, release, reserve, undo_move
from engine.types cimport MOVE_NONE, Hand, u32
from search.mate.table cimport (NO_LIMIT, NO_REPEAT, PN_INF, free_table, make_room, room, store_decided,
                                store_numbers, store_repeat)
from search.mate.proofpieces cimport both_hands, join, meet, monopolised, needed_before, unneeded
from search.mate.node cimport (PATH_BUCKETS, Child, Frame, attacking, board_key, expand, path_after, release_next,
                               scatter, sum_up)
from libc.stdlib cimport free, realloc
from libc.string cimport memset


cdef enum:
    FIRST_FRAMES = 256
    MAX_FRAMES = 60000          # a ply fits 16 bits
    SPARE_STATES = 64           # of the position, because a leaf looks a few plies ahead
    POLL_INTERVAL = 64          # steps between two checks of the stop flag
    EPSILON_SHIFT = 2           # epsilon is 1/4


# -- Memory ------------------------------------------------------------------------------------------------------------

cdef void close_solver(Solver* solver) noexcept nogil:
    release(&solver.pos)
    free(solver.frames)
    free(solver.children)
    free_table(&solver.table)
    memset(solver, 0, sizeof(Solver))


cdef int set_root(Solver* solver, const Pos* pos) noexcept nogil:
    release(&solver.pos)
    if copy(&solver.pos, pos, SPARE_STATES) < 0:
        return -1
    solver.attacker = pos.turn
    # Entries for the other attacker or another set of pieces do not apply to this problem.
    solver.salt = scatter(both_hands(pos) * 2 + pos.turn + 1)
    return 0


cdef bint grow_path(Solver* solver) noexcept nogil:
    """Make room for one more frame and one more ply of the position. False if there is no memory."""
    cdef int capacity
    cdef Frame* frames
    if solver.ply + 1 >= solver.frame_capacity:
        capacity = max(solver.frame_capacity * 2, <int>FIRST_FRAMES)
        if solver.ply + 1 >= MAX_FRAMES:
            return False
        frames = <Frame*>realloc(solver.frames, capacity * sizeof(Frame))
        if frames == NULL:
            return False
        solver.frames = frames
        solver.frame_capacity = capacity
    return reserve(&solver.pos, SPARE_STATES) == 0


# -- Up and down the path ----------------------------------------------------------------------------------------------

cdef inline void push_frame(Solver* solver, u64 key, Hand hand, u64 path, int limit, int first,
                            u32 amount) noexcept nogil:
    cdef Frame* frame = solver.frames + solver.ply
    cdef int* bucket = solver.path_heads + (key >> 52)
    frame.key = key
    frame.hand = hand
    frame.path = path
    frame.limit = limit
    frame.first = first
    frame.amount = amount
    frame.nodes_before = <u32>solver.nodes
    frame.path_next = bucket[0]
    frame.tca_before = solver.tca
    bucket[0] = solver.ply
    solver.unexpanded = True


cdef bint begin_run(Solver* solver, int limit) noexcept nogil:
    cdef Frame* frame
    cdef Hand hand = solver.pos.hand[solver.attacker]
    cdef int i
    cdef u64 key = board_key(solver)
    for i in range(PATH_BUCKETS):
        solver.path_heads[i] = -1
    solver.ply = 0
    solver.tca = 0
    if solver.frames == NULL:
        solver.ply = -1
        if not grow_path(solver):
            return False
        solver.ply = 0
    # The limit goes into the path's key, so that repetitions stored by other searches are not found.
    push_frame(solver, key, hand, path_after(limit + 1, key, hand), limit, 0, 1)
    frame = solver.frames
    frame.pn_threshold = frame.dn_threshold = PN_INF
    return True


cdef void descend(Solver* solver) noexcept nogil:
    """Go to the best child. The child's thresholds are where another child becomes better, or where this node reaches
    its own thresholds."""
    cdef Frame* frame = solver.frames + solver.ply
    cdef Frame* below = frame + 1
    cdef Child* child = solver.children + frame.first + frame.best
    cdef u32 easy_limit, hard_limit
    cdef u32 rivals = <u32>min(<u64>frame.second + (frame.second >> EPSILON_SHIFT) + 1, <u64>PN_INF)
    cdef int limit = frame.limit - 1 if frame.limit != NO_LIMIT else NO_LIMIT
    cdef bint attack = attacking(solver.ply)
    if child.fresh and solver.tca > 0:
        solver.tca -= 1
    child.fresh = False
    easy_limit = min(frame.pn_threshold if attack else frame.dn_threshold, rivals)
    hard_limit = frame.dn_threshold if attack else frame.pn_threshold
    if hard_limit < PN_INF:
        hard_limit -= min(frame.rest, hard_limit)
    do_move(&solver.pos, child.move)
    solver.nodes += 1
    solver.ply += 1
    push_frame(solver, child.key, child.hand, path_after(frame.path, child.key, child.hand), limit,
               frame.first + frame.count, child.amount)
    below.pn_threshold = easy_limit if attack else hard_limit
    below.dn_threshold = hard_limit if attack else easy_limit


# -- Results -----------------------------------------------------------------------------------------------------------

cdef void conclude(Solver* solver, Child* result) noexcept nogil:
    """Set a decided node's pieces, length, move, and the repetition that it rests on."""
    cdef Frame* frame = solver.frames + solver.ply
    cdef const Child* children = solver.children + frame.first
    cdef const Child* child
    cdef const Pos* pos = &solver.pos
    cdef bint attack = attacking(solver.ply)
    cdef int i
    result.repeat = NO_REPEAT
    result.move = MOVE_NONE
    if (frame.pn == 0) == attack:           # one child decides
        child = children + frame.best
        result.move = child.move
        result.repeat = child.repeat
        result.length = min(child.length + 1, <int>NO_LIMIT)
        if attack:
            result.pieces = needed_before(pos, child.move, child.pieces)
        else:
            result.pieces = meet(child.pieces, both_hands(pos))
        return
    if attack:
        result.pieces = unneeded(pos)
        result.length = NO_LIMIT
    else:
        result.pieces = monopolised(pos)
        result.length = 0
    for i in range(frame.count):
        child = children + i
        if attack:
            result.pieces = meet(result.pieces, needed_before(pos, child.move, child.pieces))
            result.length = min(<int>result.length, child.length + 1)
            result.repeat = min(result.repeat, child.repeat)
        else:
            result.pieces = join(result.pieces, child.pieces)
            result.length = max(<int>result.length, child.length + 1)
    if attack and solver.ply == 0 and solver.excluded_count:
        result.pieces = frame.hand


cdef void store_result(Solver* solver, Child* result) noexcept nogil:
    """Store the top node's result in the table, and set `result` for its parent."""
    cdef Frame* frame = solver.frames + solver.ply
    cdef u64 amount = <u64>frame.amount + (<u32>solver.nodes - frame.nodes_before) + 1
    cdef int ply = solver.ply
    result.amount = <u32>min(amount, <u64>0xffffffff)
    result.pn = frame.pn
    result.dn = frame.dn
    result.repeat = NO_REPEAT
    if frame.pn and frame.dn:
        if ply or not solver.excluded_count:
            store_numbers(&solver.table, frame.key, frame.hand, frame.limit, frame.pn, frame.dn, ply, result.amount,
                          False)
        return
    conclude(solver, result)
    if ply == 0 and solver.excluded_count:
        return
    if frame.pn == 0 or result.repeat >= ply:       # what repeats only positions at or below it holds on every path
        result.repeat = NO_REPEAT
        store_decided(&solver.table, frame.key, frame.pn == 0, result.pieces, result.length, result.move, ply,
                      result.amount)
    else:
        store_repeat(&solver.table, frame.path, result.repeat)
        store_numbers(&solver.table, frame.key, frame.hand, frame.limit, 1, 1, ply, result.amount, True)


cdef void climb(Solver* solver) noexcept nogil:
    """Go back to the parent, with the top node's result."""
    cdef Child result
    cdef Frame* frame = solver.frames + solver.ply
    cdef Child* child
    store_result(solver, &result)
    solver.path_heads[frame.key >> 52] = frame.path_next
    solver.tca = min(solver.tca, frame.tca_before)
    undo_move(&solver.pos)
    solver.ply -= 1
    frame -= 1
    child = solver.children + frame.first + frame.best
    child.pn = result.pn
    child.dn = result.dn
    child.amount = result.amount
    child.repeat = result.repeat
    if result.pn == 0 or result.dn == 0:
        child.pieces = result.pieces
        child.length = result.length
        release_next(solver, child)


cdef void rewind(Solver* solver) noexcept nogil:
    while solver.ply > 0:
        undo_move(&solver.pos)
        solver.ply -= 1


# -- The search --------------------------------------------------------------------------------------------------------

cdef inline bint is_done(Solver* solver) noexcept nogil:
    """Whether the top node is decided or has reached a threshold. Thresholds are ignored while `tca` is above 0: in a
    cycle the search could otherwise go round without expanding a leaf."""
    cdef const Frame* frame = solver.frames + solver.ply
    if frame.pn == 0 or frame.dn == 0:
        return True
    if solver.tca > 0:
        return False
    return frame.pn >= frame.pn_threshold or frame.dn >= frame.dn_threshold


cdef Outcome run(Solver* solver, u64 nodes) noexcept nogil:
    cdef Frame* frame
    cdef int next_poll = 0
    while True:
        next_poll -= 1
        if next_poll < 0:
            next_poll = POLL_INTERVAL
            if relaxed_load(&solver.stop):
                return STOPPED
        if solver.nodes >= nodes:
            return SEARCHING
        if solver.unexpanded:
            if not grow_path(solver):
                return NO_MEMORY
            if not room(&solver.table) and not make_room(&solver.table, &solver.stop):
                return STOPPED
            if not expand(solver):
                return NO_MEMORY
            solver.unexpanded = False
            if solver.frames[solver.ply].old_child:
                solver.tca += 1
        sum_up(solver)
        if not is_done(solver):
            descend(solver)
            continue
        frame = solver.frames + solver.ply
        if solver.ply == 0:
            store_result(solver, &solver.result)
            return PROVEN if frame.pn == 0 else DISPROVEN
        climb(solver)
