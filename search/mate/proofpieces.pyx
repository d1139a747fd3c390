"""Proof and disproof pieces of leaves (see proofpieces.pxd)."""
from engine.bitboard cimport all_squares, first, more_than_one, some
from engine.attacks cimport attacks_of, tables
from engine.position cimport occupied
from engine.types cimport KING, PAWN, hand_count, u128


cdef Hand monopolised(const Pos* pos) noexcept nogil:
    cdef int us = pos.turn
    cdef u128 checkers = pos.state.checkers
    cdef u128 between
    cdef Hand found = 0
    cdef int kind
    if not pos.hand[us ^ 1] or more_than_one(checkers):
        return 0
    between = tables.between[pos.king[us]][first(checkers)]
    if not some(between):
        return 0
    for kind in range(PAWN, KING):
        if hand_has(pos.hand[us ^ 1], kind) and not hand_has(pos.hand[us], kind):
            if some(between & tables.droppable[us][kind]):
                found += hand_count(pos.hand[us ^ 1], kind) * hand_unit(kind)
    return found


cdef Hand unneeded(const Pos* pos) noexcept nogil:
    cdef int us = pos.turn
    cdef Hand hand = pos.hand[us]
    cdef Hand found = both_hands(pos)
    cdef u128 empty = all_squares() & ~occupied(pos)
    cdef u128 squares
    cdef int kind
    for kind in range(PAWN, KING):
        if not hand_has(hand, kind) and hand_has(found, kind):
            # Our piece attacks the king from exactly those squares that the same piece of theirs would attack from the
            # king's square.
            squares = attacks_of(us ^ 1, kind, pos.king[us ^ 1], occupied(pos)) & empty & tables.droppable[us][kind]
            if some(squares):
                found -= hand_count(found, kind) * hand_unit(kind)
    return found
