"""Reading and writing SFEN without Python objects for the squares (see fastsfen.pxd)."""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeASCII
from libc.string cimport memset

from engine.position cimport attacked, clear, give, occupied, put, settle
from engine.types cimport (BLACK, GOLD, KING, KNIGHT, NO_PIECE, NO_SQUARE, PAWN, PIECES, PROMOTED, SQUARES, WHITE,
                           color_of, file_of, hand_count, kind_of, make_piece, rank_of, u32)

from engine.errors import Phrase, UserError
from engine.pieces import HAND_ORDER, LETTERS, SET, SIDES
from engine.sfen import MAX_MOVE_NUMBER, SYMBOLS, parse_sfen

cdef enum:
    UNKNOWN = 255
    LONGEST_SFEN = 256          # characters; no SFEN is longer

cdef u8[128] piece_of           # by letter, without promotion
cdef char[PIECES] letter_of     # by piece; promoted pieces have their unpromoted letter
cdef int[9] full_set = SET
cdef int[7] hand_order = HAND_ORDER
cdef int largest_ply = MAX_MOVE_NUMBER


cdef void fill_letters():
    cdef int kind, color, piece
    memset(piece_of, UNKNOWN, sizeof(piece_of))
    for kind in range(PAWN, KING + 1):
        for color in range(2):
            letter = LETTERS[kind].lower() if color else LETTERS[kind]
            piece_of[<u8>ord(letter)] = <u8>make_piece(color, kind)
    for piece, symbol in SYMBOLS.items():
        letter_of[piece] = <char>ord(symbol.lstrip("+"))

fill_letters()


cdef bint may_stand(const u8* board) noexcept nogil:
    cdef int square, kind, color, depth
    cdef u32[2] pawns           # files that hold one, a bit each
    pawns[BLACK] = pawns[WHITE] = 0
    for square in range(SQUARES):
        kind = kind_of(board[square])
        if PAWN <= kind <= KNIGHT:
            color = color_of(board[square])
            depth = rank_of(square) if color == BLACK else 8 - rank_of(square)
            if depth < (2 if kind == KNIGHT else 1):
                return False
            if kind == PAWN:
                if pawns[color] >> file_of(square) & 1:
                    return False
                pawns[color] |= <u32>1 << file_of(square)
    return True


cdef void place(Pos* pos, const u8* board, int[9]* held, int turn, int ply) noexcept nogil:
    """Set up and settle a position: its pieces by square, and those in hand by side and kind."""
    cdef int square, color, kind
    clear(pos)
    for square in range(SQUARES):
        if board[square]:
            put(pos, board[square], square)
    for color in range(2):
        for kind in range(PAWN, KING):
            if held[color][kind]:
                give(pos, color, kind, held[color][kind])
    settle(pos, turn, ply)


cdef inline bint is_digit(char letter) noexcept nogil:
    return c'0' <= letter <= c'9'


cdef bint read_sfen(Pos* pos, const char* text, Py_ssize_t length) noexcept nogil:
    """Set up and settle the position of an SFEN. False, with `pos` in any state, if `parse_sfen` might refuse the text
    or it is written unusually."""
    cdef const char* end = text + length
    cdef u8[SQUARES] board
    cdef int[2][9] held
    cdef int[9] left = full_set
    cdef int[2] kings
    cdef int rank = 0
    cdef int file = 8           # file of the next square, 0 to the right; -1 when the row is full
    cdef int turn, color, kind, count, piece, promoted
    cdef int ply = 1
    cdef bint after_number = False
    memset(board, NO_PIECE, sizeof(board))
    memset(held, 0, sizeof(held))
    kings[BLACK] = kings[WHITE] = 0
    while text < end and text[0] != c' ':
        if text[0] == c'/':
            if file >= 0 or rank == 8:
                return False
            rank += 1
            file = 8
            after_number = False
        elif is_digit(text[0]):
            file -= text[0] - c'0'
            if after_number or text[0] == c'0' or file < -1:
                return False
            after_number = True
        else:
            promoted = 0
            if text[0] == c'+':
                text += 1
                promoted = PROMOTED
                if text == end:
                    return False
            piece = piece_of[<u8>text[0]] if <u8>text[0] < 128 else UNKNOWN
            if piece == UNKNOWN or file < 0:
                return False
            kind = kind_of(piece)
            if promoted and kind >= GOLD:
                return False
            if kind == KING:
                kings[color_of(piece)] += 1
                if kings[color_of(piece)] > 1:
                    return False
            else:
                left[kind] -= 1
                if left[kind] < 0:
                    return False
            board[9 * file + rank] = <u8>(piece + promoted)
            file -= 1
            after_number = False
        text += 1
    # The rest after the board, such as " b - 1"; the number may be missing.
    if rank != 8 or file >= 0 or end - text < 4 or text[2] != c' ' or text[1] != c'b' and text[1] != c'w':
        return False
    turn = BLACK if text[1] == c'b' else WHITE
    text += 3
    if text[0] == c'-':
        text += 1
    else:
        while text < end and text[0] != c' ':
            count = 1
            if is_digit(text[0]):
                count = text[0] - c'0'
                text += 1
                if count and text < end and is_digit(text[0]):
                    count = 10 * count + text[0] - c'0'
                    text += 1
            piece = piece_of[<u8>text[0]] if text < end and <u8>text[0] < 128 else UNKNOWN
            if piece == UNKNOWN or count == 0:
                return False
            kind = kind_of(piece)
            color = color_of(piece)
            if kind == KING or held[color][kind] or count > left[kind]:
                return False
            held[color][kind] = count
            left[kind] -= count
            text += 1
    if text < end:
        text += 1
        if not 1 <= end - text <= 5 or (text - 1)[0] != c' ':
            return False
        ply = 0
        while text < end:
            if not is_digit(text[0]):
                return False
            ply = 10 * ply + text[0] - c'0'
            text += 1
        ply = max(ply, 1)
    if not may_stand(board):
        return False
    place(pos, board, held, turn, ply)
    return True


