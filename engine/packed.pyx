"""Positions in 32 bytes and moves in 16 bits (see packed.pxd)."""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memcpy, memset

from engine.board cimport Position
from engine.fastsfen cimport may_stand, require_no_check, sfen_of
from engine.movetext cimport move_of, usi_of
from engine.position cimport clear, give, put, settle
from engine.types cimport (BISHOP, BLACK, GOLD, KING, KNIGHT, LANCE, NO_PIECE, PAWN, PIECES, PROMOTED, ROOK, SILVER,
                           SQUARE_ROW, WHITE, board_place, can_promote, color_of, hand_place, kind_of, make_piece,
                           unpromoted)

from engine.errors import Listed, UserError, text, whole
from engine.pieces import SET
from engine.sfen import parse_sfen

CODINGS = {"hcp": APERY, "psfen": YANEURAOU}

# Codes by kind, PAWN to GOLD, first bit first, for each coding. On the board, bits for side and promotion follow (for a
# gold only the side), in hand the side, in the box nothing.
_BOARD = ("10 1100 1110 1101 111110 111111 11110", "10 1100 1101 1110 111110 111111 11110")
_HAND = ("00 1000 1100 1010 111110 111111 1110", "00 1000 1010 1100 111100 111110 1110")
_BOX = ("010 10010 11010 10110 1111000 1111010 10111", "010 10010 10110 11010 1111010 1111110 11011")

cdef enum:
    LONGEST_CODE = 8
    WINDOW = 1 << LONGEST_CODE
    PACKED_BITS = 8 * PACKED_BYTES
    BOXED = 64                      # + kind: a piece in the box

cdef struct Code:
    u8 bits
    u8 length                       # 0: there is no such code

cdef struct Meaning:
    u8 piece                        # in `loose`: in hand, or BOXED + kind
    u8 length                       # 0: no code begins with these bits

cdef struct Codebook:                # first index: coding
    Code board_code[2][PIECES]
    Code hand_code[2][PIECES]
    Code box_code[2][8]
    Meaning on_board[2][WINDOW]     # index: the next bits
    Meaning loose[2][WINDOW]

cdef Codebook book
cdef int[8] full_set = SET[:8]
cdef int[7] HAND_KINDS = [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK]      # the order of hands


cdef Code add_code(Meaning* meanings, str bits, int piece):
    """Enter a code, written as "01…", and its meaning for every window that begins with it. Returns the code."""
    cdef Code code
    cdef int rest
    code.bits = <u8>int(bits[::-1], 2)
    code.length = <u8>len(bits)
    for rest in range(1 << (LONGEST_CODE - code.length)):
        meanings[code.bits | rest << code.length] = Meaning(piece, code.length)
    return code


cdef void fill_book():
    cdef int coding, kind, color, promoted, piece
    memset(&book, 0, sizeof(Codebook))
    for coding in range(2):
        board, hand, box = (codes[coding].split() for codes in (_BOARD, _HAND, _BOX))
        book.board_code[coding][NO_PIECE] = add_code(book.on_board[coding], "0", NO_PIECE)
        for kind in range(PAWN, KING):
            for color in range(2):
                for promoted in range(2 if can_promote(kind) else 1):
                    flags = f"{color}{promoted}" if coding == APERY else f"{promoted}{color}"
                    piece = make_piece(color, kind + PROMOTED * promoted)
                    book.board_code[coding][piece] = add_code(
                        book.on_board[coding], board[kind - 1] + (flags if can_promote(kind) else str(color)), piece)
                piece = make_piece(color, kind)
                book.hand_code[coding][piece] = add_code(book.loose[coding], hand[kind - 1] + str(color), piece)
            book.box_code[coding][kind] = add_code(book.loose[coding], box[kind - 1], BOXED + kind)

fill_book()


# -- Bits --------------------------------------------------------------------------------------------------------------

cdef inline int window(const u8* bytes, int start) noexcept nogil:
    """The next WINDOW bits from `start` on. The byte after the last must be readable."""
    return ((bytes[start >> 3] | bytes[(start >> 3) + 1] << 8) >> (start & 7)) & (WINDOW - 1)


