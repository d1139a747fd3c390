"""The Japanese board picture (BOD), as Kakinoki Shogi draws it and KIF files carry it."""

from engine.notation.japanese import FILE_DIGITS, KIND_NAMES, MARKS, RANK_DIGITS, SIDE_NAMES, hand, square_name
from engine.notation.pieces import FILES, LETTERS, PROMOTED, RANKS, WHITE_PIECE, row_slice
from engine.notation.sfen import Placement

_EDGE = "+" + 27 * "-" + "+"


def draw(placement: Placement, last_move: str | None = None) -> str:
    """Picture a position, with the USI move that led to it, if given. A `v` marks White's pieces.

    >>> from engine.notation.sfen import parse_sfen
    >>> print(draw(parse_sfen("4k4/4+P4/9/9/9/9/9/9/9 w GPr 42"), "5c5b+"))
    後手の持駒：飛
      ９ ８ ７ ６ ５ ４ ３ ２ １
    +---------------------------+
    | ・ ・ ・ ・v玉 ・ ・ ・ ・|一
    | ・ ・ ・ ・ と ・ ・ ・ ・|二
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|三
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|四
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|五
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|六
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|七
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|八
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|九
    +---------------------------+
    先手の持駒：金　歩
    手数＝41  ▲５二歩成  まで
    後手番
    """
    rows = (
        "|" + "".join(_cell(piece) for piece in placement.board[row_slice(rank)]) + "|" + RANK_DIGITS[rank]
        for rank in range(9)
    )
    return "\n".join((
        f"{SIDE_NAMES[1]}の持駒：{hand(placement.hands[1])}",
        "  " + " ".join(reversed(FILE_DIGITS)),
        _EDGE,
        *rows,
        _EDGE,
        f"{SIDE_NAMES[0]}の持駒：{hand(placement.hands[0])}",
        f"手数＝{placement.ply - 1}  {_last_move(placement, last_move)}まで",
        f"{SIDE_NAMES[placement.turn]}番",
    ))


def _cell(piece: int) -> str:
    return ("v" if piece >= WHITE_PIECE else " ") + KIND_NAMES[piece % WHITE_PIECE]


def _last_move(placement: Placement, usi: str | None) -> str:
    if usi is None:
        return ""
    target = FILES.index(usi[2]) * 9 + RANKS.index(usi[3])
    promotes, drops = usi.endswith("+"), usi[1] == "*"
    kind = LETTERS.index(usi[0]) if drops else placement.board[target] % WHITE_PIECE - PROMOTED * promotes
    suffix = "打" if drops else "成" if promotes else ""
    return f"{MARKS[1 - placement.turn]}{square_name(target)}{KIND_NAMES[kind]}{suffix}  "
