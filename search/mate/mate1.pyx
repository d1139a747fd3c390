# A candidate is dismissed by sets while the board is as it stands: a checker beside the king must be guarded, and must
# attack every flight that the king has. The few candidates left are judged by the occupancy after the move.
# "The king" is the other side's throughout.
from engine.attacks cimport attacks_of, bishop_attacks, ray_of, rook_attacks, tables
from engine.bitboard cimport bit, first, more_than_one, pop_first, some
from engine.movegen cimport has_legal
from engine.position cimport PIECE_NUMBERS, State, attacked, attackers_to, blockers, do_move, occupied, pieces, pinned
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, MOVE_NONE, NO_SQUARE, PROMOTED,
                           ROOK, SILVER, SQUARES, Hand, Move, can_promote, hand_has, is_drop, is_slider, kind_of,
                           make_drop, make_move, make_promotion, move_from, move_to, u128, u8)


cdef struct Bearing:            # where a piece of ours has to be to matter to a king on some square
    u128 lance[2]               # by colour: its ray reaches a square beside the king
    u128 bishop                 # so do its rays, or a horse's step may
    u128 rook                   # so do its rays, or a dragon's step may
    u128 knight[2]              # by colour: two hops reach the king itself

cdef Bearing[SQUARES] bearing   # by the king's square


cdef struct Siege:
    const Pos* pos
    int king                    # its square
    u128 around                 # the squares beside it
    u128 lifted                 # the occupancy without it, for it cannot hide behind itself
    u128 flights                # squares beside it that it can go to
    u128 contact                # squares beside it where a piece of ours would be guarded
    u128 away                   # squares farther off from which a check may mate
    u128 screens                # our pieces that may open the line of a slider of ours to `around` by leaving it
    bint shut_out               # no piece that may be dropped anywhere can come between
    int bearers                 # our pieces that bear on `around`; sliders, whatever stands between
    u8[PIECE_NUMBERS] origin
    u128[PIECE_NUMBERS] attacks


cdef inline u128 all_sliders(const Pos* pos) noexcept nogil:
    return pos.by_kind[LANCE] | pos.by_kind[BISHOP] | pos.by_kind[ROOK] | pos.by_kind[HORSE] | pos.by_kind[DRAGON]


cdef inline void add_bearer(Siege* siege, int origin, u128 attacks) noexcept nogil:
    siege.origin[siege.bearers] = origin
    siege.attacks[siege.bearers] = attacks
    siege.bearers += 1


cdef inline void lay(Siege* siege, const Pos* pos) noexcept nogil:
    """Find what the king has around it."""
    cdef int us = pos.turn
    cdef int king = pos.king[us ^ 1]
    cdef Hand hand = pos.hand[us ^ 1]
    cdef u128 ours = pos.by_color[us]
    cdef u128 around = tables.step[BLACK][KING][king]
    cdef u128 steppers = ours & tables.near[king] & ~all_sliders(pos)
    cdef u128 sliders = ours & ((pos.by_kind[LANCE] & bearing[king].lance[us])
                                | ((pos.by_kind[BISHOP] | pos.by_kind[HORSE]) & bearing[king].bishop)
                                | ((pos.by_kind[ROOK] | pos.by_kind[DRAGON]) & bearing[king].rook))
    cdef u128 guarded = 0
    cdef u128 slid = 0
    cdef u128 attacks
    cdef int origin
    siege.pos = pos
    siege.king = king
    siege.around = around
    siege.lifted = occupied(pos) ^ bit(king)
    siege.bearers = 0
    while some(steppers):
        origin = pop_first(&steppers)
        attacks = tables.step[us][kind_of(pos.board[origin])][origin]
        if some(attacks & around):
            guarded |= attacks
            add_bearer(siege, origin, attacks)
    while some(sliders):
        origin = pop_first(&sliders)
        attacks = attacks_of(us, kind_of(pos.board[origin]), origin, siege.lifted)
        slid |= attacks
        add_bearer(siege, origin, attacks)
    guarded |= slid
    siege.flights = around & ~guarded & ~pos.by_color[us ^ 1]
    siege.contact = around & guarded & ~ours
    siege.screens = slid & ours
    siege.shut_out = not (hand_has(hand, SILVER) or hand_has(hand, GOLD)
                          or hand_has(hand, BISHOP) or hand_has(hand, ROOK))
    siege.away = tables.step[us ^ 1][KNIGHT][king]
    if siege.shut_out:
        siege.away |= tables.queen_ray[king] & ~around
    siege.away &= ~ours


cdef u128 closing(const Siege* siege, int kind, u128 squares, u128 flights) noexcept nogil:
    """Those of `squares` from which a piece of ours of that kind would attack the king and all of `flights`."""
    cdef const Pos* pos = siege.pos
    cdef int them = pos.turn ^ 1
    squares &= attacks_of(them, kind, siege.king, occupied(pos))
    while some(squares) and some(flights):
        squares &= attacks_of(them, kind, pop_first(&flights), siege.lifted)
    return squares


