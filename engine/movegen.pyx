"""The move generators (see movegen.pxd).

One generator serves all purposes. A `Request` selects the target squares, whether dominated moves or only checks are
wanted, and whether to write moves or only count them. (A version inlined for each purpose was twenty times the code for
5 % of speed, since the branches are predicted well.)

Legality is built in: a pinned piece keeps to its line, the king avoids the squares of a danger map, and in check the
targets are the checker and the squares between.
"""
from engine.attacks cimport attacks_of, bishop_attacks, lance_attacks, rook_attacks, tables
from engine.bitboard cimport (all_squares, bit, count, file_set, first, high_word, low_word, more_than_one, pop_first,
                              rank_set, some)
from engine.position cimport attacked, attackers_to, blockers, in_check, occupied, pieces, pinned
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, MOVE_DROP, MOVE_PROMOTE, NO_SQUARE,
                           PROMOTED, PRO_PAWN, PRO_SILVER, ROOK, SILVER, SQUARES, Hand, can_promote, hand_has, is_drop,
                           lsb, move_to, u128, u64)
cdef enum Purpose:
    USUAL = 0           # without the dominated non-promotions
    WITH_DOMINATED = 1
    CHECKS = 2          # only checks

cdef struct Request:
    const Pos* pos
    Purpose purpose
    const CheckInfo* check_info     # for CHECKS only
    u128 targets        # of pieces on the board other than pawns and king
    u128 pawn_targets
    u128 king_targets
    u128 drop_targets
    Move* moves         # the next free place; NULL: only count
    int count           # of moves so far


cdef inline void emit(Request* request, int origin, u128 targets, int flags) noexcept nogil:
    """Write a move from `origin` to each target."""
    cdef u64 word
    cdef Move base
    request.count += count(targets)
    if request.moves == NULL:
        return
    base = <Move>(origin << 7 | flags)
    word = low_word(targets)
    while word:
        request.moves[0] = base | lsb(word)
        request.moves += 1
        word &= word - 1
    word = high_word(targets)
    base |= 64
    while word:
        request.moves[0] = base | lsb(word)
        request.moves += 1
        word &= word - 1


cdef inline void emit_shifted(Request* request, u128 targets, int back, int flags) noexcept nogil:
    """Write a move to each target from the square `back` below it, for all pawns at once."""
    cdef int target
    request.count += count(targets)
    if request.moves == NULL:
        return
    while some(targets):
        target = pop_first(&targets)
        request.moves[0] = <Move>(target | (target + back) << 7 | flags)
        request.moves += 1


# -- Danger and mate by a dropped pawn ---------------------------------------------------------------------------------

cdef u128 danger(const Pos* pos, int king_color, u128 occupancy) noexcept nogil:
    """Squares near the king of `king_color` that the other side attacks. `occupancy` must not contain the king, so that
    sliders attack through it."""
    cdef int them = king_color ^ 1
    cdef int square = pos.king[king_color]
    cdef u128 theirs = pos.by_color[them]
    cdef u128 around = tables.step[BLACK][KING][square]
    cdef u128 found = 0
    cdef u128 movers = theirs & tables.near[square] & ~(pos.by_kind[LANCE] | pos.by_kind[BISHOP] | pos.by_kind[ROOK])
    cdef int from_
    while some(movers):
        from_ = pop_first(&movers)
        found |= tables.step[them][kind_of(pos.board[from_])][from_]
    movers = theirs & (pos.by_kind[BISHOP] | pos.by_kind[HORSE])
    while some(movers):
        from_ = pop_first(&movers)
        if some(tables.bishop_ray[from_] & around):
            found |= bishop_attacks(from_, occupancy)
    movers = theirs & (pos.by_kind[ROOK] | pos.by_kind[DRAGON])
    while some(movers):
        from_ = pop_first(&movers)
        if some(tables.rook_ray[from_] & around):
            found |= rook_attacks(from_, occupancy)
    movers = theirs & pos.by_kind[LANCE]
    while some(movers):
        from_ = pop_first(&movers)
        if some(tables.lance_ray[them][from_] & around):
            found |= lance_attacks(them, from_, occupancy)
    return found


