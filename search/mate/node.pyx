"""Nodes of the mate search (see node.pxd)."""
from engine.attacks cimport tables
from engine.bitboard cimport bit, first, more_than_one, some
from engine.movegen cimport checks, count_legal, has_legal, is_legal, legal
from engine.position cimport CheckInfo, board_key_after, do_move, find_check_info, in_check, undo_move
from engine.types cimport (BISHOP, KNIGHT, LANCE, MOVE_NONE, MOVE_PROMOTE, PAWN, ROOK, dropped_kind, hand_dominates,
                           hand_unit, is_drop, is_promotion, kind_of, make_move, make_promotion, move_from, move_to,
                           prefetch, u128)
from search.mate.proofpieces cimport both_hands, hand_after, monopolised, needed_before, unneeded
from search.mate.table cimport NO_LIMIT, NO_REPEAT, PN_INF, PN_MAX, Known, find_repeat, home, look_up
from libc.stdlib cimport realloc

from search.mate.mate1 cimport mate_in_one


cdef inline int repeated_ply(const Solver* solver, u64 key, Hand hand) noexcept nogil:
    """The last ply of the path with the same board and at least this hand for the attacker; -1 if there is none.

    If the attacker returns with no more in hand, nothing is gained: any mate from here is also a mate from that earlier
    ply.
    """
    cdef int ply = solver.path_heads[key >> 52]
    while ply >= 0:
        if solver.frames[ply].key == key and hand_dominates(solver.frames[ply].hand, hand):
            return ply
        ply = solver.frames[ply].path_next
    return -1


# -- Leaves ------------------------------------------------------------------------------------------------------------

cdef inline void prove(Child* child, Hand pieces, int length) noexcept nogil:
    child.pn = 0
    child.dn = PN_INF
    child.pieces = pieces
    child.length = length


cdef inline void disprove(Child* child, Hand pieces, int limit) noexcept nogil:
    child.pn = PN_INF
    child.dn = 0
    child.pieces = pieces
    child.length = limit


cdef bint mates_by_retaking(Pos* pos, Move move) noexcept nogil:
    """Whether capturing the dropped piece by this move is legal and again leaves only useless interpositions."""
    cdef bint useless
    if not is_legal(pos, move):
        return False
    do_move(pos, move)
    useless = in_check(pos) and only_useless_interpositions(pos)
    undo_move(pos)
    return useless


cdef bint only_useless_interpositions(Pos* pos) noexcept nogil:
    cdef Move[MAX_MOVES] answers
    cdef u128 looked_at = 0
    cdef int count, i, checker, target
    cdef bint useless = True
    if more_than_one(pos.state.checkers):
        return not has_legal(pos)
    checker = first(pos.state.checkers)
    count = legal(pos, answers)
    for i in range(count):
        if not is_drop(answers[i]):
            return False
    i = 0
    while useless and i < count:
        target = move_to(answers[i])
        # The capture removes the dropped piece, whatever its kind, so one drop on each square is enough.
        if not some(looked_at & bit(target)):
            looked_at |= bit(target)
            do_move(pos, answers[i])
            # Try without promotion too: a promoted lance gives check only from next to the king.
            useless = (mates_by_retaking(pos, make_promotion(checker, target))
                       or mates_by_retaking(pos, make_move(checker, target)))
            undo_move(pos)
        i += 1
    return useless


cdef Hand most_disproof_pieces(const Pos* pos) noexcept nogil:
    """Disproof pieces of a position in check that is no mate: the largest hand that leaves the defender an answer."""
    cdef Move[MAX_MOVES] answers
    cdef int count = legal(pos, answers)
    cdef int i
    for i in range(count):
        if not is_drop(answers[i]):
            return both_hands(pos)
    return both_hands(pos) - hand_unit(dropped_kind(answers[0]))


cdef inline int count_answers(const Pos* pos) noexcept nogil:
    """The number of legal answers to a check. All interposing drops count as one, because most of them are
    equivalent."""
    cdef Move[MAX_MOVES] moves
    cdef u128 checkers = pos.state.checkers
    cdef int count, i
    cdef int others = 0
    if (not pos.hand[pos.turn] or more_than_one(checkers)
            or not some(tables.between[pos.king[pos.turn]][first(checkers)])):
        return count_legal(pos)
    count = legal(pos, moves)
    for i in range(count):
        if not is_drop(moves[i]):
            others += 1
    return others + (others < count)


