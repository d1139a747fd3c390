"""The feature index (see features.pxd)."""
from engine.board cimport Position
from engine.types cimport (BISHOP, BLACK, DRAGON, GOLD, HAND_PLACE, HORSE, KNIGHT, LANCE, NO_SQUARE, PAWN, PRO_KNIGHT,
                           PRO_LANCE, PRO_PAWN, PRO_SILVER, ROOK, SILVER, SQUARES, SQUARE_ROW, WHITE, board_place,
                           hand_place, make_piece)


cdef void fill_index() noexcept:
    cdef int* kinds_in_hand = [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK]
    cdef int* units = [18, 4, 4, 4, 4, 2, 2]
    cdef int* kinds_on_board = [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, HORSE, ROOK, DRAGON]
    cdef int* golds = [PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER]
    cdef int i, j, n, color, square, feature
    cdef int start = 0
    for i in range(7):
        for color in range(2):
            for n in range(units[i] + 1):
                feature = start + n
                inverse[feature] = <u16>(feature + (-1 if color == WHITE else 1) * (units[i] + 1))
                mirror[feature] = <u16>feature
                if n:
                    index[hand_place(color, kinds_in_hand[i], n)] = <u16>feature
            start += units[i] + 1
    for i in range(9):
        for color in range(2):
            for square in range(SQUARES):
                feature = start + square
                inverse[feature] = <u16>(start + (-1 if color == WHITE else 1) * SQUARES + inverse_square(square))
                mirror[feature] = <u16>(start + mirror_square(square))
                index[board_place(make_piece(color, kinds_on_board[i]), square)] = <u16>feature
                if kinds_on_board[i] == GOLD:
                    for j in range(4):
                        index[board_place(make_piece(color, golds[j]), square)] = <u16>feature
            start += SQUARES


fill_index()

INVERSE = tuple(inverse)
MIRROR = tuple(mirror)


def features_of(Position position not None):
    """The squares of Black's and White's king (81: none) and the features of all other pieces, by piece number, in
    Black's view: (int, int, int[38])."""
    cdef int number
    features = [index[position.pos.place[number]] for number in range(LISTED)]
    return position.pos.king[BLACK], position.pos.king[WHITE], features


def pieces_of(Position position not None):
    """All pieces in play but the kings, by piece number, as tuples (feature, piece, square, unit). `piece` is a code of
    engine.pieces. In hand the square is 81 and `unit` numbers the pieces of a kind from 1; on the board it is 0."""
    cdef int number, place, at
    pieces = []
    for number in range(LISTED):
        place = position.pos.place[number]
        at = place % SQUARE_ROW
        if place:
            pieces.append((index[place], place // SQUARE_ROW, min(at, NO_SQUARE), max(at - HAND_PLACE, 0)))
    return pieces
