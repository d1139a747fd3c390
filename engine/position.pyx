"""The position: memory, set-up, moves and queries (see position.pxd)."""
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from engine.attacks cimport bishop_attacks, lance_attacks, rook_attacks
from engine.bitboard cimport more_than_one, pop_first
from engine.types cimport (DRAGON, GOLD, HORSE, KNIGHT, LANCE, MOVE_NULL, NO_SQUARE, PAWN, PRO_PAWN, PRO_SILVER, SILVER,
                           board_place, color_of, hand_count, hand_place, hand_unit, make_piece, unpromoted)
from engine.zobrist cimport keys


cdef inline int slot(int kind) noexcept nogil:
    """The index of a kind in `by_kind`, where promoted minor pieces are under GOLD."""
    return GOLD if PRO_PAWN <= kind <= PRO_SILVER else kind


# -- Memory ------------------------------------------------------------------------------------------------------------

cdef int init(Pos* pos, int capacity) noexcept nogil:
    memset(pos, 0, sizeof(Pos))
    pos.states = <State*>malloc(capacity * sizeof(State))
    if pos.states == NULL:
        return -1
    pos.capacity = capacity
    clear(pos)
    return 0


cdef void release(Pos* pos) noexcept nogil:
    free(pos.states)
    pos.states = pos.state = NULL
    pos.capacity = 0


cdef int reserve(Pos* pos, int plies) noexcept nogil:
    cdef int used = <int>(pos.state - pos.states) + 1
    cdef int capacity = pos.capacity
    if used + plies <= capacity:
        return 0
    while capacity < used + plies:
        capacity *= 2
    cdef State* grown = <State*>realloc(pos.states, capacity * sizeof(State))
    if grown == NULL:
        return -1
    pos.states = grown
    pos.state = grown + used - 1
    pos.capacity = capacity
    return 0


cdef int copy(Pos* target, const Pos* source, int plies) noexcept nogil:
    cdef int used = <int>(source.state - source.states) + 1
    cdef State* states = <State*>malloc((used + plies) * sizeof(State))
    if states == NULL:
        return -1
    memcpy(states, source.states, used * sizeof(State))
    target[0] = source[0]
    target.states = states
    target.state = states + used - 1
    target.capacity = used + plies
    return 0


# -- Setting up --------------------------------------------------------------------------------------------------------

cdef void clear(Pos* pos) noexcept nogil:
    cdef State* states = pos.states
    cdef int capacity = pos.capacity
    memset(pos, 0, sizeof(Pos))
    memset(states, 0, sizeof(State))
    pos.states = pos.state = states
    pos.capacity = capacity
    pos.king[BLACK] = pos.king[WHITE] = NO_SQUARE
    pos.ply = 1


cdef int free_number(const Pos* pos) noexcept nogil:
    """The lowest unused piece number that is not a king's."""
    cdef int number = 0
    while number < BLACK_KING and pos.place[number]:
        number += 1
    return number


cdef void put(Pos* pos, int piece, int square) noexcept nogil:
    cdef int color = color_of(piece)
    cdef int kind = kind_of(piece)
    cdef int number = BLACK_KING + color if kind == KING else free_number(pos)
    if kind == KING:
        pos.king[color] = square
    pos.board[square] = piece
    pos.number[square] = number
    pos.place[number] = board_place(piece, square)
    pos.by_kind[slot(kind)] |= bit(square)
    pos.by_color[color] |= bit(square)


cdef void give(Pos* pos, int color, int kind, int n) noexcept nogil:
    cdef int number, _
    for _ in range(n):
        number = free_number(pos)
        pos.hand[color] += hand_unit(kind)
        pos.hand_number[color][kind][hand_count(pos.hand[color], kind)] = number
        pos.place[number] = hand_place(color, kind, hand_count(pos.hand[color], kind))


cdef void settle(Pos* pos, int turn, int ply) noexcept nogil:
    cdef State* state = pos.state
    cdef int square, color, kind, n
    pos.turn = turn
    pos.ply = ply
    state.board_key = keys.turn if turn == WHITE else 0
    state.hand_key = 0
    pos.missing_points = FULL_SET_POINTS
    for square in range(SQUARES):
        if pos.board[square]:
            state.board_key ^= keys.place[board_place(pos.board[square], square)]
            kind = kind_of(pos.board[square])
            pos.missing_points -= points_of(KING if kind == KING else unpromoted(kind))
    for color in range(2):
        for kind in range(PAWN, KING):
            for n in range(1, hand_count(pos.hand[color], kind) + 1):
                state.hand_key ^= keys.place[hand_place(color, kind, n)]
                pos.missing_points -= points_of(kind)
    state.hand = pos.hand[turn]
    state.pins_known = False
    state.checkers = 0
    if pos.king[turn] != NO_SQUARE:
        state.checkers = attackers_to(pos, pos.king[turn], occupied(pos)) & pos.by_color[turn ^ 1]


