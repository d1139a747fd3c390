"""Extending PVs by the table's moves (see pv.pxd)."""
from engine.movetext cimport move_of, usi_of
from engine.movegen cimport has_legal
from engine.position cimport Pos, State, do_move, key, reserve
from engine.rules cimport TRY_RULE, can_declare, occurred_thrice, repetition_in_search, try_move
from engine.types cimport Move
from search.tree.bounds cimport table_move_of
from tt.table cimport Entry, probe

from engine.errors import OutOfMemory


cdef bint is_over(const Pos* pos, int ply, bint whole_game, const Rules* rules) noexcept:
    """Whether the search would stop at this position, `ply` plies below its root: by a rule, or for lack of moves."""
    cdef int distance = 0
    return (repetition_in_search(pos, ply, whole_game, &distance) or can_declare(pos, rules.entering_king)
            or (rules.entering_king == TRY_RULE and try_move(pos))
            or (rules.max_moves and pos.ply > rules.max_moves) or not has_legal(pos))


cdef bint repeats(const Pos* pos) noexcept:
    """Whether the same board occurred before, whatever the hands."""
    cdef const State* state = pos.state
    cdef int back
    for back in range(2, state.plies + 1, 2):
        if state.board_key == (state - back).board_key:
            return True
    return False


cdef tuple fill_line(Position root, tuple pv, tuple known, int plies, const Table* table, const Rules* rules):
    cdef Position position = root.copy()
    cdef Pos* pos = &position.pos
    cdef bint whole_game = occurred_thrice(pos)
    cdef list moves = list(pv if known[:len(pv)] != pv else known[:max(plies, len(pv))])
    cdef Entry entry
    cdef Move move
    if reserve(pos, len(moves) + plies) < 0:
        raise OutOfMemory("no memory for a line")
    for usi in moves:
        do_move(pos, move_of(usi))
    while len(moves) < plies and not is_over(pos, len(moves), whole_game, rules):
        if not probe(table, key(pos), &entry):
            break
        move = table_move_of(&entry, pos)
        if not move:
            break
        do_move(pos, move)
        if repeats(pos):
            break
        moves.append(usi_of(move))
    return tuple(moves)
