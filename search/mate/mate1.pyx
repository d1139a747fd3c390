"""Mate in one, without making moves (see mate1.pxd).

Bitboards of the position before the move rule out most candidates: a checking piece next to the king must be guarded,
and must attack every flight square. The few candidates that remain are tested with the occupancy after the move. "The
king" is always the opponent's.
"""
from engine.attacks cimport attacks_of, bishop_attacks, ray_of, rook_attacks, tables
from engine.bitboard cimport bit, first, more_than_one, pop_first, some
from engine.board cimport Position
from engine.movegen cimport has_legal, legal
from engine.movetext cimport usi_of
from engine.position cimport (PIECE_NUMBERS, State, attacked, attackers_to, blockers, do_move, gives_check, in_check,
                              occupied, pieces, pinned)
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, MAX_MOVES, MOVE_NONE, NO_SQUARE,
                           PROMOTED, ROOK, SILVER, SQUARES, Hand, can_promote, hand_has, is_drop, is_slider, kind_of,
                           make_drop, make_move, make_promotion, move_from, move_to, u128, u8)


cdef struct Origins:            # squares from which our pieces could attack near a king, whatever stands between
    u128 lance[2]               # by colour: on a ray to a square next to the king
    u128 bishop                 # on a diagonal to such a square; for a horse also a step from one
    u128 rook                   # on a rank or file to such a square; for a dragon also a step from one
    u128 knight[2]              # by colour: two hops from the king itself

cdef Origins[SQUARES] origins   # by the king's square


cdef struct KingZone:           # the king and the pieces that attack the squares next to it
    const Pos* pos
    int king                    # its square
    u128 around                 # the squares next to it
    u128 without_king           # the occupancy without the king, through which sliders reach behind it
    u128 flights                # squares next to the king to which it can move
    u128 contact                # squares next to it where a piece of ours would be guarded
    u128 distant                # other squares from which a check may mate
    u128 discoverers            # our pieces that may open one of our sliders' lines to `around`
    bint no_interposing         # the opponent holds no piece that may be dropped on any square
    int count                   # our pieces that attack `around`; for sliders, even through other pieces
    u8[PIECE_NUMBERS] origin    # their squares
    u128[PIECE_NUMBERS] attacks  # and the squares they attack


cdef inline u128 all_sliders(const Pos* pos) noexcept nogil:
    return pos.by_kind[LANCE] | pos.by_kind[BISHOP] | pos.by_kind[ROOK] | pos.by_kind[HORSE] | pos.by_kind[DRAGON]


cdef inline void add_attacker(KingZone* zone, int origin, u128 attacks) noexcept nogil:
    zone.origin[zone.count] = origin
    zone.attacks[zone.count] = attacks
    zone.count += 1


cdef inline void fill_zone(KingZone* zone, const Pos* pos) noexcept nogil:
    """Fill the zone of the opponent's king."""
    cdef int us = pos.turn
    cdef int king = pos.king[us ^ 1]
    cdef Hand hand = pos.hand[us ^ 1]
    cdef u128 ours = pos.by_color[us]
    cdef u128 around = tables.step[BLACK][KING][king]
    cdef u128 steppers = ours & tables.near[king] & ~all_sliders(pos)
    cdef u128 sliders = ours & ((pos.by_kind[LANCE] & origins[king].lance[us])
                                | ((pos.by_kind[BISHOP] | pos.by_kind[HORSE]) & origins[king].bishop)
                                | ((pos.by_kind[ROOK] | pos.by_kind[DRAGON]) & origins[king].rook))
    cdef u128 guarded = 0
    cdef u128 slid = 0
    cdef u128 attacks
    cdef int origin
    zone.pos = pos
    zone.king = king
    zone.around = around
    zone.without_king = occupied(pos) ^ bit(king)
    zone.count = 0
    while some(steppers):
        origin = pop_first(&steppers)
        attacks = tables.step[us][kind_of(pos.board[origin])][origin]
        if some(attacks & around):
            guarded |= attacks
            add_attacker(zone, origin, attacks)
    while some(sliders):
        origin = pop_first(&sliders)
        attacks = attacks_of(us, kind_of(pos.board[origin]), origin, zone.without_king)
        slid |= attacks
        add_attacker(zone, origin, attacks)
    guarded |= slid
    zone.flights = around & ~guarded & ~pos.by_color[us ^ 1]
    zone.contact = around & guarded & ~ours
    zone.discoverers = slid & ours
    zone.no_interposing = not (hand_has(hand, SILVER) or hand_has(hand, GOLD)
                               or hand_has(hand, BISHOP) or hand_has(hand, ROOK))
    zone.distant = tables.step[us ^ 1][KNIGHT][king]
    if zone.no_interposing:
        zone.distant |= tables.queen_ray[king] & ~around
    zone.distant &= ~ours