# -- Moves -------------------------------------------------------------------------------------------------------------

cdef inline u128 snipers(const Pos* pos, int king_square, int color) noexcept nogil:
    """The opponent's sliders that would attack the king of `color` on an empty board."""
    return pos.by_color[color ^ 1] & (
        (tables.rook_ray[king_square] & (pos.by_kind[ROOK] | pos.by_kind[DRAGON]))
        | (tables.bishop_ray[king_square] & (pos.by_kind[BISHOP] | pos.by_kind[HORSE]))
        | (tables.lance_ray[color][king_square] & pos.by_kind[LANCE]))


cdef u128 checkers_after(const Pos* pos, int king_square, int kind, int target) noexcept nogil:
    """The pieces that give check after the side to move has put a `kind` on `target`: that piece by a step, and
    sliders, because the move may have opened their lines."""
    cdef int us = pos.turn
    cdef u128 found = tables.step[us ^ 1][kind][king_square] & bit(target)
    cdef u128 sliders = snipers(pos, king_square, us ^ 1)
    cdef int sniper
    while some(sliders):
        sniper = pop_first(&sliders)
        if not some(tables.between[king_square][sniper] & occupied(pos)):
            found |= bit(sniper)
    return found


cdef inline void step_state(Pos* pos, State* state, Move move, int captured, u128 checkers) noexcept nogil:
    """Finish a move: fill the new state and pass the turn."""
    cdef State* previous = state - 1
    cdef int us = pos.turn
    pos.turn = us ^ 1
    pos.ply += 1
    pos.state = state
    state.checkers = checkers
    state.pins_known = False
    state.plies = previous.plies + 1
    state.checks[us] = previous.checks[us] + 1 if some(checkers) else 0
    state.checks[us ^ 1] = previous.checks[us ^ 1]
    state.hand = pos.hand[us ^ 1]
    state.move = move
    state.captured = captured


cdef void do_move(Pos* pos, Move move) noexcept nogil:
    cdef State* state = pos.state + 1
    cdef DirtyPieces* dirty = &state.dirty
    cdef int us = pos.turn
    cdef int their_king = pos.king[us ^ 1]
    cdef int target = move_to(move)
    cdef int captured = NO_PIECE
    cdef int origin, piece, kind, number, captured_kind, captured_number, n
    cdef u64 hand_key = pos.state.hand_key
    cdef u64 board_key = pos.state.board_key ^ keys.turn
    cdef Place before, after
    cdef u128 target_bit = bit(target)
    cdef u128 origin_bit = 0
    cdef u128 checkers = 0

    dirty.count = 1
    if is_drop(move):
        kind = dropped_kind(move)
        piece = make_piece(us, kind)
        n = hand_count(pos.hand[us], kind)
        number = pos.hand_number[us][kind][n]
        pos.hand_number[us][kind][n] = 0
        pos.hand[us] -= hand_unit(kind)
        before = hand_place(us, kind, n)
        hand_key ^= keys.place[before]
        pos.by_kind[kind] ^= target_bit
        pos.by_color[us] ^= target_bit
    else:
        origin = move_from(move)
        piece = pos.board[origin]
        kind = kind_of(piece)
        number = pos.number[origin]
        before = board_place(piece, origin)
        board_key ^= keys.place[before]
        captured = pos.board[target]
        if captured:
            captured_kind = kind_of(captured)
            captured_number = pos.number[target]
            pos.by_kind[slot(captured_kind)] ^= target_bit
            pos.by_color[us ^ 1] ^= target_bit
            captured_kind = unpromoted(captured_kind)
            pos.hand[us] += hand_unit(captured_kind)
            n = hand_count(pos.hand[us], captured_kind)
            after = hand_place(us, captured_kind, n)
            pos.hand_number[us][captured_kind][n] = captured_number
            pos.place[captured_number] = after
            dirty.count = 2
            dirty.number[1] = captured_number
            dirty.before[1] = board_place(captured, target)
            dirty.after[1] = after
            board_key ^= keys.place[dirty.before[1]]
            hand_key ^= keys.place[after]
        origin_bit = bit(origin)
        pos.by_color[us] ^= origin_bit | target_bit
        if is_promotion(move):
            pos.by_kind[kind] ^= origin_bit
            piece += PROMOTED
            kind += PROMOTED
            pos.by_kind[slot(kind)] ^= target_bit
        else:
            pos.by_kind[slot(kind)] ^= origin_bit | target_bit
            if kind == KING:
                pos.king[us] = target
        pos.board[origin] = NO_PIECE
        pos.number[origin] = 0

    after = board_place(piece, target)
    pos.board[target] = piece
    pos.number[target] = number
    pos.place[number] = after
    dirty.number[0] = number
    dirty.before[0] = before
    dirty.after[0] = after
    state.board_key = board_key ^ keys.place[after]
    state.hand_key = hand_key
    # A move gives no check if neither its origin nor its target is a square from which a piece may attack the king.
    if some(tables.reach[their_king] & (origin_bit | target_bit)):
        checkers = checkers_after(pos, their_king, kind, target)
    step_state(pos, state, move, captured, checkers)


