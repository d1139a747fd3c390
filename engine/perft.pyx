"""Perft (see perft.pxd)."""
from engine.movegen cimport count_legal, legal
from engine.position cimport do_move, undo_move
from engine.types cimport DEBUG, MAX_MOVES, Move
from engine.validate cimport check_position


cdef u64 perft(Pos* pos, int depth) noexcept nogil:
    cdef Move moves[MAX_MOVES]
    cdef int i, n
    cdef u64 nodes = 0
    if DEBUG:
        check_position(pos)
    if depth == 0:
        return 1
    if depth == 1:
        return count_legal(pos)
    n = legal(pos, moves)
    for i in range(n):
        do_move(pos, moves[i])
        nodes += perft(pos, depth - 1)
        undo_move(pos)
    return nodes


cdef u64 perft_by_playing(Pos* pos, int depth) noexcept nogil:
    cdef Move moves[MAX_MOVES]
    cdef int i, n
    cdef u64 nodes = 0
    if depth == 0:
        return 1
    n = legal(pos, moves)
    for i in range(n):
        do_move(pos, moves[i])
        if DEBUG:
            check_position(pos)
        nodes += perft_by_playing(pos, depth - 1) if depth > 1 else 1
        undo_move(pos)
    return nodes
