"""A move chosen without a search, by the static evaluation after it and the opponent's best exchange."""
from engine.board cimport Position
from engine.movegen cimport captures, has_legal, legal
from engine.movetext cimport usi_of
from engine.position cimport Pos, in_check
from engine.types cimport MATE, MAX_MOVES, Move
from eval.evaluator cimport Evaluator
from search.mate.mate1 cimport mate_in_one
from search.tree.see cimport see_reaches

cdef enum:
    FINEST = 25         # precision of the gain of an exchange, centipawns
    MOST = 4096         # more than any exchange gains


cdef int best_exchange(const Pos* pos) noexcept nogil:
    """The gain of the side to move by its best capture, in centipawns; 0 if no capture gains."""
    cdef Move[MAX_MOVES] moves
    cdef int count = captures(pos, moves)
    cdef int least = 0
    cdef int most, middle, i
    for i in range(count):
        if not see_reaches(pos, moves[i], least + FINEST):
            continue
        most = MOST
        while most - least > FINEST:
            middle = (least + most) // 2
            if see_reaches(pos, moves[i], middle):
                least = middle
            else:
                most = middle
    return least


cdef int value_after(const Pos* pos, int evaluation) noexcept nogil:
    """The value of the position after a move, for the side that made it; `evaluation` is for the side to move."""
    if not has_legal(pos):
        return MATE
    if in_check(pos):
        return -evaluation
    if mate_in_one(pos):
        return -MATE
    return -evaluation - best_exchange(pos)


def best_by_static_order(Position position not None, Evaluator evaluator not None, wanted=()):
    """The move, in USI, with the best evaluation after the opponent's best exchange; None if there is no move. Mating
    moves come first, moves that allow a mate in one last. `wanted`: choose among these legal moves, if there are
    any."""
    cdef Position after = position.copy()
    cdef int best = -MATE - 1
    cdef int value
    cdef Move[MAX_MOVES] moves
    cdef int count = legal(&position.pos, moves)
    chosen = None
    for move in wanted or [usi_of(moves[i]) for i in range(count)]:
        after.push(move)
        value = value_after(&after.pos, evaluator.evaluate(after))
        after.pop()
        if value > best:
            best = value
            chosen = move
    return chosen
