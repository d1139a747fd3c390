"""Consistency checks of a position (see validate.pxd)."""
from engine.bitboard cimport some
from engine.position cimport PIECE_NUMBERS, State, clear, give, pinned, put, settle
from engine.types cimport KINDS, KING, PAWN, SQUARES, board_place, hand_count, hand_place
cdef const char* board_fault(const Pos* pos, const Pos* fresh) noexcept nogil:
    cdef int i
    for i in range(KINDS):
        if pos.by_kind[i] != fresh.by_kind[i]:
            return "by_kind"
    for i in range(2):
        if pos.by_color[i] != fresh.by_color[i]:
            return "by_color"
        if pos.king[i] != fresh.king[i]:
            return "king"
    if pos.missing_points != fresh.missing_points:
        return "missing_points"
    return NULL


cdef const char* number_fault(const Pos* pos) noexcept nogil:
    """Check that places and piece numbers refer to each other, one of each for every piece in play."""
    cdef int square, color, kind, n, number, held
    cdef int in_play = 0
    for square in range(SQUARES):
        number = pos.number[square]
        if pos.board[square]:
            in_play += 1
            if pos.place[number] != board_place(pos.board[square], square):
                return "place"
        elif number:
            return "number"
    for color in range(2):
        for kind in range(PAWN, KING):
            held = hand_count(pos.hand[color], kind)
            in_play += held
            for n in range(1, 19):
                number = pos.hand_number[color][kind][n]
                if n > held and number:
                    return "hand_number"
                if n <= held and pos.place[number] != hand_place(color, kind, n):
                    return "place"
    for number in range(PIECE_NUMBERS):
        in_play -= pos.place[number] != 0
    if in_play != 0:
        return "place"
    return NULL


cdef const char* state_fault(const Pos* pos, const Pos* fresh_pos) noexcept nogil:
    cdef const State* state = pos.state
    cdef const State* fresh = fresh_pos.state
    cdef const State* previous
    cdef int mover = pos.turn ^ 1
    if state.board_key != fresh.board_key:
        return "board_key"
    if state.hand_key != fresh.hand_key:
        return "hand_key"
    if state.checkers != fresh.checkers:
        return "checkers"
    if pinned(pos) != pinned(fresh_pos):
        return "pinned"
    if state.hand != fresh.hand:
        return "hand"
    if state.plies > 0:
        previous = state - 1
        if state.plies != previous.plies + 1:
            return "plies"
        if state.checks[mover] != (previous.checks[mover] + 1 if some(fresh.checkers) else 0):
            return "checks"
        if state.checks[mover ^ 1] != previous.checks[mover ^ 1]:
            return "checks"
        if state.dirty.count != (2 if state.captured else 1):
            return "dirty"
        if pos.place[state.dirty.number[0]] != state.dirty.after[0]:
            return "dirty"
        if state.captured and pos.place[state.dirty.number[1]] != state.dirty.after[1]:
            return "dirty"
    return NULL


cdef const char* find_fault(const Pos* pos) noexcept nogil:
    cdef Pos fresh
    cdef State state
    cdef int square, color, kind
    cdef const char* fault
    fresh.states = &state
    fresh.capacity = 1
    clear(&fresh)
    for square in range(SQUARES):
        if pos.board[square]:
            put(&fresh, pos.board[square], square)
    for color in range(2):
        for kind in range(PAWN, KING):
            give(&fresh, color, kind, hand_count(pos.hand[color], kind))
    settle(&fresh, pos.turn, pos.ply)
    fault = board_fault(pos, &fresh)
    if fault == NULL:
        fault = number_fault(pos)
    if fault == NULL:
        fault = state_fault(pos, &fresh)
    return fault


cdef void check_position(const Pos* pos) noexcept nogil:
    cdef const char* fault = find_fault(pos)
    if fault != NULL:
        with gil:
            raise AssertionError(f"{fault.decode()} differs from its recomputation at ply {pos.ply}")