# -- Judging one move --------------------------------------------------------------------------------------------------

cdef bint has_reply(const Pos* pos, Move move) noexcept nogil:
    """Whether the other side can answer a legal move, found by playing it on a copy."""
    cdef Pos after = pos[0]
    cdef State[2] states
    states[0] = pos.state[0]
    after.state = states
    do_move(&after, move)
    return has_legal(&after)


cdef u128 checkers_after(const Siege* siege, int kind, int target, u128 ours, u128 occupancy,
                         u128* held) noexcept nogil:
    """Our pieces that give check once a piece of `kind` stands on `target`, `ours` being all the others. Pieces of any
    side that alone keep a slider of ours from doing so are added to `held`."""
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef int king = siege.king
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
            held[0] |= between
    return checkers


cdef bint has_flight(const Siege* siege, int kind, int target, u128 left, u128 theirs, u128 occupancy) noexcept nogil:
    """Whether the king can step aside once a piece of `kind` has come to `target`, from `left` if not from the hand."""
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef u128 lifted = occupancy ^ bit(siege.king)
    cdef u128 flights = siege.around & ~theirs & ~attacks_of(us, kind, target, lifted)
    cdef int i, bearer, origin
    for i in range(siege.bearers):
        if not some(flights):
            return False
        origin = siege.origin[i]
        if some(left & bit(origin)):
            continue
        bearer = kind_of(pos.board[origin])
        flights &= ~(attacks_of(us, bearer, origin, lifted) if is_slider(bearer) else siege.attacks[i])
    return some(flights)


cdef bint mates(const Siege* siege, int kind, Move move) noexcept nogil:
    """Whether a legal move, after which its piece is of `kind`, gives check and leaves no reply."""
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef int target = move_to(move)
    cdef u128 left = 0 if is_drop(move) else bit(move_from(move))
    cdef u128 ours = pos.by_color[us] & ~left
    cdef u128 theirs = pos.by_color[us ^ 1] & ~bit(target)
    cdef u128 occupancy = ours | theirs | bit(target)
    cdef u128 held = 0
    cdef u128 between = 0
    cdef u128 checkers = checkers_after(siege, kind, target, ours, occupancy, &held)
    cdef u128 answers, defenders
    if not some(checkers):
        return False
    if not more_than_one(checkers):
        between = tables.between[siege.king][first(checkers)]
        if some(between) and not siege.shut_out:
            return False
        answers = checkers | between
        defenders = theirs & ~held & ~bit(siege.king)     # in check, a pinned piece cannot help
        while some(answers):
            if some(attackers_to(pos, pop_first(&answers), occupancy) & defenders):
                return False
    if has_flight(siege, kind, target, left, theirs, occupancy):
        return False
    # Pawns, lances and knights may come between, if there is a square where the rules let them drop.
    return not some(between) or not pos.hand[us ^ 1] or not has_reply(pos, move)


# -- Candidates --------------------------------------------------------------------------------------------------------

cdef Move first_mate(const Siege* siege, int kind, Move base, u128 targets) noexcept nogil:
    """The first move that mates of those that `base`, a move to square 0, becomes with each target."""
    cdef Move move
    while some(targets):
        move = base | pop_first(&targets)
        if mates(siege, kind, move):
            return move
    return MOVE_NONE


cdef Move mate_by_drop(const Siege* siege) noexcept nogil:
    cdef const Pos* pos = siege.pos
    cdef Hand hand = pos.hand[pos.turn]
    cdef u128 squares = (siege.contact | siege.away) & ~occupied(pos)
    cdef int kind
    cdef Move move
    for kind in range(LANCE, KING):     # a pawn may not
        if hand_has(hand, kind):
            move = first_mate(siege, kind, make_drop(kind, 0), closing(siege, kind, squares, siege.flights))
            if move:
                return move
    return MOVE_NONE


cdef Move mate_by_piece(const Siege* siege, int origin, u128 targets, bint discovers) noexcept nogil:
    """A mate by the piece on `origin`, going to one of the `targets` that it attacks."""
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef int kind = kind_of(pos.board[origin])
    cdef u128 flights = 0 if some(siege.screens & bit(origin)) else siege.flights
    cdef u128 promoting = 0
    cdef Move move
    if can_promote(kind):
        promoting = targets if some(tables.zone[us] & bit(origin)) else targets & tables.zone[us]
    if discovers and siege.shut_out:
        targets &= tables.droppable[us][kind]
    else:                               # if something fits between, discovering mates only as a double check
        if some(promoting):
            promoting = closing(siege, kind + PROMOTED, promoting, flights)
        targets = closing(siege, kind, targets, flights)
    if not some(promoting | targets):
        return MOVE_NONE
    if some(pinned(pos) & bit(origin)):
        promoting &= tables.line[pos.king[us]][origin]
        targets &= tables.line[pos.king[us]][origin]
    move = first_mate(siege, kind + PROMOTED, make_promotion(origin, 0), promoting)
    return move if move else first_mate(siege, kind, make_move(origin, 0), targets)