cdef inline void assess_answers(Solver* solver, Child* child, int limit) noexcept nogil:
    """Set the numbers of a leaf with the defender to move: mate, or the number of answers."""
    cdef Pos* pos = &solver.pos
    cdef int answers = count_answers(pos)
    if answers == 0 or (solver.end_early and answers == 1 and only_useless_interpositions(pos)):
        prove(child, monopolised(pos), 0)
    elif limit == 0:
        # With another hand, an interposition may turn out to be useless.
        disprove(child, pos.hand[solver.attacker] if solver.end_early else most_disproof_pieces(pos), 0)
    else:
        child.pn = max(child.pn, <u32>answers)


cdef inline void assess_checks(Solver* solver, Child* child, int limit) noexcept nogil:
    """Set the numbers of a leaf with the attacker to move: mate in one, or the number of checks."""
    cdef Pos* pos = &solver.pos
    cdef Move[MAX_MOVES] moves
    cdef CheckInfo check_info
    cdef Move move = MOVE_NONE
    cdef Hand pieces
    cdef int count
    if not in_check(pos):
        move = mate_in_one(pos)
        if move:
            do_move(pos, move)
            pieces = monopolised(pos)
            undo_move(pos)
            prove(child, needed_before(pos, move, pieces), 1)
            return
        if limit == 1 and not solver.end_early:
            disprove(child, child.hand, 1)
            return
    find_check_info(pos, &check_info)
    count = checks(pos, &check_info, moves)
    if count == 0:
        disprove(child, unneeded(pos), NO_LIMIT)
    else:
        child.dn = max(child.dn, <u32>count)


cdef void assess(Solver* solver, Child* child, bint attack, int limit) noexcept nogil:
    cdef Known known
    look_up(&solver.table, child.key, child.hand, limit, &known)
    child.pn = known.pn
    child.dn = known.dn
    child.amount = known.amount
    child.min_ply = known.min_ply
    child.fresh = not known.exact
    child.repeat = 0 if known.looped else NO_REPEAT
    if known.pn == 0 or known.dn == 0:
        child.pieces = known.hand
        child.length = known.length
    elif child.fresh:
        do_move(&solver.pos, child.move)
        solver.nodes += 1
        if attack:
            assess_answers(solver, child, limit)
        else:
            assess_checks(solver, child, limit)
        undo_move(&solver.pos)


cdef void evaluate(Solver* solver, Child* child) noexcept nogil:
    """Set the numbers of a child of the top node. A repetition on this path counts as a disproof."""
    cdef Frame* frame = solver.frames + solver.ply
    cdef Pos* pos = &solver.pos
    cdef int limit = frame.limit - 1 if frame.limit != NO_LIMIT else NO_LIMIT
    cdef int repeated = repeated_ply(solver, child.key, child.hand)
    child.held = False
    if repeated >= 0:
        disprove(child, hand_after(pos, child.move) + pos.hand[pos.turn ^ 1], NO_LIMIT)
        child.repeat = repeated
        child.amount = 0
        return
    assess(solver, child, attacking(solver.ply), limit)
    if child.repeat != NO_REPEAT:       # disproven by a repetition on some path: check whether it holds on this one
        child.repeat = find_repeat(&solver.table, path_after(frame.path, child.key, child.hand))
        if child.repeat != NO_REPEAT:
            disprove(child, child.hand, limit)
            return
    if not child.fresh and child.pn and child.dn and child.min_ply <= solver.ply:
        frame.old_child = True


# -- Children ----------------------------------------------------------------------------------------------------------

cdef inline bint declines_promotion(const Pos* pos, Move move) noexcept nogil:
    """Whether a move could promote but does not, where the promotion is nearly always better: a pawn, bishop or rook,
    or a lance to its second-last rank."""
    cdef int us = pos.turn
    cdef int kind
    if is_drop(move) or is_promotion(move):
        return False
    if not some(tables.zone[us] & (bit(move_from(move)) | bit(move_to(move)))):
        return False
    kind = kind_of(pos.board[move_from(move)])
    return (kind == PAWN or kind == BISHOP or kind == ROOK
            or (kind == LANCE and not some(tables.droppable[us][KNIGHT] & bit(move_to(move)))))


