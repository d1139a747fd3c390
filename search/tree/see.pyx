"""The exchange on one square (see see.pxd)."""
from engine.attacks cimport bishop_attacks, rook_attacks, tables
from engine.bitboard cimport bit, first, some
from engine.position cimport attackers_to, occupied
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER, WHITE,
                           dropped_kind, is_drop, is_promotion, kind_of, make_piece, move_from, move_to, u128)
from eval.evaluator cimport exchange_value, promotion_value

# The kinds from the least valuable to the most; promoted minor pieces count as golds.
cdef int[9] ORDER = [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, HORSE, DRAGON]


cdef inline u128 uncovered(const Pos* pos, int square, u128 occupancy) noexcept nogil:
    """Sliders of both sides that attack the square under this occupancy."""
    cdef u128 lances = pos.by_kind[LANCE] & ((pos.by_color[BLACK] & tables.lance_ray[WHITE][square])
                                             | (pos.by_color[WHITE] & tables.lance_ray[BLACK][square]))
    return (bishop_attacks(square, occupancy) & (pos.by_kind[BISHOP] | pos.by_kind[HORSE])
            | rook_attacks(square, occupancy) & (pos.by_kind[ROOK] | pos.by_kind[DRAGON] | lances))


cdef inline int least_attacker(const Pos* pos, u128 attackers) noexcept nogil:
    """The square of the least valuable piece of a set; the king comes last."""
    cdef int i
    for i in range(9):
        if some(attackers & pos.by_kind[ORDER[i]]):
            return first(attackers & pos.by_kind[ORDER[i]])
    return first(attackers)


cdef bint see_reaches(const Pos* pos, Move move, int threshold) noexcept nogil:
    cdef int target = move_to(move)
    cdef int turn = pos.turn
    cdef int square, piece
    cdef int balance = exchange_value(pos.board[target]) - threshold
    cdef u128 occupancy = occupied(pos) | bit(target)
    cdef u128 attackers, own
    if is_drop(move):
        piece = make_piece(turn, dropped_kind(move))
    else:
        piece = pos.board[move_from(move)]
        occupancy ^= bit(move_from(move))
        if is_promotion(move):
            balance += promotion_value(piece)
            piece += PROMOTED
    # `balance`: by how much the side that moved last is above the threshold if the exchange ends now.
    if balance < 0:
        return False
    balance -= exchange_value(piece)
    if balance >= 0:
        return True
    attackers = attackers_to(pos, target, occupancy) & occupancy
    while True:
        turn ^= 1
        own = attackers & pos.by_color[turn]
        if not some(own):
            break
        square = least_attacker(pos, own)
        if kind_of(pos.board[square]) == KING and some(attackers & pos.by_color[turn ^ 1]):
            break                       # a king must not capture a guarded piece
        occupancy ^= bit(square)
        attackers = (attackers | uncovered(pos, target, occupancy)) & occupancy
        # The balance for the other side, after this capture, and if the capturing piece is then lost.
        balance = -balance - 1 - exchange_value(pos.board[square])
        if balance >= 0:
            turn ^= 1
            break
    return turn != pos.turn