cdef inline int append(u8* bytes, int end, Code code) noexcept nogil:
    """Append a code to the bits written so far; returns the new end."""
    cdef int shifted = code.bits << (end & 7)
    bytes[end >> 3] |= <u8>(shifted & 255)
    bytes[(end >> 3) + 1] |= <u8>(shifted >> 8)
    return end + code.length


cdef bint unpack(Placed* placed, const u8* packed, int coding) noexcept nogil:
    cdef u8[PACKED_BYTES + 1] bits
    cdef int[8] left = full_set
    cdef int[PIECES] held
    cdef Meaning meaning
    cdef int square, kind
    cdef int at = 15
    memcpy(bits, packed, PACKED_BYTES)
    bits[PACKED_BYTES] = 0
    memset(held, 0, sizeof(held))
    placed.turn = bits[0] & 1
    placed.king[BLACK] = window(bits, 1) & 127
    placed.king[WHITE] = window(bits, 8) & 127
    placed.count = 0
    if max(placed.king[BLACK], placed.king[WHITE]) >= SQUARES or placed.king[BLACK] == placed.king[WHITE]:
        return False
    for square in range(SQUARES):
        if square == placed.king[BLACK] or square == placed.king[WHITE]:
            continue
        meaning = book.on_board[coding][window(bits, at)]
        at += meaning.length
        if at > PACKED_BITS:
            return False
        if meaning.piece == NO_PIECE:
            continue
        kind = unpromoted(kind_of(meaning.piece))
        left[kind] -= 1
        if left[kind] < 0:
            return False
        placed.place[placed.count] = board_place(meaning.piece, square)
        placed.count += 1
    while at < PACKED_BITS:
        meaning = book.loose[coding][window(bits, at)]
        at += meaning.length
        kind = meaning.piece & 7
        left[kind] -= 1
        if meaning.length == 0 or left[kind] < 0:
            return False
        if meaning.piece < BOXED:
            held[meaning.piece] += 1
            placed.place[placed.count] = hand_place(color_of(meaning.piece), kind, held[meaning.piece])
            placed.count += 1
    return at == PACKED_BITS


cdef bint pack(u8* packed, const Placed* placed, int coding) noexcept nogil:
    cdef u8[PACKED_BYTES + 2] bits
    cdef u8[SQUARES] board
    cdef int[8] left = full_set
    cdef int[PIECES] held
    cdef Place place
    cdef int i, _, square, piece, color
    cdef int end = 15
    if max(placed.king[BLACK], placed.king[WHITE]) >= SQUARES:
        return False
    memset(bits, 0, sizeof(bits))
    memset(board, 0, sizeof(board))
    memset(held, 0, sizeof(held))
    for i in range(placed.count):
        place = placed.place[i]
        piece = place >> 7
        left[unpromoted(kind_of(piece))] -= 1
        if place & (SQUARE_ROW - 1) < SQUARES:
            board[place & (SQUARE_ROW - 1)] = <u8>piece
        else:
            held[piece] += 1
    bits[0] = <u8>((placed.turn | placed.king[BLACK] << 1) & 255)
    bits[1] = <u8>placed.king[WHITE]
    for square in range(SQUARES):
        if square != placed.king[BLACK] and square != placed.king[WHITE]:
            end = append(bits, end, book.board_code[coding][board[square]])
    for color in range(2):
        for i in range(7):
            piece = make_piece(color, HAND_KINDS[i])
            for _ in range(held[piece]):
                end = append(bits, end, book.hand_code[coding][piece])
    for i in range(7):
        for _ in range(left[HAND_KINDS[i]]):
            end = append(bits, end, book.box_code[coding][HAND_KINDS[i]])
    memcpy(packed, bits, PACKED_BYTES)
    return True


