"""Which of several pieces moves: 右 左 直 上 引 寄, by which Japanese notation tells them apart, and 打.

Source: 日本将棋連盟, 棋譜の表記方法, https://www.shogi.or.jp/faq/kihuhyouki.html
"""
from collections.abc import Iterable
from itertools import product

from engine.board import Position
from engine.text.pieces import GOLD, KING, LETTERS, PAWN, PROMOTED, SILVER, WHITE_PIECE, square_index
from engine.text.sfen import format_sfen

FORWARD, BACKWARD, SIDEWAYS = "上行入", "引下", "寄"     # the usual word first
STRAIGHT, DROP = "直", "打"
SIDES_WORDS = "左右"
WORDS = FORWARD + BACKWARD + SIDEWAYS + STRAIGHT + SIDES_WORDS


def related(moves: Iterable[str], turn: int, words: str) -> list[str]:
    """Those of a side's moves to one square whose piece stands, or goes, as the words say.

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
    """The word or two that a legal move needs to be told from those of other pieces of its kind, or "".

    As is the custom, it is told from those of pinned pieces as well.

    >>> relation(Position(), "6i5h")
    '左'
    """
    target, is_drop = usi[2:4], usi[1] == "*"
    kind = LETTERS.index(usi[0]) if is_drop else position.piece_at(usi[:2]) % WHITE_PIECE
    if kind == PAWN:        # never two that could go to a square
        return ""
    if sum(piece == kind + WHITE_PIECE * position.turn for piece in position.placement.board) < 2 - is_drop:
        return ""
    rivals = {move[:4] for move in _ignoring_kings(position).legal_moves()
              if move[1] != "*" and move[2:4] == target and position.piece_at(move[:2]) % WHITE_PIECE == kind}
    if is_drop:
        return DROP if rivals else ""
    rivals |= {usi[:4]}
    return next(words for words in _choices(kind) if related(rivals, position.turn, words) == [usi[:4]])


def _choices(kind: int) -> Iterable[str]:
    """What may be said, the most usual first."""
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
    """As Black would see it if Black were the mover."""
    return square_index(square) // 9 * (-1 if turn else 1)


def _rank(square: str, turn: int) -> int:
    return square_index(square) % 9 * (-1 if turn else 1)


def _ignoring_kings(position: Position) -> Position:
    """The same without kings, so that no piece is pinned and no check has to be met."""
    placement = position.placement
    board = [0 if piece % WHITE_PIECE == KING else piece for piece in placement.board]
    return Position(format_sfen(placement._replace(board=board)))
