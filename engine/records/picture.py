"""The Japanese board picture (BOD), as Kakinoki Shogi draws it and KIF files carry it."""

import re
from collections.abc import Iterable

from engine.errors import UserError
from engine.pieces import LETTERS, PROMOTED, SQUARES, WHITE_PIECE, row_slice, square_index
from engine.records.japanese import (
    EMPTY_HANDS,
    FILE_DIGITS,
    KIND_NAMES,
    RANK_DIGITS,
    SIDE_MARKS,
    SIDE_NAMES,
    hand,
    parse_hand,
    square_name,
)
from engine.sfen import Placement

_EDGE = "+" + 27 * "-" + "+"

_SIDES = {"先手": 0, "下手": 0, "後手": 1, "上手": 1} | {mark: side for side, marks in enumerate(("▲☗▼", "△☖▽"))
                                                          for mark in marks}
_SIDE = "|".join(_SIDES)
_ROW = re.compile(r"[|｜](.*)[|｜].*")
_HAND = re.compile(rf"({_SIDE})の?持ち?駒\s*[：:](.*)")
_COUNT = re.compile(r"手数\s*[＝=]\s*([0-9]{1,5})\b.*", re.ASCII)
_TURN = re.compile(rf"({_SIDE})番[：:]?|手番\s*[：:＝=]\s*({_SIDE})番?")
_FRAME = re.compile(r"[\s1-9１-９]+|\+[-－ー─+]+\+?")
# Whose a piece is: some programs write V for White's, some ^. Where v stands for White's, ^ is Black's.
_WHITE, _EITHER = "vVｖＶ", "^＾"
_OTHER_NAMES = str.maketrans("王竜･．.　 *＊□", "玉龍・・・・・・・・")


def draw(placement: Placement, last_move: str | None = None) -> str:
    """Picture a position, with the USI move that led to it, if given. A `v` marks White's pieces.

    >>> from engine.sfen import parse_sfen
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
    return "\n".join((
        *draw_set_up(placement),
        f"手数＝{placement.move_number - 1}  {_last_move(placement, last_move)}まで",
        turn_line(placement.turn),
    ))


def draw_set_up(placement: Placement, sides: tuple[str, str] = SIDE_NAMES) -> list[str]:
    """The lines of the picture that show board and hands, with the names of the sides."""
    rows = (
        "|" + "".join(_cell(piece) for piece in placement.board[row_slice(rank)]) + "|" + RANK_DIGITS[rank]
        for rank in range(9)
    )
    return [
        f"{sides[1]}の持駒：{hand(placement.hands[1])}",
        "  " + " ".join(reversed(FILE_DIGITS)),
        _EDGE,
        *rows,
        _EDGE,
        f"{sides[0]}の持駒：{hand(placement.hands[0])}",
    ]


def turn_line(turn: int) -> str:
    """The picture's line for the side to move."""
    return f"{SIDE_NAMES[turn]}番"


def _cell(piece: int) -> str:
    return ("v" if piece >= WHITE_PIECE else " ") + KIND_NAMES[piece % WHITE_PIECE]


def _last_move(placement: Placement, usi: str | None) -> str:
    if usi is None:
        return ""
    target = square_index(usi[2:4])
    promotes, drops = usi.endswith("+"), usi[1] == "*"
    kind = LETTERS.index(usi[0]) if drops else placement.board[target] % WHITE_PIECE - PROMOTED * promotes
    suffix = "打" if drops else "成" if promotes else ""
    return f"{SIDE_MARKS[1 - placement.turn]}{square_name(target)}{KIND_NAMES[kind]}{suffix}  "


def is_picture_line(line: str) -> bool:
    """Whether a line of a KIF file belongs to a board picture."""
    return any(pattern.fullmatch(line) for pattern in (_ROW, _HAND, _COUNT, _TURN, _FRAME))


def is_hand_line(line: str) -> bool:
    """Whether a line shows a hand."""
    return _HAND.fullmatch(line) is not None


def is_board_line(line: str) -> bool:
    """Whether a line shows some of the board, or a hand that holds something."""
    match = _HAND.fullmatch(line)
    return match[2].strip() not in EMPTY_HANDS if match else _ROW.fullmatch(line) is not None


def has_turn_line(lines: Iterable[str]) -> bool:
    """Whether a picture has a line for the side to move."""
    return any(_TURN.fullmatch(line) for line in lines)


def parse_picture(lines: list[str]) -> Placement:
    """Read the lines of a board picture; where it says nothing, hands are empty, it is move 1 and Black's turn.

    Raises UserError if the board is not nine rows of nine, or a line belongs to no picture. The pieces on the board are
    not checked; making a position of them does that.
    """
    rows: list[str] = []
    hands = ([0] * 8, [0] * 8)
    turn, ply = 0, 1
    for line in lines:
        if match := _ROW.fullmatch(line):
            rows.append(match[1])
        elif match := _HAND.fullmatch(line):
            hands[_SIDES[match[1]]][:] = parse_hand(match[2])
        elif match := _COUNT.fullmatch(line):
            ply = int(match[1]) + 1
        elif match := _TURN.fullmatch(line):
            turn = _SIDES[match[1] or match[2]]
        elif not _FRAME.fullmatch(line):
            raise UserError("{line!r} is no part of a board picture", line=line)
    has_v = any(owner in _WHITE for row in rows for owner in row[::2])
    parsed = [_parse_row(row, _WHITE if has_v else _EITHER) for row in rows]
    if len(parsed) != 9:
        raise UserError("the board picture has {count} rows, not 9", count=len(rows))
    board = [0] * SQUARES
    for rank, row in enumerate(parsed):
        board[row_slice(rank)] = row
    return Placement(board, hands, turn, ply)


def _parse_row(cells: str, white: str) -> list[int]:
    owners, names = cells[::2], cells[1::2].translate(_OTHER_NAMES)
    if len(cells) != 18 or set(owners) - set(f" 　{_WHITE}{_EITHER}") or set(names) - set(KIND_NAMES):
        raise UserError("{cells!r} is no row of nine cells such as 'v歩' or ' ・'", cells=cells)
    pieces = [KIND_NAMES.index(name) for name in names]
    return [piece + WHITE_PIECE if owner in white and piece else piece
            for piece, owner in zip(pieces, owners, strict=True)]
