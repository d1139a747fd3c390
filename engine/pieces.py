"""The codes of squares and pieces of `engine/types.pxd`, for Python.

A square is `file * 9 + rank`: file 0 is "1", rank 0 is "a". A kind is 1..14, promotion adding 8; a piece is its kind,
plus 16 if it is White's; 0 is an empty square. A side is 0 for Black (sente), 1 for White (gote).
"""
from engine.errors import UserError

SQUARES = 81

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED = 8            # added to a kind
PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER, HORSE, DRAGON = range(PAWN + PROMOTED, ROOK + PROMOTED + 1)
WHITE_PIECE = 16        # added to a piece
SIDES = ("Black", "White")

LETTERS = " PLNSBRGK"                                       # by kind
HAND_ORDER = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)
SET = (0, 18, 4, 4, 4, 2, 2, 4, 2)                          # pieces of each kind in a set
NAMES = ("", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king",         # by kind
         "tokin", "promoted lance", "promoted knight", "promoted silver", "horse", "dragon")
STUCK_RANKS = {PAWN: 1, LANCE: 1, KNIGHT: 2}                # number of farthest ranks on which a kind could not move
FILES = "123456789"
RANKS = "abcdefghi"


def square_index(name: str) -> int:
    """The number of a square, from its USI name.

    >>> square_index("7g")
    60
    """
    return FILES.index(name[0]) * 9 + RANKS.index(name[1])


def square_name(square: int) -> str:
    """The USI name of a square.

    >>> square_name(60)
    '7g'
    """
    return FILES[square // 9] + RANKS[square % 9]


def ranks_ahead(square: int, side: int) -> int:
    """The number of ranks between a square and the edge that the side moves towards.

    >>> ranks_ahead(60, 0), ranks_ahead(60, 1)
    (6, 2)
    """
    return 8 - square % 9 if side else square % 9


def square_digits(name: str) -> str:
    """The two digits by which CSA and KIF name a square, from its USI name.

    >>> square_digits("7g")
    '77'
    """
    return name[0] + FILES[RANKS.index(name[1])]


def square_of_digits(digits: str) -> str:
    """The inverse of `square_digits`. Raises UserError unless these are two digits from 1 to 9.

    >>> square_of_digits("77")
    '7g'
    """
    if len(digits) != 2 or digits[0] not in FILES or digits[1] not in FILES:
        raise UserError("{digits!r} is no square; squares run from 11 to 99", digits=digits)
    return digits[0] + RANKS[FILES.index(digits[1])]


def row_slice(rank: int) -> slice:
    """The squares of a rank in a board of 81, from file 9 to file 1, as a diagram shows them."""
    return slice(72 + rank, None, -9)