cdef u128 mating_squares(const KingZone* zone, int kind, u128 squares, u128 flights) noexcept nogil:
    """The squares among `squares` from which our piece of `kind` would attack the king and all of `flights`."""
    cdef const Pos* pos = zone.pos
    cdef int them = pos.turn ^ 1
    squares &= attacks_of(them, kind, zone.king, occupied(pos))
    while some(squares) and some(flights):
        squares &= attacks_of(them, kind, pop_first(&flights), zone.without_king)
    return squares


# -- Testing one move --------------------------------------------------------------------------------------------------

cdef bint has_reply(const Pos* pos, Move move) noexcept nogil:
    """Whether the opponent has a legal answer to a move; plays it on a copy."""
    cdef Pos after = pos[0]
    cdef State[2] states
    states[0] = pos.state[0]
    after.state = states
    do_move(&after, move)
    return has_legal(&after)


cdef u128 find_checkers(const KingZone* zone, int kind, int target, u128 ours, u128 occupancy,
                        u128* pinned_by_us) noexcept nogil:
    """Our pieces that give check once a piece of `kind` stands on `target`; `ours` are our other pieces. Adds to
    `pinned_by_us` the pieces of either side that alone block the line of one of our sliders."""
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef int king = zone.king
    cdef u128 checkers = bit(target) if some(tables.step[us][kind][target] & bit(king)) else 0
    cdef u128 between
    cdef int sniper
    cdef u128 snipers = ours & ((tables.rook_ray[king] & (pos.by_kind[ROOK] | pos.by_kind[DRAGON]))
                                | (tables.bishop_ray[king] & (pos.by_kind[BISHOP] | pos.by_kind[HORSE]))
                                | (tables.lance_ray[us ^ 1][king] & pos.by_kind[LANCE]))
    if some(ray_of(us, kind, target) & bit(king)):
        snipers |= bit(target)
    while some(snipers):
        sniper = pop_first(&snipers)
        between = tables.between[king][sniper] & occupancy
        if not some(between):
            checkers |= bit(sniper)
        elif not more_than_one(between):
            pinned_by_us[0] |= between
    return checkers


cdef bint has_flight(const KingZone* zone, int kind, int target, u128 left, u128 theirs, u128 occupancy) noexcept nogil:
    """Whether the king can move away once a piece of `kind` stands on `target`. `left` holds the square that it came
    from, none for a drop."""
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef u128 without_king = occupancy ^ bit(zone.king)
    cdef u128 flights = zone.around & ~theirs & ~attacks_of(us, kind, target, without_king)
    cdef int i, attacker, origin
    for i in range(zone.count):
        if not some(flights):
            return False
        origin = zone.origin[i]
        if some(left & bit(origin)):
            continue
        attacker = kind_of(pos.board[origin])
        flights &= ~(attacks_of(us, attacker, origin, without_king) if is_slider(attacker) else zone.attacks[i])
    return some(flights)


cdef bint mates(const KingZone* zone, int kind, Move move) noexcept nogil:
    """Whether a legal move mates. `kind` is the moved piece's kind after the move."""
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef int target = move_to(move)
    cdef u128 left = 0 if is_drop(move) else bit(move_from(move))
    cdef u128 ours = pos.by_color[us] & ~left
    cdef u128 theirs = pos.by_color[us ^ 1] & ~bit(target)
    cdef u128 occupancy = ours | theirs | bit(target)
    cdef u128 pinned_by_us = 0
    cdef u128 between = 0
    cdef u128 checkers = find_checkers(zone, kind, target, ours, occupancy, &pinned_by_us)
    cdef u128 answers, defenders
    if not some(checkers):
        return False
    if not more_than_one(checkers):
        between = tables.between[zone.king][first(checkers)]
        if some(between) and not zone.no_interposing:
            return False
        answers = checkers | between
        defenders = theirs & ~pinned_by_us & ~bit(zone.king)     # a pinned piece cannot defend against a check
        while some(answers):
            if some(attackers_to(pos, pop_first(&answers), occupancy) & defenders):
                return False
    if has_flight(zone, kind, target, left, theirs, occupancy):
        return False
    # Pawns, lances and knights may interpose only where the rules allow the drop, so try.
    return not some(between) or not pos.hand[us ^ 1] or not has_reply(pos, move)


