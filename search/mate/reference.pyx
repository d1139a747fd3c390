"""The plainest mate search there is: every check and every answer, to a fixed number of plies. What `MateSolver` finds
is proven against it."""
from engine.board cimport Position
from engine.movegen cimport has_legal, legal
from engine.position cimport Pos, do_move, gives_check, reserve, undo_move
from engine.types cimport MAX_MOVES, Move


cdef bint mates_within(Pos* pos, int plies) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef int count = legal(pos, moves)
    cdef bint mates
    cdef int i
    for i in range(count):
        if gives_check(pos, moves[i]):
            do_move(pos, moves[i])
            mates = mated_within(pos, plies - 1)
            undo_move(pos)
            if mates:
                return True
    return False


cdef bint mated_within(Pos* pos, int plies) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef bint mated = True
    cdef int count, i
    if plies == 0:
        return not has_legal(pos)
    count = legal(pos, moves)
    for i in range(count):
        do_move(pos, moves[i])
        mated = mates_within(pos, plies - 1)
        undo_move(pos)
        if not mated:
            break
    return mated


def shortest_mate(Position position not None, int plies):
    """The length of the shortest mate by checks within an odd number of plies; 0 if there is none."""
    cdef int length
    if reserve(&position.pos, plies + 1) < 0:
        raise MemoryError("no memory for the plies of a mate")
    for length in range(1, plies + 1, 2):
        if mates_within(&position.pos, length):
            return length
    return 0
