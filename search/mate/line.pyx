"""Reading lines from the mate table (see line.pxd)."""
from engine.position cimport CheckInfo, Pos, board_key_after, find_check_info
from engine.movegen cimport checks, legal
from engine.types cimport MAX_MOVES, MOVE_NONE, MOVE_PROMOTE
from search.mate.proofpieces cimport hand_after, join, monopolised, needed_before
from search.mate.node cimport Child, assess, board_key, is_excluded, only_useless_interpositions
from search.mate.table cimport store_decided


cdef enum:
    STEP_AMOUNT = 1 << 10       # nodes it would take to find a step's entry again


cdef inline void set_up_child(Child* child, const Solver* solver, Move move, bint attack) noexcept nogil:
    cdef const Pos* pos = &solver.pos
    child.move = move
    child.key = board_key_after(pos, move) ^ solver.salt
    child.hand = hand_after(pos, move) if attack else pos.hand[solver.attacker]


cdef int known_length(Solver* solver, Move move, bint attack, int limit, Hand* pieces) noexcept nogil:
    # The table may hold several proofs of a position, and the first one found need not be the shortest.
    cdef Child child
    cdef int length = UNKNOWN_LENGTH
    while limit >= 0:
        set_up_child(&child, solver, move, attack)
        assess(solver, &child, attack, limit)
        if child.pn or child.length > limit:    # a leaf's mate in one is found whatever the limit
            break
        length = child.length
        pieces[0] = child.pieces
        limit = length - 1
    return length


cdef bint holds_out(Solver* solver, Move move, int plies) noexcept nogil:
    cdef Child child
    set_up_child(&child, solver, move, False)
    assess(solver, &child, False, plies)
    return child.dn == 0


cdef Step shortest_attack(Solver* solver, int bound) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef CheckInfo check_info
    cdef Step step
    cdef Hand pieces = 0
    cdef int count, i, length
    step.move = MOVE_NONE
    step.length = bound
    step.pieces = 0
    find_check_info(&solver.pos, &check_info)
    count = checks(&solver.pos, &check_info, moves)
    for i in range(count):
        if is_excluded(solver, moves[i]):
            continue
        # A promotion replaces the same move without promotion if it is as short.
        length = known_length(solver, moves[i], True,
                              step.length if moves[i] == step.move | MOVE_PROMOTE else step.length - 1, &pieces)
        if length != UNKNOWN_LENGTH:
            step.move = moves[i]
            step.length = length
            step.pieces = needed_before(&solver.pos, moves[i], pieces)
    return step


cdef Step longest_defence(Solver* solver, int bound) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef Step step
    cdef Hand pieces = 0
    cdef int count, i, length
    step.move = MOVE_NONE
    step.length = UNKNOWN_LENGTH
    step.pieces = monopolised(&solver.pos)
    if solver.end_early and only_useless_interpositions(&solver.pos):
        return step
    count = legal(&solver.pos, moves)
    for i in range(count):
        length = known_length(solver, moves[i], False, bound - 1, &pieces)
        if length == UNKNOWN_LENGTH or length > step.length:
            step.move = moves[i]
            step.length = length
        if length == UNKNOWN_LENGTH:
            break
        step.pieces = join(step.pieces, pieces)
    return step


cdef void store_step(Solver* solver, const Step* step) noexcept nogil:
    store_decided(&solver.table, board_key(solver), True, step.pieces, step.length + 1, step.move, 0, STEP_AMOUNT)