cdef bint mates_by_pawn(const Pos* pos, int square) noexcept nogil:
    """Whether a pawn dropped on `square`, in front of the opponent's king, would mate, which the rules forbid."""
    cdef int us = pos.turn
    cdef int them = us ^ 1
    cdef int king_square = pos.king[them]
    cdef u128 with_pawn = occupied(pos) | bit(square)
    cdef u128 takers = attackers_to(pos, square, with_pawn) & pos.by_color[them] & ~bit(king_square)
    # A pinned piece may capture the pawn only along its line. The dropped pawn blocks the file and pins nothing new.
    cdef u128 pinned_takers = blockers(pos, them, them) & takers
    cdef u128 flights
    if some(takers & ~pinned_takers):
        return False
    while some(pinned_takers):
        if some(tables.line[king_square][pop_first(&pinned_takers)] & bit(square)):
            return False
    # The pawn attacks only the king's square, and it blocks our own sliders.
    flights = tables.step[BLACK][KING][king_square] & ~pos.by_color[them]
    return not some(flights & ~danger(pos, them, with_pawn ^ bit(king_square)))


# -- Pieces on the board -----------------------------------------------------------------------------------------------

cdef inline void piece_moves(Request* request, int kind, int origin, u128 targets,
                             u128 discovering) noexcept nogil:
    """Write the moves of one piece to the squares among `targets` that it attacks. For CHECKS: a move to a square of
    `discovering` gives check, whatever piece moves."""
    cdef const Pos* pos = request.pos
    cdef Purpose purpose = request.purpose
    cdef int us = pos.turn
    cdef u128 reached, promoting, staying
    if kind == KNIGHT or kind == SILVER:
        reached = tables.step[us][kind][origin]
    elif kind == LANCE:
        reached = lance_attacks(us, origin, occupied(pos))
    elif kind == BISHOP:
        reached = bishop_attacks(origin, occupied(pos))
    elif kind == ROOK:
        reached = rook_attacks(origin, occupied(pos))
    elif kind == HORSE:
        reached = bishop_attacks(origin, occupied(pos)) | tables.step[us][HORSE][origin]
    elif kind == DRAGON:
        reached = rook_attacks(origin, occupied(pos)) | tables.step[us][DRAGON][origin]
    else:
        reached = tables.step[us][GOLD][origin]
    reached &= targets
    if not some(reached):
        return
    staying = reached

    if kind == GOLD or kind == HORSE or kind == DRAGON:
        if purpose & CHECKS:
            staying &= request.check_info.squares[kind] | discovering
        emit(request, origin, staying, 0)
        return

    promoting = reached if some(bit(origin) & tables.zone[us]) else reached & tables.zone[us]
    if kind == LANCE or kind == KNIGHT:
        staying &= tables.droppable[us][kind]
    if not purpose & WITH_DOMINATED:
        if kind == BISHOP or kind == ROOK:
            staying &= ~promoting
        elif kind == LANCE:
            # A lance's non-promotion on the second-last rank is dominated: it has one move left there, which a gold
            # has, too.
            staying &= tables.droppable[us][KNIGHT]
    if purpose & CHECKS:
        staying &= request.check_info.squares[kind] | discovering
        promoting &= request.check_info.squares[GOLD if kind < BISHOP else kind + PROMOTED] | discovering
    emit(request, origin, promoting, MOVE_PROMOTE)
    emit(request, origin, staying, 0)


cdef inline u128 discovering_from(const Request* request, int origin) noexcept nogil:
    """For CHECKS: the targets by which the piece on `origin` gives a discovered check."""
    cdef const Pos* pos = request.pos
    if request.purpose & CHECKS and some(request.check_info.discoverers & bit(origin)):
        return ~tables.line[pos.king[pos.turn ^ 1]][origin]
    return 0


cdef inline void kind_moves(Request* request, int kind, u128 free_pieces) noexcept nogil:
    """Write the moves of all unpinned pieces of a kind."""
    cdef const Pos* pos = request.pos
    cdef u128 movers = free_pieces & pos.by_kind[kind]
    cdef int origin
    while some(movers):
        origin = pop_first(&movers)
        piece_moves(request, kind, origin, request.targets, discovering_from(request, origin))


cdef inline void pawn_moves(Request* request, u128 pawns, u128 targets) noexcept nogil:
    """Write the moves of all pawns of a set."""
    cdef const Pos* pos = request.pos
    cdef const CheckInfo* check_info = request.check_info
    cdef Purpose purpose = request.purpose
    cdef int us = pos.turn
    cdef int back = 1 if us == BLACK else -1
    cdef u128 stepped = (pawns >> 1 if us == BLACK else pawns << 1) & targets
    cdef u128 promoting = stepped & tables.zone[us]
    cdef u128 discovering
    if purpose & CHECKS:
        # A pawn leaves the line that it blocks, unless the line is its file.
        discovering = pawns & check_info.discoverers & ~file_set(tables.file[pos.king[us ^ 1]])
        discovering = discovering >> 1 if us == BLACK else discovering << 1
        promoting &= check_info.squares[GOLD] | discovering
        stepped &= check_info.squares[PAWN] | discovering
    emit_shifted(request, promoting, back, MOVE_PROMOTE)
    if purpose & WITH_DOMINATED:
        emit_shifted(request, stepped & tables.droppable[us][PAWN], back, 0)
    else:
        emit_shifted(request, stepped & ~tables.zone[us], back, 0)