cdef set_sfen(Pos* pos, str sfen):
    cdef Py_ssize_t length
    cdef u8[SQUARES] board
    cdef int[2][9] held
    cdef int square, color, kind
    if sfen.isascii() and read_sfen(pos, PyUnicode_AsUTF8AndSize(sfen, &length), length):
        return
    pieces, hands, turn, ply = parse_sfen(sfen)
    for square in range(SQUARES):
        board[square] = pieces[square]
    for color in range(2):
        for kind in range(PAWN, KING):
            held[color][kind] = hands[color][kind]
    place(pos, board, held, turn, ply)


cdef require_no_check(const Pos* pos, str sfen):
    cdef int waiting = pos.turn ^ 1
    if pos.king[waiting] != NO_SQUARE and attacked(pos, pos.turn, pos.king[waiting], occupied(pos)):
        raise UserError("{waiting} is in check, but it is {side}'s turn", waiting=Phrase(SIDES[waiting]),
                        side=Phrase(SIDES[pos.turn])).at(repr(sfen))


cdef inline char* write_number(char* text, int number) noexcept nogil:
    """Write a number of at most six digits; returns the end of the text."""
    cdef char[6] digits
    cdef int count = 0
    while True:
        digits[count] = <char>(c'0' + number % 10)
        count += 1
        number //= 10
        if not number:
            break
    while count:
        count -= 1
        text[0] = digits[count]
        text += 1
    return text


cdef int write_sfen(const Pos* pos, char* text) noexcept nogil:
    """Write the canonical SFEN to `text`, which has room for LONGEST_SFEN characters. Returns its length."""
    cdef char* start = text
    cdef int rank, file, piece, color, i, count
    cdef int empty
    for rank in range(9):
        empty = 0
        for file in range(8, -1, -1):
            piece = pos.board[9 * file + rank]
            if piece == NO_PIECE:
                empty += 1
                continue
            if empty:
                text = write_number(text, empty)
                empty = 0
            if kind_of(piece) > KING:
                text[0] = c'+'
                text += 1
            text[0] = letter_of[piece]
            text += 1
        if empty:
            text = write_number(text, empty)
        text[0] = c'/' if rank < 8 else c' '
        text += 1
    text[0] = c'b' if pos.turn == BLACK else c'w'
    text[1] = c' '
    text += 2
    if not pos.hand[BLACK] and not pos.hand[WHITE]:
        text[0] = c'-'
        text += 1
    for color in range(2):
        for i in range(7):
            count = hand_count(pos.hand[color], hand_order[i])
            if count > 1:
                text = write_number(text, count)
            if count:
                text[0] = letter_of[make_piece(color, hand_order[i])]
                text += 1
    text[0] = c' '
    return <int>(write_number(text + 1, min(pos.ply, largest_ply)) - start)


cdef str sfen_of(const Pos* pos):
    cdef char[LONGEST_SFEN] text
    return PyUnicode_DecodeASCII(text, write_sfen(pos, text), NULL)