cdef void undo_move(Pos* pos) noexcept nogil:
    cdef const State* state = pos.state
    cdef const DirtyPieces* dirty = &state.dirty
    cdef Move move = state.move
    cdef int us = pos.turn ^ 1
    cdef int target = move_to(move)
    cdef int number = dirty.number[0]
    cdef int piece = pos.board[target]
    cdef int kind = kind_of(piece)
    cdef int origin, captured
    cdef u128 target_bit = bit(target)
    cdef u128 change

    pos.turn = us
    pos.ply -= 1
    pos.state -= 1
    pos.place[number] = dirty.before[0]
    pos.number[target] = 0
    if is_drop(move):
        pos.board[target] = NO_PIECE
        pos.by_kind[kind] ^= target_bit
        pos.by_color[us] ^= target_bit
        pos.hand[us] += hand_unit(kind)
        pos.hand_number[us][kind][hand_count(pos.hand[us], kind)] = number
        return

    origin = move_from(move)
    change = bit(origin) | target_bit
    captured = state.captured
    if is_promotion(move):
        pos.by_kind[slot(kind)] ^= target_bit
        piece -= PROMOTED
        kind -= PROMOTED
        pos.by_kind[kind] ^= bit(origin)
    else:
        pos.by_kind[slot(kind)] ^= change
        if kind == KING:
            pos.king[us] = origin
    pos.by_color[us] ^= change
    pos.board[origin] = piece
    pos.number[origin] = number
    pos.board[target] = captured
    if captured:
        number = dirty.number[1]
        kind = kind_of(captured)
        pos.by_kind[slot(kind)] ^= target_bit
        pos.by_color[us ^ 1] ^= target_bit
        kind = unpromoted(kind)
        pos.hand_number[us][kind][hand_count(pos.hand[us], kind)] = 0
        pos.hand[us] -= hand_unit(kind)
        pos.number[target] = number
        pos.place[number] = dirty.before[1]


cdef void do_null(Pos* pos) noexcept nogil:
    cdef State* state = pos.state + 1
    state.board_key = pos.state.board_key ^ keys.turn
    state.hand_key = pos.state.hand_key
    state.dirty.count = 0
    step_state(pos, state, MOVE_NULL, NO_PIECE, 0)
    # No repetition may include a null move, because it is no real move.
    state.plies = 0
    state.checks[BLACK] = state.checks[WHITE] = 0


cdef void undo_null(Pos* pos) noexcept nogil:
    pos.turn ^= 1
    pos.ply -= 1
    pos.state -= 1


cdef u64 board_key_after(const Pos* pos, Move move) noexcept nogil:
    cdef int target = move_to(move)
    cdef u64 found = pos.state.board_key ^ keys.turn
    cdef int piece
    if is_drop(move):
        return found ^ keys.place[board_place(make_piece(pos.turn, dropped_kind(move)), target)]
    piece = pos.board[move_from(move)]
    found ^= keys.place[board_place(piece, move_from(move))]
    if pos.board[target]:
        found ^= keys.place[board_place(pos.board[target], target)]
    return found ^ keys.place[board_place(piece + PROMOTED if is_promotion(move) else piece, target)]


cdef u64 key_after(const Pos* pos, Move move) noexcept nogil:
    cdef int us = pos.turn
    cdef int captured = pos.board[move_to(move)]
    cdef u64 hand_key = pos.state.hand_key
    cdef int kind
    if is_drop(move):
        kind = dropped_kind(move)
        hand_key ^= keys.place[hand_place(us, kind, hand_count(pos.hand[us], kind))]
    elif captured:
        kind = unpromoted(kind_of(captured))
        hand_key ^= keys.place[hand_place(us, kind, hand_count(pos.hand[us], kind) + 1)]
    return board_key_after(pos, move) ^ hand_key