cdef inline void pinned_moves(Request* request) noexcept nogil:
    """Write the moves of pinned pieces, along the line to their king. Not in check, where no pinned piece can help."""
    cdef const Pos* pos = request.pos
    cdef u128 movers = pinned(pos)
    cdef u128 line
    cdef int origin, kind
    while some(movers):
        origin = pop_first(&movers)
        kind = kind_of(pos.board[origin])
        line = tables.line[pos.king[pos.turn]][origin]
        if kind == PAWN:
            pawn_moves(request, bit(origin), request.pawn_targets & line)
            continue
        if PRO_PAWN <= kind <= PRO_SILVER:
            kind = GOLD
        piece_moves(request, kind, origin, request.targets & line, discovering_from(request, origin))


# -- Drops -------------------------------------------------------------------------------------------------------------

cdef inline u128 files_without(u128 pawns) noexcept nogil:
    """All squares of the files that hold none of `pawns`; a file holds at most one. Subtracting the pawns from the last
    bits of all files clears that bit in files with a pawn. One more subtraction spreads the remaining bits over their
    files."""
    cdef u128 last_bits = rank_set(8)
    cdef u128 empty = (last_bits - pawns) & last_bits
    return (empty << 1) - (empty >> 8)


cdef inline u128 pawn_drops(const Pos* pos, u128 targets) noexcept nogil:
    """The squares of `targets` on which a pawn may be dropped."""
    cdef int us = pos.turn
    cdef int them = us ^ 1
    cdef u128 front
    targets &= tables.droppable[us][PAWN] & files_without(pieces(pos, us, PAWN))
    if pos.king[them] != NO_SQUARE:
        front = tables.step[them][PAWN][pos.king[them]] & targets
        if some(front) and mates_by_pawn(pos, first(front)):
            targets ^= front
    return targets


cdef inline void drop_moves(Request* request) noexcept nogil:
    cdef const Pos* pos = request.pos
    cdef u128 targets = request.drop_targets
    cdef int us = pos.turn
    cdef Hand hand = pos.hand[us]
    cdef u128 squares
    cdef int kind
    if hand == 0 or not some(targets):
        return
    if hand_has(hand, PAWN):
        squares = targets & request.check_info.squares[PAWN] if request.purpose & CHECKS else targets
        emit(request, PAWN, pawn_drops(pos, squares), MOVE_DROP)
    for kind in range(LANCE, KING):
        if hand_has(hand, kind):
            squares = targets & tables.droppable[us][kind]
            if request.purpose & CHECKS:
                squares &= request.check_info.squares[kind]
            emit(request, kind, squares, MOVE_DROP)


# -- All together ------------------------------------------------------------------------------------------------------

cdef inline int generate(Request* request) noexcept nogil:
    cdef const Pos* pos = request.pos
    cdef int us = pos.turn
    cdef int king_square = pos.king[us]
    cdef u128 free_pieces = pos.by_color[us] & ~pinned(pos)
    cdef u128 king_targets
    if king_square != NO_SQUARE:
        king_targets = request.king_targets & tables.step[BLACK][KING][king_square]
        if request.purpose & CHECKS:
            king_targets &= discovering_from(request, king_square)
        if some(king_targets):
            king_targets &= ~danger(pos, us, occupied(pos) ^ bit(king_square))
            emit(request, king_square, king_targets, 0)
    if some(request.targets | request.pawn_targets):
        pawn_moves(request, free_pieces & pos.by_kind[PAWN], request.pawn_targets)
        kind_moves(request, LANCE, free_pieces)
        kind_moves(request, KNIGHT, free_pieces)
        kind_moves(request, SILVER, free_pieces)
        kind_moves(request, BISHOP, free_pieces)
        kind_moves(request, ROOK, free_pieces)
        kind_moves(request, GOLD, free_pieces)
        kind_moves(request, HORSE, free_pieces)
        kind_moves(request, DRAGON, free_pieces)
        if some(pinned(pos)) and not in_check(pos):
            pinned_moves(request)
    drop_moves(request)
    return request.count


cdef inline void aim(Request* request, u128 targets, u128 pawn_targets, u128 king_targets,
                     u128 drop_targets) noexcept nogil:
    request.targets = targets
    request.pawn_targets = pawn_targets
    request.king_targets = king_targets
    request.drop_targets = drop_targets