# -- Candidates --------------------------------------------------------------------------------------------------------

cdef Move first_mate(const KingZone* zone, int kind, Move base, u128 targets) noexcept nogil:
    """The first mating move among `base`, which is a move to square 0, with its target replaced by each of
    `targets`."""
    cdef Move move
    while some(targets):
        move = base | pop_first(&targets)
        if mates(zone, kind, move):
            return move
    return MOVE_NONE


cdef Move mate_by_drop(const KingZone* zone) noexcept nogil:
    cdef const Pos* pos = zone.pos
    cdef Hand hand = pos.hand[pos.turn]
    cdef u128 squares = (zone.contact | zone.distant) & ~occupied(pos)
    cdef int kind
    cdef Move move
    for kind in range(LANCE, KING):     # mate by a pawn drop is illegal
        if hand_has(hand, kind):
            move = first_mate(zone, kind, make_drop(kind, 0), mating_squares(zone, kind, squares, zone.flights))
            if move:
                return move
    return MOVE_NONE


cdef Move mate_by_piece(const KingZone* zone, int origin, u128 targets, bint discovers) noexcept nogil:
    """A mate by moving the piece on `origin` to one of `targets`, which it attacks; MOVE_NONE if there is none."""
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef int kind = kind_of(pos.board[origin])
    cdef u128 flights = 0 if some(zone.discoverers & bit(origin)) else zone.flights
    cdef u128 promoting = 0
    cdef Move move
    if can_promote(kind):
        promoting = targets if some(tables.zone[us] & bit(origin)) else targets & tables.zone[us]
    if discovers and zone.no_interposing:
        targets &= tables.droppable[us][kind]
    else:                               # if interposing is possible, a discovered check mates only as a double check
        if some(promoting):
            promoting = mating_squares(zone, kind + PROMOTED, promoting, flights)
        targets = mating_squares(zone, kind, targets, flights)
    if not some(promoting | targets):
        return MOVE_NONE
    if some(pinned(pos) & bit(origin)):
        promoting &= tables.line[pos.king[us]][origin]
        targets &= tables.line[pos.king[us]][origin]
    move = first_mate(zone, kind + PROMOTED, make_promotion(origin, 0), promoting)
    return move if move else first_mate(zone, kind, make_move(origin, 0), targets)


cdef Move mate_by_contact(const KingZone* zone) noexcept nogil:
    cdef u128 targets
    cdef Move move
    cdef int i
    for i in range(zone.count):
        targets = zone.attacks[i] & zone.contact
        if some(targets) and zone.origin[i] != zone.pos.king[zone.pos.turn]:
            move = mate_by_piece(zone, zone.origin[i], targets, False)
            if move:
                return move
    return MOVE_NONE


cdef inline u128 mating_lines(const KingZone* zone) noexcept nogil:
    """Distant squares where a slider may attack the king and all flights: on the lines through king and flight, or, for
    a dragon, a step from the flight."""
    cdef u128 squares = zone.distant
    cdef u128 flights = zone.flights
    cdef int flight
    while some(squares) and some(flights):
        flight = pop_first(&flights)
        squares &= tables.line[zone.king][flight] | tables.step[BLACK][DRAGON][flight]
    if some(squares):
        squares &= (rook_attacks(zone.king, occupied(zone.pos)) | bishop_attacks(zone.king, occupied(zone.pos)))
    return squares


