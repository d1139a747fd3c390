"""Proof and disproof pieces: the smallest hand of the attacker that a proof needs, the largest that a disproof allows.

A proof holds with any larger hand: the attacker can play the same moves, and the defender, who has the rest of the set,
has no more to drop. A disproof holds with any smaller hand.
"""
from engine.types cimport (BLACK, WHITE, Hand, Move, dropped_kind, hand_has, hand_unit, is_drop, kind_of, move_to,
                           unpromoted)
from engine.position cimport Pos

cdef enum:
    PAWN_GUARD = 0x20           # the free bit above each count, see types.pxd
    OTHER_GUARDS = 0x88888800

cdef inline Hand larger_counts(Hand hand, Hand other) noexcept nogil:
    """A mask of the counts in which `hand` has at least as many pieces as `other`."""
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
    """The smallest hand before the attacker's move that leaves `needed` after it."""
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
"""The attacker's pieces in hand, of the kinds that the defender lacks but could drop to interpose. With fewer of them
the defender would have more answers. The defender is in check and to move."""

cdef Hand unneeded(const Pos* pos) noexcept nogil
"""The largest hand of the attacker that allows no other checks by drops than the present hand: all pieces of both
hands, except kinds that the attacker lacks and could drop with check. The attacker is to move."""