# -- Questions ---------------------------------------------------------------------------------------------------------

cdef u128 attackers_to(const Pos* pos, int square, u128 occupancy) noexcept nogil:
    cdef const u128* by_kind = &pos.by_kind[0]
    cdef u128 black = pos.by_color[BLACK]
    cdef u128 white = pos.by_color[WHITE]
    cdef u128 found
    cdef u128 bishops = by_kind[BISHOP] | by_kind[HORSE]
    cdef u128 rooks = by_kind[ROOK] | by_kind[DRAGON]
    # A piece attacks the square if the same piece of the other colour on the square would attack it.
    found = black & ((tables.step[WHITE][PAWN][square] & by_kind[PAWN])
                     | (tables.step[WHITE][KNIGHT][square] & by_kind[KNIGHT])
                     | (tables.step[WHITE][SILVER][square] & by_kind[SILVER])
                     | (tables.step[WHITE][GOLD][square] & by_kind[GOLD]))
    found |= white & ((tables.step[BLACK][PAWN][square] & by_kind[PAWN])
                      | (tables.step[BLACK][KNIGHT][square] & by_kind[KNIGHT])
                      | (tables.step[BLACK][SILVER][square] & by_kind[SILVER])
                      | (tables.step[BLACK][GOLD][square] & by_kind[GOLD]))
    found |= tables.step[BLACK][KING][square] & (by_kind[KING] | by_kind[HORSE] | by_kind[DRAGON])
    if some(tables.bishop_ray[square] & bishops):
        found |= bishop_attacks(square, occupancy) & bishops
    if some(tables.rook_ray[square] & (rooks | by_kind[LANCE])):
        found |= rook_attacks(square, occupancy) & (
            rooks | (by_kind[LANCE] & ((black & tables.lance_ray[WHITE][square])
                                       | (white & tables.lance_ray[BLACK][square]))))
    return found


cdef bint attacked(const Pos* pos, int by, int square, u128 occupancy) noexcept nogil:
    return some(attackers_to(pos, square, occupancy) & pos.by_color[by])


cdef u128 blockers(const Pos* pos, int king_color, int color) noexcept nogil:
    cdef u128 found = 0
    cdef u128 sliders, blockers
    cdef int king_square = pos.king[king_color]
    sliders = snipers(pos, king_square, king_color)
    while some(sliders):
        blockers = tables.between[king_square][pop_first(&sliders)] & occupied(pos)
        if not more_than_one(blockers):
            found |= blockers
    return found & pos.by_color[color]


cdef void find_check_info(const Pos* pos, CheckInfo* check_info) noexcept nogil:
    cdef int them = pos.turn ^ 1
    cdef int king_square = pos.king[them]
    cdef u128* squares = &check_info.squares[0]
    cdef u128 occupancy = occupied(pos)
    cdef int kind
    if king_square == NO_SQUARE:
        memset(check_info, 0, sizeof(CheckInfo))
        return
    squares[PAWN] = tables.step[them][PAWN][king_square]
    squares[LANCE] = lance_attacks(them, king_square, occupancy)
    squares[KNIGHT] = tables.step[them][KNIGHT][king_square]
    squares[SILVER] = tables.step[them][SILVER][king_square]
    squares[BISHOP] = bishop_attacks(king_square, occupancy)
    squares[ROOK] = rook_attacks(king_square, occupancy)
    squares[KING] = 0
    squares[GOLD] = tables.step[them][GOLD][king_square]
    for kind in range(PRO_PAWN, PRO_SILVER + 1):
        squares[kind] = squares[GOLD]
    squares[HORSE] = squares[BISHOP] | tables.step[them][HORSE][king_square]
    squares[DRAGON] = squares[ROOK] | tables.step[them][DRAGON][king_square]
    # Attacks of lances and steps of the other kinds but the knight lie within those of rook and bishop.
    check_info.anywhere = squares[HORSE] | squares[DRAGON] | squares[KNIGHT]
    check_info.discoverers = blockers(pos, them, pos.turn)


cdef bint gives_check(const Pos* pos, Move move) noexcept nogil:
    cdef CheckInfo check_info
    find_check_info(pos, &check_info)
    return checks_with(pos, move, &check_info)
