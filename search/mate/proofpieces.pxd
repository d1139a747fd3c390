"""Proof and disproof pieces: how much of the attacker's hand a result needs, and how much more it would bear.

A proof with some hand holds with any larger one, for the attacker may play the same and the defender, who has what is
left of the set, has no more to drop. A disproof holds with any smaller one.
"""
from engine.types cimport (BLACK, KING, PAWN, WHITE, Hand, Move, dropped_kind, hand_count, hand_has, hand_unit, is_drop,
                           kind_of, move_to, u128, unpromoted)
from engine.position cimport Pos

cdef enum:
    PAWN_GUARD = 0x20           # the free bit above each count, see types.pxd
    OTHER_GUARDS = 0x88888800

cdef inline Hand larger_counts(Hand hand, Hand other) noexcept nogil:
    """All ones over the counts of which `hand` has at least as many as `other`."""
    cdef Hand guards = (hand | <Hand>(OTHER_GUARDS | PAWN_GUARD)) - other
    cdef Hand others = guards & <Hand>OTHER_GUARDS
    cdef Hand pawn = guards & <Hand>PAWN_GUARD
    return (others - (others >> 3)) | (pawn - (pawn >> 5))

cdef inline Hand join(Hand hand, Hand other) noexcept nogil:
    """The larger count of each kind."""
    cdef Hand mask = larger_counts(hand, other)
    return (hand & mask) | (other & ~mask)

cdef inline Hand meet(Hand hand, Hand other) noexcept nogil:
    """The smaller count of each kind."""
    cdef Hand mask = larger_counts(hand, other)
    return (other & mask) | (hand & ~mask)

cdef inline Hand both_hands(const Pos* pos) noexcept nogil:
    return pos.hand[BLACK] + pos.hand[WHITE]

cdef inline Hand hand_after(const Pos* pos, Move move) noexcept nogil:
    """The hand of the side to move after its move."""
    cdef int captured
    if is_drop(move):
        return pos.hand[pos.turn] - hand_unit(dropped_kind(move))
    captured = pos.board[move_to(move)]
    return pos.hand[pos.turn] + hand_unit(unpromoted(kind_of(captured))) if captured else pos.hand[pos.turn]

cdef inline Hand needed_before(const Pos* pos, Move move, Hand needed) noexcept nogil:
    """The attacker's hand that leaves at least `needed` after its move."""
    cdef int captured, kind
    if is_drop(move):
        return needed + hand_unit(dropped_kind(move))
    captured = pos.board[move_to(move)]
    if captured:
        kind = unpromoted(kind_of(captured))
        if hand_has(needed, kind):
            return needed - hand_unit(kind)
    return needed

cdef Hand monopolised(const Pos* pos) noexcept nogil
"""In check by the attacker: its pieces in hand of all kinds of which the defender has none, though one could be dropped
between. With fewer of them the defence would have more moves."""

cdef Hand unneeded(const Pos* pos) noexcept nogil
"""With the attacker to move, the largest hand that adds no check to those that it can give now by a drop: everything
in both hands, but none of the kinds that it has not and could drop with check."""
