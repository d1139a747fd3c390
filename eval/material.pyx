"""Material evaluation (see material.pxd)."""
from libc.string cimport memset

from engine.board cimport Position
from engine.position cimport PIECE_NUMBERS
from engine.types cimport (DRAGON, KINDS, KING, PAWN, PROMOTED, SQUARES, WHITE, board_place, can_promote, hand_place,
                           make_piece, unpromoted)
from engine.errors import UserError

# In centipawns, by kind. Promoted minor pieces are worth a gold.
cdef int[KINDS] WORTH = [0, 100, 350, 430, 540, 900, 1050, 600, 0, 600, 600, 600, 600, 1120, 1400, 0]


cdef void fill_values() noexcept:
    cdef int color, kind, piece, sign, square, n
    memset(&values, 0, sizeof(Values))
    for color in range(2):
        sign = -1 if color == WHITE else 1
        for kind in range(PAWN, DRAGON + 1):
            piece = make_piece(color, kind)
            for square in range(SQUARES):
                values.place[board_place(piece, square)] = <i16>(sign * WORTH[kind])
            if kind < KING:
                for n in range(1, 19):
                    values.place[hand_place(color, kind, n)] = <i16>(sign * WORTH[kind])
            if kind != KING:
                values.exchange[piece] = <i16>(WORTH[kind] + WORTH[unpromoted(kind)])
            if can_promote(kind):
                values.promotion[piece] = <i16>(WORTH[kind + PROMOTED] - WORTH[kind])

fill_values()


cdef int balance_of(const Pos* pos) noexcept nogil:
    cdef int balance = 0
    cdef int number
    for number in range(PIECE_NUMBERS):
        balance += values.place[pos.place[number]]
    return balance


def balance(Position position not None):
    """Black's material minus White's, in centipawns."""
    return balance_of(&position.pos)


def worth(int piece):
    """The value of a piece (a code of engine.pieces) for Black, in centipawns; the same on the board and in hand.
    Raises UserError for an invalid code."""
    if not 0 <= piece < PIECES:
        raise UserError("{piece} is no piece: codes are below {pieces}", piece=piece, pieces=PIECES)
    return values.place[board_place(piece, 0)]