cdef inline void hold_back(Frame* frame, Child* children, int waiting, const Pos* pos) noexcept nogil:
    """Let a child wait for the last earlier child that is most like it, if there is one."""
    cdef Child* child = children + waiting
    cdef int i
    if not is_drop(child.move) and not declines_promotion(pos, child.move):
        return
    for i in range(waiting - 1, -1, -1):
        if is_drop(child.move):
            if not is_drop(children[i].move) or move_to(children[i].move) != move_to(child.move):
                continue
        elif children[i].move != child.move | MOVE_PROMOTE:
            continue
        children[i].next = waiting
        child.behind = True
        return


cdef bint expand(Solver* solver) noexcept nogil:
    cdef Frame* frame = solver.frames + solver.ply
    cdef Pos* pos = &solver.pos
    cdef bint attack = attacking(solver.ply)
    cdef Move[MAX_MOVES] moves
    cdef CheckInfo check_info
    cdef Child* children
    cdef Child* child
    cdef int count, capacity, i
    if frame.first + MAX_MOVES > solver.child_capacity:
        capacity = (frame.first + MAX_MOVES) * 2
        children = <Child*>realloc(solver.children, capacity * sizeof(Child))
        if children == NULL:
            return False
        solver.children = children
        solver.child_capacity = capacity
    children = solver.children + frame.first
    if attack:
        find_check_info(pos, &check_info)
        count = checks(pos, &check_info, moves)
    else:
        count = legal(pos, moves)
    frame.count = 0
    frame.old_child = False
    for i in range(count):
        if solver.ply == 0 and is_excluded(solver, moves[i]):
            continue
        child = children + frame.count
        child.move = moves[i]
        child.key = board_key_after(pos, moves[i]) ^ solver.salt
        child.hand = hand_after(pos, moves[i]) if attack else frame.hand
        child.next = -1
        child.held = True
        child.behind = False
        child.merges = not attack and is_drop(moves[i])
        prefetch(home(&solver.table, child.key))
        if not attack or not is_drop(moves[i]):
            hold_back(frame, children, frame.count, pos)
        frame.count += 1
    for i in range(frame.count):
        child = children + i
        if child.behind or not child.held:
            continue
        evaluate(solver, child)
        while has_failed(solver.ply, child) and child.next >= 0:
            child = children + child.next
            evaluate(solver, child)
        if child.pn == 0 if attack else child.dn == 0:
            break
    return True


cdef bint has_failed(int ply, const Child* child) noexcept nogil:
    return child.dn == 0 if attacking(ply) else child.pn == 0


cdef void release_next(Solver* solver, Child* child) noexcept nogil:
    cdef Child* children = solver.children + solver.frames[solver.ply].first
    while has_failed(solver.ply, child) and child.next >= 0:
        child = children + child.next
        if not child.held:      # already released
            return
        evaluate(solver, child)


# -- Numbers -----------------------------------------------------------------------------------------------------------

cdef void sum_up(Solver* solver) noexcept nogil:
    # The node's `easy` number is the least `easy` number of its children, its `hard` number the sum of theirs. `easy`
    # and `hard` are pn and dn if the attacker is to move, dn and pn if the defender is.
    cdef Frame* frame = solver.frames + solver.ply
    cdef const Child* children = solver.children + frame.first
    cdef const Child* child
    cdef bint attack = attacking(solver.ply)
    cdef u32 least = PN_INF
    cdef u32 second = PN_INF
    cdef u64 total = 0
    cdef u32 largest = 0
    cdef u32 easy, hard
    cdef u32 hard_of_best = 0
    cdef int i
    frame.best = -1
    for i in range(frame.count):
        child = children + i
        if child.held:
            continue
        easy = child.pn if attack else child.dn
        hard = child.dn if attack else child.pn
        if easy == 0:
            least = 0
            frame.best = i
            break
        if hard == 0:
            continue
        if easy < least or (easy == least and hard < hard_of_best):
            second = least
            least = easy
            frame.best = i
            hard_of_best = hard
        elif easy < second:
            second = easy
        if child.merges:
            largest = max(largest, hard)
        else:
            total += hard
    frame.second = second
    if least == 0:
        hard = PN_INF
    else:
        hard = <u32>min(total + largest, <u64>PN_MAX)
    if frame.best >= 0:
        child = children + frame.best
        frame.rest = <u32>min(total if child.merges else total - min(total, <u64>hard_of_best) + largest, <u64>PN_MAX)
    if attack:
        frame.pn = least
        frame.dn = hard
    else:
        frame.dn = least
        frame.pn = hard
