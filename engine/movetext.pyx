"""Squares and moves in USI notation."""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeASCII

from engine.bitboard cimport pop_first
from engine.types cimport (KING, MOVE_NULL, PAWN, dropped_kind, file_of, is_drop, is_promotion, make_drop, make_move,
                           make_promotion, move_from, move_to, rank_of)

from engine.errors import UserError
from engine.pieces import FILES, LETTERS, RANKS, square_name
from engine.sfen import NULL_MOVE

cdef str HAND_LETTERS = LETTERS[:KING]      # by kind
cdef bytes hand_bytes = HAND_LETTERS.encode()
cdef const char* hand_letters = hand_bytes


cdef int square_of(str text, int start) except -1:
    cdef int file = FILES.find(text[start])
    cdef int rank = RANKS.find(text[start + 1])
    if file < 0 or rank < 0:
        raise UserError("{text!r} names no square at {part!r}; squares run from 1a to 9i", text=text,
                        part=text[start:start + 2])
    return file * 9 + rank


cdef inline void write_square(char* text, int square) noexcept:
    text[0] = <char>(c'1' + file_of(square))
    text[1] = <char>(c'a' + rank_of(square))


cdef str usi_of(Move move):
    cdef char[5] text
    if move == MOVE_NULL:
        return NULL_MOVE
    write_square(text + 2, move_to(move))
    text[4] = c'+'
    if is_drop(move):
        text[0] = hand_letters[dropped_kind(move)]
        text[1] = c'*'
    else:
        write_square(text, move_from(move))
    return PyUnicode_DecodeASCII(text, 5 if is_promotion(move) else 4, NULL)


cdef list square_names(u128 squares):
    names = []
    while squares:
        names.append(square_name(pop_first(&squares)))
    return names


cdef inline int square_at(const char* text) noexcept:
    """The square named by two characters, -1 if they name none."""
    return 9 * (text[0] - c'1') + text[1] - c'a' if c'1' <= text[0] <= c'9' and c'a' <= text[1] <= c'i' else -1


cdef Move move_of(str usi) except? 0:
    cdef int kind, origin, target
    cdef Py_ssize_t length = 0
    cdef const char* text = PyUnicode_AsUTF8AndSize(usi, &length) if usi.isascii() else NULL
    if length == 4 or length == 5 and text[4] == c'+':
        origin, target = square_at(text), square_at(text + 2)
        if origin >= 0 and target >= 0:
            return make_move(origin, target) if length == 4 else make_promotion(origin, target)
    # A drop, or an error to explain.
    if len(usi) == 4 and usi[1] == "*":
        kind = HAND_LETTERS.find(usi[0])
        if kind < PAWN:
            raise UserError("{text!r} drops no piece; a drop is written as in P*5e, with one of PLNSGBR", text=usi)
        return make_drop(kind, square_of(usi, 2))
    if len(usi) == 4:
        return make_move(square_of(usi, 0), square_of(usi, 2))
    if len(usi) == 5 and usi[4] == "+":
        return make_promotion(square_of(usi, 0), square_of(usi, 2))
    raise UserError("{text!r} is not a move; write it as 7g7f, 2b3c+ or P*5e", text=usi)