cdef Move mate_by_contact(const Siege* siege) noexcept nogil:
    cdef u128 targets
    cdef Move move
    cdef int i
    for i in range(siege.bearers):
        targets = siege.attacks[i] & siege.contact
        if some(targets) and siege.origin[i] != siege.pos.king[siege.pos.turn]:
            move = mate_by_piece(siege, siege.origin[i], targets, False)
            if move:
                return move
    return MOVE_NONE


cdef inline u128 closing_lines(const Siege* siege) noexcept nogil:
    """Squares away from the king where a slider may attack it and all flights: on a line through all of them, which
    only a dragon attacks beside."""
    cdef u128 squares = siege.away
    cdef u128 flights = siege.flights
    cdef int flight
    while some(squares) and some(flights):
        flight = pop_first(&flights)
        squares &= tables.line[siege.king][flight] | tables.step[BLACK][DRAGON][flight]
    if some(squares):
        squares &= (rook_attacks(siege.king, occupied(siege.pos)) | bishop_attacks(siege.king, occupied(siege.pos)))
    return squares


cdef Move mate_from_afar(const Siege* siege) noexcept nogil:
    """By a knight that hops, or by a slider that stops short of the king."""
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef int king = siege.king
    cdef u128 movers = pieces(pos, us, KNIGHT) & bearing[king].knight[us]
    cdef u128 lines, targets
    cdef int origin
    cdef Move move
    if some(siege.flights):             # a knight that checks attacks none of them
        movers &= siege.screens
    if siege.shut_out:
        movers |= siege.screens & all_sliders(pos)
        lines = closing_lines(siege)
        if some(lines & tables.rook_ray[king]):
            movers |= pos.by_color[us] & (pos.by_kind[ROOK] | pos.by_kind[DRAGON])
            movers |= pieces(pos, us, LANCE) & tables.lance_ray[us ^ 1][king]
        if some(lines & tables.bishop_ray[king]):
            movers |= pos.by_color[us] & (pos.by_kind[BISHOP] | pos.by_kind[HORSE])
    while some(movers):
        origin = pop_first(&movers)
        targets = attacks_of(us, kind_of(pos.board[origin]), origin, occupied(pos)) & siege.away
        if some(targets):
            move = mate_by_piece(siege, origin, targets, False)
            if move:
                return move
    return MOVE_NONE


cdef u128 safe_steps(const Pos* pos, int origin, u128 targets) noexcept nogil:
    """Those of `targets` where our king, leaving `origin`, is not attacked."""
    cdef u128 steps = targets
    cdef int target
    while some(steps):
        target = pop_first(&steps)
        if attacked(pos, pos.turn ^ 1, target, occupied(pos) ^ bit(origin)):
            targets ^= bit(target)
    return targets


cdef Move mate_by_discovery(const Siege* siege) noexcept nogil:
    cdef const Pos* pos = siege.pos
    cdef int us = pos.turn
    cdef u128 movers = blockers(pos, us ^ 1, us)
    cdef u128 targets
    cdef int origin, kind
    cdef Move move
    while some(movers):
        origin = pop_first(&movers)
        kind = kind_of(pos.board[origin])
        targets = attacks_of(us, kind, origin, occupied(pos)) & ~pos.by_color[us] & ~tables.line[siege.king][origin]
        if kind == KING:
            targets = safe_steps(pos, origin, targets)
        move = mate_by_piece(siege, origin, targets, True)
        if move:
            return move
    return MOVE_NONE


cdef Move mate_in_one(const Pos* pos) noexcept nogil:
    cdef Siege siege
    cdef Move move = MOVE_NONE
    if pos.king[pos.turn ^ 1] == NO_SQUARE:
        return MOVE_NONE
    lay(&siege, pos)
    if pos.hand[pos.turn]:
        move = mate_by_drop(&siege)
    if not move and some(siege.contact):
        move = mate_by_contact(&siege)
    if not move:
        move = mate_from_afar(&siege)
    if not move and some(siege.screens & tables.queen_ray[siege.king]):
        move = mate_by_discovery(&siege)
    return move


# -- Filled once, at import --------------------------------------------------------------------------------------------

cdef void fill_bearing() noexcept:
    cdef int king, square, color
    cdef u128 squares
    for king in range(SQUARES):
        bearing[king].bishop = bearing[king].rook = tables.near[king]
        squares = tables.step[BLACK][KING][king]
        while some(squares):
            square = pop_first(&squares)
            bearing[king].bishop |= tables.bishop_ray[square]
            bearing[king].rook |= tables.rook_ray[square]
            for color in range(2):
                bearing[king].lance[color] |= tables.lance_ray[color ^ 1][square]
        for color in range(2):
            squares = tables.step[color ^ 1][KNIGHT][king]
            while some(squares):
                bearing[king].knight[color] |= tables.step[color ^ 1][KNIGHT][pop_first(&squares)]


fill_bearing()
