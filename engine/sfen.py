"""SFEN, a position in one line of ASCII; and the arguments of USI's `position`."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, NoReturn

from engine.errors import Phrase, UserError, of_type
from engine.errors import text as require_text
from engine.pieces import (
    GOLD,
    HAND_ORDER,
    KING,
    LETTERS,
    NAMES,
    PAWN,
    PROMOTED,
    RANKS,
    SET,
    SIDES,
    SQUARES,
    STUCK_RANKS,
    WHITE_PIECE,
    row_slice,
)

STARTPOS_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")      # in USI notation
NULL_MOVE = "null"      # among moves in USI notation: a turn that was passed
MAX_MOVE_NUMBER = 99_999        # more than in any game; fits 32 bits


class Placement(NamedTuple):
    """The board, hands, side to move and move number of a position, without its history."""

    board: list[int]                        # 81 pieces by square
    hands: tuple[list[int], list[int]]      # by side, then by kind 0..7
    turn: int                               # the side to move
    move_number: int                        # of the next move, from 1


def _symbols() -> dict[int, str]:
    symbols = {0: "."}
    for kind in range(PAWN, KING + 1):
        symbols[kind] = LETTERS[kind]
        if kind < GOLD:
            symbols[kind + PROMOTED] = "+" + LETTERS[kind]
    return symbols | {piece + WHITE_PIECE: symbol.lower() for piece, symbol in symbols.items() if piece}


SYMBOLS = _symbols()                        # by piece code
_CELLS = {symbol: (piece,) for piece, symbol in SYMBOLS.items() if piece} | {str(n): (0,) * n for n in range(1, 10)}
_HAND_ITEM = re.compile(r"([1-9][0-9]?)?([PLNSBRG])", re.IGNORECASE | re.ASCII)
_ADJACENT_DIGITS = re.compile(r"[0-9][0-9]")
# As Black's pieces meet them.
_STUCK = [(rank, kind) for kind, ranks in STUCK_RANKS.items() for rank in range(ranks)]


def parse_sfen(text: str) -> Placement:
    """Read an SFEN such as "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".

    Accepts harmless differences between tools: hands in any order, a count of 1, a move number that is missing or 0
    (read as 1). Raises UserError, quoting the text, if it is otherwise malformed, or if the pieces are impossible: two
    kings of a side, more of a kind than a set has (hands and promoted pieces included), two pawns of a side on a file,
    or a pawn, lance or knight that could never move again. A king may be missing.

    >>> parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b R2P 1").hands[0]
    [0, 2, 0, 0, 0, 0, 1, 0]
    >>> parse_sfen("4k4/9/9/9/9/9/9/4K4 b - 1")
    Traceback (most recent call last):
    ...
    engine.UserError: '4k4/9/9/9/9/9/9/4K4 b - 1': the board has 8 rows, not 9
    """
    text = require_text("text", text)

    def refuse(fault: UserError) -> NoReturn:
        raise fault.at(repr(text)) from None

    found = _read(text, refuse)
    assert found        # otherwise it was refused
    return found


def syntax_faults(text: str) -> list[str]:
    """All faults for which `parse_sfen` would refuse a text, except those that another fault hides.

    >>> syntax_faults("4k4/9/9/9/9/9/9/9/4K3 c - 1")
    ["the side to move is b or w, not 'c'", "row '4K3' has 8 squares, not 9"]
    """
    faults: list[UserError] = []
    _read(require_text("text", text), faults.append)
    return list(map(str, faults))


def _read(text: str, note: Callable[[UserError], object]) -> Placement | None:
    """Read an SFEN; passes each fault to `note`. The result counts only if there was none."""
    if not text.isascii():
        note(UserError("an SFEN is written in ASCII"))
        return None
    fields = text.split()
    if not 3 <= len(fields) <= 4:
        note(UserError("an SFEN is a board, a side to move, the hands and a move number, not {count} fields",
                       count=len(fields)))
        return None
    if fields[1] not in ("b", "w"):
        note(UserError("the side to move is b or w, not {text!r}", text=fields[1]))
    board = _read_board(fields[0], note)
    hands = _read_hands(fields[2], note)
    ply = _read_ply(fields[3], note) if len(fields) == 4 else 1
    if board and hands:
        _check_counts(fields[0], hands, note)
    if board:
        _check_pawn_files(board, note)
        _check_stuck(board, note)
    return Placement(board, hands, "bw".index(fields[1]), ply) if board and hands and fields[1] in "bw" else None


def _read_board(text: str, note: Callable[[UserError], object]) -> list[int] | None:
    rows = text.split("/")
    if len(rows) != 9:
        note(UserError("the board has {count} rows, not 9", count=len(rows)))
    if digits := _ADJACENT_DIGITS.search(text):
        note(UserError("two numbers of empty squares in a row: {text!r}", text=digits[0]))
    board, is_whole = [0] * SQUARES, len(rows) == 9
    for rank, row in enumerate(rows):
        try:
            cells = _parse_row(row)
        except UserError as fault:
            is_whole = False
            note(fault)
        else:
            if is_whole:
                board[row_slice(rank)] = cells
    return board if is_whole else None


@lru_cache(maxsize=4096)        # the same rows recur often
def _parse_row(row: str) -> tuple[int, ...]:
    cells: list[int] = []
    promotion = ""
    for letter in row:
        if letter == "+":
            promotion += letter
            continue
        if promotion + letter not in _CELLS:
            raise UserError("{piece!r} in row {row!r} is no piece", piece=promotion + letter, row=row)
        cells += _CELLS[promotion + letter]
        promotion = ""
    if promotion:
        raise UserError("row {row!r} ends in {sign!r}", row=row, sign=promotion)
    if len(cells) != 9:
        raise UserError("row {row!r} has {count} squares, not 9", row=row, count=len(cells))
    return tuple(cells)


def _read_hands(text: str, note: Callable[[UserError], object]) -> tuple[list[int], list[int]] | None:
    hands = [0] * 8, [0] * 8
    if text == "-":
        return hands
    start = 0
    while start < len(text):
        item = _HAND_ITEM.match(text, start)
        if not item:
            note(UserError("{text!r} in the hands is not a count and one of RBGSNLP", text=text[start:]))
            return None
        count, letter = item.groups()
        kind = LETTERS.index(letter.upper())
        hand = hands[letter.islower()]
        if hand[kind]:
            note(UserError("{text!r} comes twice in the hands {hands!r}", text=letter, hands=text))
        hand[kind] = int(count or 1)
        start = item.end()
    return hands


def _read_ply(text: str, note: Callable[[UserError], object]) -> int:
    if not text.isdigit() or len(text) > len(str(MAX_MOVE_NUMBER)):
        note(UserError("the move number is {text!r}; it runs from 1 to {most}", text=text, most=MAX_MOVE_NUMBER))
        return 1
    return int(text) or 1


def _check_counts(board: str, hands: tuple[list[int], list[int]], note: Callable[[UserError], object]) -> None:
    for king, side in zip("Kk", SIDES, strict=True):
        if board.count(king) > 1:
            note(UserError("{side} has {count} kings", side=Phrase(side), count=board.count(king)))
    for kind in range(PAWN, KING):
        letter = LETTERS[kind]
        count = board.count(letter) + board.count(letter.lower()) + hands[0][kind] + hands[1][kind]
        if count > SET[kind]:
            note(UserError("{count} {piece}s in all; a set has {most}", count=count, piece=Phrase(NAMES[kind]),
                           most=SET[kind]))


def _check_pawn_files(board: list[int], note: Callable[[UserError], object]) -> None:
    for start in range(0, SQUARES, 9):
        squares = board[start:start + 9]
        for pawn, side in zip((PAWN, PAWN + WHITE_PIECE), SIDES, strict=True):
            if squares.count(pawn) > 1:
                note(UserError("{side} has two pawns on file {file}", side=Phrase(side), file=start // 9 + 1))


def _check_stuck(board: list[int], note: Callable[[UserError], object]) -> None:
    for depth, kind in _STUCK:
        for rank, piece in ((depth, kind), (8 - depth, kind + WHITE_PIECE)):
            if piece in board[rank::9]:
                note(UserError("{piece!r} on rank {rank} could never move", piece=SYMBOLS[piece], rank=RANKS[rank]))


def format_sfen(placement: Placement) -> str:
    """Write the canonical SFEN: hands in the order RBGSNLP, Black's first, and a move number, at most MAX_MOVE_NUMBER.

    >>> format_sfen(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P1Rg"))
    '4k4/9/9/9/9/9/9/9/4K4 b R2Pg 1'
    """
    of_type("placement", placement, Placement)
    rows = "/".join("".join([SYMBOLS[piece] for piece in placement.board[row_slice(rank)]]) for rank in range(9))
    for length in range(9, 0, -1):
        rows = rows.replace("." * length, str(length))
    hands = "".join(
        f"{count if count > 1 else ''}{SYMBOLS[kind + WHITE_PIECE * side]}"
        for side, hand in enumerate(placement.hands) for kind in HAND_ORDER if (count := hand[kind])
    )
    return f"{rows} {'bw'[placement.turn]} {hands or '-'} {min(placement.move_number, MAX_MOVE_NUMBER)}"


def parse_position(text: str) -> tuple[str, list[str]]:
    """Split the arguments of USI's `position` into an SFEN and moves, without checking either.

    Accepts "startpos", "sfen SFEN" or a bare SFEN, with or without "moves …". Raises UserError otherwise.

    >>> parse_position("startpos moves 7g7f 3c3d")[1]
    ['7g7f', '3c3d']
    """
    words = require_text("text", text).split()
    end = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:end], words[end + 1:]
    if head == ["startpos"]:
        return STARTPOS_SFEN, moves
    if head[:1] == ["sfen"]:
        head = head[1:]
    if len(head) < 3:
        raise UserError("{text!r} is no position; write startpos or sfen SFEN, then moves and the moves, if any",
                        text=text)
    return " ".join(head), moves


# An SFEN's parts and moves seen from the other side, and in a mirror. `_CELL` is a piece, or empty squares.
_TURNED = str.maketrans("123456789abcdefghi", "987654321ihgfedcba")
_MIRRORED = str.maketrans("123456789", "987654321")
_CELL = re.compile(r"\+?[^+]")


def flip_move(usi: str) -> str:
    """A move with the sides exchanged and the board turned by 180 degrees.

    >>> flip_move("8h2b+"), flip_move("P*5e")
    ('2b8h+', 'P*5e')
    """
    return require_text("usi", usi).translate(_TURNED)


def flip_sfen(sfen: str) -> str:
    """An SFEN with the sides exchanged and the board turned. A canonical SFEN stays canonical; the move number is kept.

    >>> flip_sfen("4k4/9/9/9/9/9/9/9/2K6 b R2Pg 3")
    '6k2/9/9/9/9/9/9/9/4K4 w Gr2p 3'
    """
    board, turn, hands, *number = _fields(sfen)
    cells = "".join(reversed(_CELL.findall(board))).swapcase()
    items = re.findall(r"\d*[a-zA-Z]", hands.swapcase())
    turned = "".join(sorted(items, key=str.islower)) or "-"     # Black's come first; the order of the kinds stays
    return " ".join([cells, "w" if turn == "b" else "b", turned, *number])


def _fields(sfen: str) -> list[str]:
    """The fields of an SFEN, three or four. Raises UserError for another number of fields."""
    fields = require_text("sfen", sfen).split()
    if not 3 <= len(fields) <= 4:
        raise UserError("an SFEN is a board, a side to move, the hands and a move number, not {count} fields",
                        count=len(fields)).at(repr(sfen))
    return fields


def mirror_move(usi: str) -> str:
    """The left-right image of a move, of the same side.

    >>> mirror_move("8h2b+"), mirror_move("P*4e")
    ('2h8b+', 'P*6e')
    """
    return require_text("usi", usi).translate(_MIRRORED)


def mirror_sfen(sfen: str) -> str:
    """The left-right image of a position, as an SFEN; a canonical one stays so.

    >>> mirror_sfen("4k4/9/9/9/9/9/9/9/2K4+R1 b R2Pg 3")
    '4k4/9/9/9/9/9/9/9/1+R4K2 b R2Pg 3'
    """
    board, *rest = _fields(sfen)
    rows = ["".join(reversed(_CELL.findall(row))) for row in board.split("/")]
    return " ".join(["/".join(rows), *rest])
