"""The words by which Japanese notation tells apart which of several pieces moves (右 左 直 上 引 寄), and 打.

Source: 日本将棋連盟, 棋譜の表記方法, https://www.shogi.or.jp/faq/kihuhyouki.html
"""
from collections.abc import Iterable, Sequence
from itertools import product

from engine.board import Position
from engine.errors import Listed, Phrase, UserError
from engine.pieces import (
    BISHOP,
    FILES,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    LETTERS,
    NAMES,
    PAWN,
    PROMOTED,
    RANKS,
    ROOK,
    SIDES,
    SILVER,
    WHITE_PIECE,
    square_index,
    square_name,
)
from engine.records.record import IllegalMove

FORWARD, BACKWARD, SIDEWAYS = "上行入", "引下", "寄"     # the usual word first
STRAIGHT, DROP = "直", "打"
SIDES_WORDS = "左右"
WORDS = FORWARD + BACKWARD + SIDEWAYS + STRAIGHT + SIDES_WORDS

# How pieces move as Black sees it, in files to the left and ranks ahead. A slide goes on until it meets a piece.
_PLAIN, _DIAGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0)), ((1, 1), (-1, 1), (1, -1), (-1, -1))
_LIKE_GOLD = (*_PLAIN, (1, 1), (-1, 1))
_STEPS = {KNIGHT: ((1, 2), (-1, 2)), SILVER: ((0, 1), *_DIAGONAL),
          BISHOP + PROMOTED: _PLAIN, ROOK + PROMOTED: _DIAGONAL}
_STEPS |= dict.fromkeys((GOLD, *(PROMOTED + kind for kind in (PAWN, LANCE, KNIGHT, SILVER))), _LIKE_GOLD)
_SLIDES = {LANCE: ((0, 1),), BISHOP: _DIAGONAL, ROOK: _PLAIN, BISHOP + PROMOTED: _DIAGONAL, ROOK + PROMOTED: _PLAIN}


def related(moves: Iterable[str], turn: int, words: str) -> list[str]:
    """The moves to one square that fit the words, by where the piece stands or how it moves.

    >>> related(["4i5h", "6i5h"], 0, "右")
    ['4i5h']
    """
    found = [move for move in moves if not words or move[1] != "*"]
    for word in words:
        if word not in SIDES_WORDS:
            found = [move for move in found if _goes(move, turn, word)]
    for word, choose in (("右", min), ("左", max)):
        if word in words and found:
            edge = choose(_file(move[:2], turn) for move in found)
            found = [move for move in found if _file(move[:2], turn) == edge]
    return found


def relation(position: Position, usi: str) -> str:
    """The words that distinguish a legal move from those of other pieces of its kind; "" if none are needed.

    By custom, pinned pieces count among the others.

    >>> relation(Position(), "6i5h")
    '左'
    """
    target, is_drop = usi[2:4], usi[1] == "*"
    kind = LETTERS.index(usi[0]) if is_drop else position.piece_at(usi[:2]) % WHITE_PIECE
    if kind in (PAWN, KING):        # never two that could go to a square
        return ""
    board = position.placement.board
    rivals = {square_name(square) + target for square, piece in enumerate(board)
              if piece == kind + WHITE_PIECE * position.turn and _reaches(board, square, square_index(target))}
    if is_drop:
        return DROP if rivals else ""
    if len(rivals) < 2:
        return ""
    return next(words for words in _choices(kind) if related(rivals, position.turn, words) == [usi[:4]])


def find_move(position: Position, text: str, kind: int, target: str, words: str, *, promotes: bool,
              drops: bool) -> str:
    """The one legal move, in USI, of a piece of this kind to this square that fits the words (see `related`).

    Where a piece on the board could make the move, it is a drop only if the text says so. Raises UserError, quoting
    `text`, if several moves fit, or the side has no such piece. Raises IllegalMove, with all that the text could mean,
    if no legal move fits.
    """
    suffix = "+" if promotes else ""
    piece = kind + WHITE_PIECE * position.turn
    named = [] if drops else [square_name(square) + target + suffix
                              for square, there in enumerate(position.placement.board) if there == piece]
    moves = related(filter(position.is_legal, named), position.turn, words)
    drop = [f"{LETTERS[kind]}*{target}"] if not words and not promotes and kind <= GOLD else []
    if not moves and drop and position.is_legal(drop[0]):
        moves = drop
    if not moves:
        if not (meant := related(named, position.turn, words) or named) and not drop:
            raise UserError("{text!r} is not legal in {sfen!r}: {side} has no {piece}", text=text, sfen=position.sfen,
                            side=Phrase(SIDES[position.turn]), piece=Phrase(NAMES[kind]))
        raise IllegalMove("{text!r} is not legal in {sfen!r}", text=text, sfen=position.sfen, moves=[*meant, *drop])
    return require_one(position, text, moves)


def require_one(position: Position, text: str, moves: Sequence[str]) -> str:
    """The one of these moves that `text` stands for. Raises UserError if there are several, IllegalMove if there is
    none."""
    if len(moves) > 1:
        raise UserError("{text!r} could be {moves} in {sfen!r}", text=text, moves=Listed(sorted(moves), " or "),
                        sfen=position.sfen)
    if not moves:
        raise IllegalMove("{text!r} is not legal in {sfen!r}", text=text, sfen=position.sfen, moves=[])
    return moves[0]


def _choices(kind: int) -> Iterable[str]:
    """The possible words, the most usual first."""
    goes = [FORWARD[0], SIDEWAYS, BACKWARD[0]]
    yield from ("", *goes)
    if kind in (SILVER, GOLD) or PROMOTED < kind <= PROMOTED + SILVER:
        yield STRAIGHT
    yield from SIDES_WORDS
    yield from map("".join, product(SIDES_WORDS, goes))


def _goes(move: str, turn: int, word: str) -> bool:
    ahead = _rank(move[:2], turn) - _rank(move[2:4], turn)
    if word in FORWARD:
        return ahead > 0
    if word in BACKWARD:
        return ahead < 0
    if word == STRAIGHT:
        return ahead > 0 and move[0] == move[2]
    return ahead == 0


def _file(square: str, turn: int) -> int:
    """The file as the mover sees it, counted as Black's."""
    return square_index(square) // 9 * (-1 if turn else 1)


def _rank(square: str, turn: int) -> int:
    return square_index(square) % 9 * (-1 if turn else 1)


def _reaches(board: list[int], origin: int, target: int) -> bool:
    """Whether the piece on a square could move to another if its king did not matter."""
    side, kind = divmod(board[origin], WHITE_PIECE)
    ahead = 1 if side else -1
    for moves, most in ((_STEPS.get(kind, ()), 1), (_SLIDES.get(kind, ()), 8)):
        for to_left, forward in moves:
            file, rank = divmod(origin, 9)
            for _ in range(most):
                file, rank = file - ahead * to_left, rank + ahead * forward
                if not (0 <= file < len(FILES) and 0 <= rank < len(RANKS)):
                    break
                if 9 * file + rank == target:
                    return True
                if board[9 * file + rank]:
                    break
    return False
