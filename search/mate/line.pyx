from engine.position cimport CheckInfo, Pos, board_key_after, find_check_info
from engine.movegen cimport checks, legal
from search.mate.proofpieces cimport hand_after
from search.mate.node cimport Child, assess, is_excluded, only_useless_interpositions
cdef inline void be_child(Child* child, const Solver* solver, Move move, bint attack) noexcept nogil:
    cdef const Pos* pos = &solver.pos
    child.move = move
    child.key = board_key_after(pos, move) ^ solver.salt
    child.hand = hand_after(pos, move) if attack else pos.hand[solver.attacker]


cdef int known_length(Solver* solver, Move move, bint attack, int limit) noexcept nogil:
    cdef Child child
    be_child(&child, solver, move, attack)
    assess(solver, &child, attack, limit)
    if child.pn:
        return UNKNOWN_LENGTH
    return child.length


cdef bint holds_out(Solver* solver, Move move, int plies) noexcept nogil:
    cdef Child child
    be_child(&child, solver, move, False)
    assess(solver, &child, False, plies)
    return child.dn == 0


cdef Step shortest_attack(Solver* solver, int bound) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef CheckInfo check_info
    cdef Step step
    cdef int count, i, length
    step.move = MOVE_NONE
    step.length = bound
    find_check_info(&solver.pos, &check_info)
    count = checks(&solver.pos, &check_info, moves)
    for i in range(count):
        if is_excluded(solver, moves[i]):
            continue
        length = known_length(solver, moves[i], True, step.length - 1)
        if length != UNKNOWN_LENGTH:
            step.move = moves[i]
            step.length = length
    return step


cdef Step longest_defence(Solver* solver, int bound) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef Step step
    cdef int count, i, length
    step.move = MOVE_NONE
    step.length = UNKNOWN_LENGTH
    if solver.end_early and only_useless_interpositions(&solver.pos):
        return step
    count = legal(&solver.pos, moves)
    for i in range(count):
        length = known_length(solver, moves[i], False, bound - 1)
        if length == UNKNOWN_LENGTH or length > step.length:
            step.move = moves[i]
            step.length = length
        if length == UNKNOWN_LENGTH:
            break
    return step