cdef inline Request request_for(const Pos* pos, Purpose purpose, Move* moves) noexcept nogil:
    cdef Request request
    request.pos = pos
    request.purpose = purpose
    request.check_info = NULL
    request.moves = moves
    request.count = 0
    aim(&request, 0, 0, 0, 0)
    return request


cdef inline int answer_check(Request* request) noexcept nogil:
    """Write the evasions: king moves and, against a single checker, captures of it and interpositions."""
    cdef const Pos* pos = request.pos
    cdef u128 checkers = pos.state.checkers
    cdef u128 between = 0
    cdef u128 targets = 0
    if not more_than_one(checkers):
        between = tables.between[pos.king[pos.turn]][first(checkers)]
        targets = between | checkers
    aim(request, targets, targets, ~pos.by_color[pos.turn], between)
    return generate(request)


cdef inline int every_move(Request* request) noexcept nogil:
    cdef const Pos* pos = request.pos
    cdef u128 not_ours = all_squares() & ~pos.by_color[pos.turn]
    if in_check(pos):
        return answer_check(request)
    aim(request, not_ours, not_ours, not_ours, all_squares() & ~occupied(pos))
    return generate(request)


cdef int captures(const Pos* pos, Move* moves) noexcept nogil:
    cdef Request request = request_for(pos, USUAL, moves)
    cdef u128 theirs = pos.by_color[pos.turn ^ 1]
    aim(&request, theirs, theirs | (tables.zone[pos.turn] & ~occupied(pos)), theirs, 0)
    return generate(&request)


cdef int quiets(const Pos* pos, Move* moves) noexcept nogil:
    cdef Request request = request_for(pos, USUAL, moves)
    cdef u128 empty = all_squares() & ~occupied(pos)
    aim(&request, empty, empty & ~tables.zone[pos.turn], empty, empty)
    return generate(&request)


cdef int evasions(const Pos* pos, Move* moves) noexcept nogil:
    cdef Request request = request_for(pos, USUAL, moves)
    return answer_check(&request)


cdef int legal(const Pos* pos, Move* moves) noexcept nogil:
    cdef Request request = request_for(pos, WITH_DOMINATED, moves)
    return every_move(&request)


cdef int checks(const Pos* pos, const CheckInfo* check_info, Move* moves) noexcept nogil:
    cdef Request request = request_for(pos, <Purpose>(WITH_DOMINATED | CHECKS), moves)
    request.check_info = check_info
    return every_move(&request) if pos.king[pos.turn ^ 1] != NO_SQUARE else 0


cdef int count_legal(const Pos* pos) noexcept nogil:
    cdef Request request = request_for(pos, WITH_DOMINATED, NULL)
    return every_move(&request)


# -- One move ----------------------------------------------------------------------------------------------------------

cdef bint answers_check(const Pos* pos, int target, bint drop) noexcept nogil:
    """Whether a move to `target` by a piece other than the king ends the check."""
    cdef u128 checkers = pos.state.checkers
    cdef u128 targets
    if not some(checkers):
        return True
    if more_than_one(checkers):
        return False
    targets = tables.between[pos.king[pos.turn]][first(checkers)]
    return some((targets if drop else targets | checkers) & bit(target))


cdef bint is_legal_drop(const Pos* pos, int kind, int target) noexcept nogil:
    cdef int us = pos.turn
    if not PAWN <= kind <= GOLD or not hand_has(pos.hand[us], kind) or pos.board[target]:
        return False
    if not answers_check(pos, target, True):
        return False
    if kind == PAWN:
        return some(pawn_drops(pos, bit(target)))
    return some(tables.droppable[us][kind] & bit(target))


cdef bint is_legal(const Pos* pos, Move move) noexcept nogil:
    cdef int us = pos.turn
    cdef int origin = move_from(move)
    cdef int target = move_to(move)
    cdef int kind
    if target >= SQUARES:
        return False
    if is_drop(move):
        return not is_promotion(move) and is_legal_drop(pos, origin, target)
    if origin >= SQUARES or not some(pos.by_color[us] & bit(origin)) or some(pos.by_color[us] & bit(target)):
        return False
    kind = kind_of(pos.board[origin])
    if not some(attacks_of(us, kind, origin, occupied(pos)) & bit(target)):
        return False
    if is_promotion(move):
        if not can_promote(kind) or not some(tables.zone[us] & (bit(origin) | bit(target))):
            return False
    elif not some(tables.droppable[us][kind] & bit(target)):
        return False
    if kind == KING:
        return not attacked(pos, us ^ 1, target, occupied(pos) ^ bit(origin))
    if some(pinned(pos) & bit(origin)):
        return not in_check(pos) and some(tables.line[pos.king[us]][origin] & bit(target))
    return answers_check(pos, target, False)