cdef void set_up(Pos* pos, const Placed* placed) noexcept nogil:
    cdef Place place
    cdef int i, piece
    clear(pos)
    put(pos, make_piece(BLACK, KING), placed.king[BLACK])
    put(pos, make_piece(WHITE, KING), placed.king[WHITE])
    for i in range(placed.count):
        place = placed.place[i]
        piece = place >> 7
        if place & (SQUARE_ROW - 1) < SQUARES:
            put(pos, piece, place & (SQUARE_ROW - 1))
        else:
            give(pos, color_of(piece), kind_of(piece), 1)
    settle(pos, placed.turn, 1)


cdef bint place_all(Placed* placed, const Pos* pos) noexcept nogil:
    cdef int number
    placed.turn = pos.turn
    placed.king[BLACK] = pos.king[BLACK]
    placed.king[WHITE] = pos.king[WHITE]
    placed.count = 0
    for number in range(OTHER_PIECES):
        if pos.place[number]:
            placed.place[placed.count] = pos.place[number]
            placed.count += 1
    return max(placed.king[BLACK], placed.king[WHITE]) < SQUARES


# -- The Python face ---------------------------------------------------------------------------------------------------

cdef int coding_of(str name) except -1:
    if name not in CODINGS:
        raise UserError("{name!r} is no coding of positions; it is one of {codings}", name=name,
                        codings=Listed(CODINGS))
    return CODINGS[name]


def packed(Position position not None, str coding not None="psfen"):
    """The position in 32 bytes, in coding "hcp" (Apery) or "psfen" (YaneuraOu). Raises UserError if a king is missing.

    >>> from engine import Position
    >>> unpacked(packed(Position(), "hcp"), "hcp").sfen == Position().sfen
    True
    """
    cdef Placed placed
    cdef u8[PACKED_BYTES] bits
    cdef int chosen = coding_of(coding)
    if not place_all(&placed, &position.pos):
        raise UserError("{sfen!r} cannot be packed: a king is missing", sfen=position.sfen)
    pack(bits, &placed, chosen)
    return PyBytes_FromStringAndSize(<char*>bits, PACKED_BYTES)


def unpacked(bytes bits not None, str coding not None="psfen"):
    """The position packed into 32 bytes; its ply, which is not packed, is 1. Raises UserError if the bytes hold no
    legal position."""
    cdef Placed placed
    cdef int chosen = coding_of(coding)
    cdef Position position = Position.__new__(Position)
    if len(bits) != PACKED_BYTES:
        raise UserError("{hex} is {count} bytes long; a packed position has {wanted}", hex=bits.hex(),
                        count=len(bits), wanted=PACKED_BYTES)
    if not unpack(&placed, <const u8*><const char*>bits, chosen):
        raise UserError("{hex} is no position packed as {coding}", hex=bits.hex(), coding=coding)
    set_up(&position.pos, &placed)
    position.initial_sfen = sfen_of(&position.pos)
    if not may_stand(position.pos.board):
        parse_sfen(position.initial_sfen)       # raises an error that says why the position is refused
    require_no_check(&position.pos, position.initial_sfen)
    return position


def move16(usi, str coding not None="psfen"):
    """A USI move in 16 bits, in this coding. Raises UserError if the text is no move.

    >>> move16("7g7f"), move16("P*5e", "hcp")
    (7739, 10408)
    """
    cdef Move move = move_of(text("usi", usi))
    return apery_move(move) if coding_of(coding) == APERY else move


def usi(move, str coding not None="psfen"):
    """The move coded by 16 bits, in USI; "" for 0 (no move). Raises UserError if they code no move."""
    cdef u16 bits = whole("move", move, 0, 0xFFFF)
    cdef Move own = move_of_apery(bits) if coding_of(coding) == APERY else bits
    cdef bint known = move_to(own) < SQUARES
    if not bits:
        return ""
    if is_drop(own):
        known = known and PAWN <= dropped_kind(own) <= GOLD and not is_promotion(own)
    else:
        known = known and move_from(own) < SQUARES and move_from(own) != move_to(own)
    if not known:
        raise UserError("{bits:#06x} is no move in 16 bits of the kind that goes with {coding}", bits=bits,
                        coding=coding)
    return usi_of(own)