cdef Move mate_from_distance(const KingZone* zone) noexcept nogil:
    """A mate by a knight, or by a slider that is not next to the king."""
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef int king = zone.king
    cdef u128 movers = pieces(pos, us, KNIGHT) & origins[king].knight[us]
    cdef u128 lines, targets
    cdef int origin
    cdef Move move
    if some(zone.flights):             # a knight that checks attacks none of them
        movers &= zone.discoverers
    if zone.no_interposing:
        movers |= zone.discoverers & all_sliders(pos)
        lines = mating_lines(zone)
        if some(lines & tables.rook_ray[king]):
            movers |= pos.by_color[us] & (pos.by_kind[ROOK] | pos.by_kind[DRAGON])
            movers |= pieces(pos, us, LANCE) & tables.lance_ray[us ^ 1][king]
        if some(lines & tables.bishop_ray[king]):
            movers |= pos.by_color[us] & (pos.by_kind[BISHOP] | pos.by_kind[HORSE])
    while some(movers):
        origin = pop_first(&movers)
        targets = attacks_of(us, kind_of(pos.board[origin]), origin, occupied(pos)) & zone.distant
        if some(targets):
            move = mate_by_piece(zone, origin, targets, False)
            if move:
                return move
    return MOVE_NONE


cdef u128 safe_steps(const Pos* pos, int origin, u128 targets) noexcept nogil:
    """The squares among `targets` on which our king, moving from `origin`, is not attacked."""
    cdef u128 steps = targets
    cdef int target
    while some(steps):
        target = pop_first(&steps)
        if attacked(pos, pos.turn ^ 1, target, occupied(pos) ^ bit(origin)):
            targets ^= bit(target)
    return targets


cdef Move mate_by_discovery(const KingZone* zone) noexcept nogil:
    cdef const Pos* pos = zone.pos
    cdef int us = pos.turn
    cdef u128 movers = blockers(pos, us ^ 1, us)
    cdef u128 targets
    cdef int origin, kind
    cdef Move move
    while some(movers):
        origin = pop_first(&movers)
        kind = kind_of(pos.board[origin])
        targets = attacks_of(us, kind, origin, occupied(pos)) & ~pos.by_color[us] & ~tables.line[zone.king][origin]
        if kind == KING:
            targets = safe_steps(pos, origin, targets)
        move = mate_by_piece(zone, origin, targets, True)
        if move:
            return move
    return MOVE_NONE


cdef Move mate_in_one(const Pos* pos) noexcept nogil:
    cdef KingZone zone
    cdef Move move = MOVE_NONE
    if pos.king[pos.turn ^ 1] == NO_SQUARE:
        return MOVE_NONE
    fill_zone(&zone, pos)
    if pos.hand[pos.turn]:
        move = mate_by_drop(&zone)
    if not move and some(zone.contact):
        move = mate_by_contact(&zone)
    if not move:
        move = mate_from_distance(&zone)
    if not move and some(zone.discoverers & tables.queen_ray[zone.king]):
        move = mate_by_discovery(&zone)
    return move


# -- For Python --------------------------------------------------------------------------------------------------

cdef Move mate_by_evasion(const Pos* pos) noexcept nogil:
    """A legal move of a side in check that mates, or MOVE_NONE."""
    cdef Move[MAX_MOVES] moves
    cdef int count = legal(pos, moves)
    cdef int i
    for i in range(count):
        if gives_check(pos, moves[i]) and not has_reply(pos, moves[i]):
            return moves[i]
    return MOVE_NONE


def mate_in_1(Position position not None):
    """A move that mates at once, in USI; None if there is none.

    >>> mate_in_1(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")), mate_in_1(Position())
    ('G*5b', None)
    """
    cdef const Pos* pos = &position.pos
    cdef Move move = mate_by_evasion(pos) if in_check(pos) else mate_in_one(pos)
    return usi_of(move) if move else None


# -- Filled at import --------------------------------------------------------------------------------------------

cdef void fill_origins() noexcept:
    cdef int king, square, color
    cdef u128 squares
    for king in range(SQUARES):
        origins[king].bishop = origins[king].rook = tables.near[king]
        squares = tables.step[BLACK][KING][king]
        while some(squares):
            square = pop_first(&squares)
            origins[king].bishop |= tables.bishop_ray[square]
            origins[king].rook |= tables.rook_ray[square]
            for color in range(2):
                origins[king].lance[color] |= tables.lance_ray[color ^ 1][square]
        for color in range(2):
            squares = tables.step[color ^ 1][KNIGHT][king]
            while some(squares):
                origins[king].knight[color] |= tables.step[color ^ 1][KNIGHT][pop_first(&squares)]


fill_origins()
