"""Names of castles and openings, for people. A formation has a name only where its pieces leave no doubt."""
from collections.abc import Sequence
from typing import NamedTuple

from engine import BLACK, WHITE, Position
from engine.pieces import BISHOP, LETTERS, PAWN, ROOK, WHITE_PIECE, square_index, square_of_digits
from engine.sfen import STARTPOS_SFEN, Placement

RANGING_PLIES = 30      # by then the rook of a side that plays ranging rook is on its file
OPENING_PLIES = 50      # by then a static formation stands


class Formation(NamedTuple):
    """The names of a formation."""

    japanese: str
    english: str


class SidesOpening(NamedTuple):
    """An opening of Black (0), White (1), or both players (`side` is None)."""

    side: int | None
    formation: Formation


# Each castle with its patterns, as Black sees them: pieces and their squares, in digits. A castle fits if all pieces of
# one pattern are there. The first one that fits counts, so castles with more pieces come before those with fewer.
_CASTLES = [
    ("矢倉", "Yagura", "K88 G78 G67 S77"),
    ("銀矢倉", "Silver Yagura", "K88 G78 S67 S77"),
    ("片矢倉", "Half Yagura", "K78 G68 G67 S77"),
    ("土居矢倉", "Doi Yagura", "K78 G67 G58 S77"),
    ("菊水矢倉", "Kikusui Yagura", "K89 G78 G67 S88 N77"),
    ("ミレニアム囲い", "Millennium", "K89 G79 G78 S88 N77", "K89 G79 G69 S88 N77"),
    ("穴熊", "Anaguma", "K99 L98 S88 G79", "K99 L98 S88 G78", "K19 L18 S28 G39", "K19 L18 S28 G38"),
    ("銀冠", "Silver Crown", "K28 S27 G38", "K88 S87 G78"),
    ("ダイヤモンド美濃", "Diamond Mino", "K28 S38 S47 G49 G58"),
    ("高美濃囲い", "High Mino", "K28 S38 G49 G47"),
    ("美濃囲い", "Mino", "K28 S38 G49 G58"),
    ("片美濃囲い", "Half Mino", "K28 S38 G49"),
    ("木村美濃", "Kimura Mino", "K28 G38 S47 G49"),
    ("左美濃", "Left Mino", "K88 S78 G69"),
    ("天守閣美濃", "Castle-tower Mino", "K87 S78 G69"),
    ("エルモ囲い", "Elmo", "K78 S68 G79"),
    ("舟囲い", "Boat", "K78 S79 G69 G58"),
    ("金無双", "Kinmuso", "K38 S28 G48 G58"),
    ("右玉", "Right King", "K38 G48 S47 N37 R29"),
    ("雁木", "Snow Roof", "K69 G78 S67 S57", "K69 G78 S67 S47 P66", "K59 G78 S67 S47 P66"),
    ("カニ囲い", "Crab", "K69 G78 G58 S68"),
    ("中原囲い", "Nakahara", "K69 G78 G59 S48"),
    ("中住まい", "Nakazumai", "K58 G78 G38"),
]
_RANGING = {8: Formation("向かい飛車", "Opposing Rook"), 7: Formation("三間飛車", "Third-file Rook"),
            6: Formation("四間飛車", "Fourth-file Rook"), 5: Formation("中飛車", "Central Rook")}
_DOUBLE_RANGING = Formation("相振り飛車", "Double Ranging Rook")
_STATIC = Formation("居飛車", "Static Rook")
_SIDE_PAWN = Formation("横歩取り", "Side Pawn Capture")
_DOUBLE_WING = Formation("相掛かり", "Double Wing")
_BISHOP_EXCHANGE = Formation("角換わり", "Bishop Exchange")

Pattern = list[tuple[int, int]]     # of Black's pieces: square and piece


def _pattern(text: str) -> Pattern:
    """The pieces of a pattern and their squares, the king first if there is one."""
    return [(_square(item[1:]), LETTERS.index(item[0])) for item in text.split()]


def _square(digits: str) -> int:
    return square_index(square_of_digits(digits))


_BY_KING: dict[int, list[tuple[Pattern, Formation]]] = {}
for japanese, english, *patterns in _CASTLES:
    for text in patterns:
        pattern = _pattern(text)
        _BY_KING.setdefault(pattern[0][0], []).append((pattern, Formation(japanese, english)))
# The pieces after which a static-rook opening is named; the king may still be on its way.
_BUILT = [(_pattern("G78 S77 P76 P66"), Formation("矢倉", "Yagura")),
          (_pattern("G78 S67 S57 P76 P66"), Formation("雁木", "Snow Roof")),
          (_pattern("G78 S67 S47 P76 P66"), Formation("雁木", "Snow Roof"))]
_HOME_PAWNS = _square("77"), _square("33")
_WING_PAWNS = _square("25"), _square("85")
_ROOK_PAWN = [_square(f"2{rank}") for rank in range(7, 0, -1)]      # where it may stand, from its first square on


def castle(placement: Placement, side: int) -> Formation | None:
    """The castle that the king of Black (0) or White (1) is in.

    >>> castle(Position("9/9/9/9/9/9/5P3/6SK1/5G3 b - 1").placement, 0)
    Formation(japanese='片美濃囲い', english='Half Mino')
    """
    board = _seen_by(placement, side)
    king = LETTERS.index("K")
    if king not in board:
        return None
    return next((name for pattern, name in _BY_KING.get(board.index(king), ()) if _stands(board, pattern)), None)


def opening(initial_sfen: str, moves: Sequence[str]) -> list[SidesOpening]:
    """The opening of a game: one name for both players, or one for each of them, or none if it has no clear one. Games
    with a handicap or another set-up have none.

    >>> opening(STARTPOS_SFEN, "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b".split())
    [SidesOpening(side=None, formation=Formation(japanese='相掛かり', english='Double Wing'))]
    """
    if initial_sfen != STARTPOS_SFEN:
        return []
    position = Position()
    rook_files: list[int | None] = [None, None]
    built: dict[int, Formation] = {}
    for ply, move in enumerate(moves[:OPENING_PLIES], 1):
        if _takes_side_pawn(position, move):
            return [SidesOpening(None, _SIDE_PAWN)]
        position.push(move)
        placement = position.placement
        if ply <= RANGING_PLIES and _is_double_wing(placement):
            return [SidesOpening(None, _DOUBLE_WING)]
        if ply == RANGING_PLIES:
            rook_files = [_rook_file(placement, side) for side in (BLACK, WHITE)]
            if rook_files == [2, 2] and all(hand[BISHOP] == 1 for hand in placement.hands):
                return [SidesOpening(None, _BISHOP_EXCHANGE)]
        for side in (BLACK, WHITE):
            if side not in built:
                board = _seen_by(placement, side)
                name = next((name for pattern, name in _BUILT if _stands(board, pattern)), None)
                built |= {side: name} if name else {}
    return _of_rooks(rook_files, built)


def _of_rooks(rook_files: list[int | None], built: dict[int, Formation]) -> list[SidesOpening]:
    ranging = {side: _RANGING[file] for side, file in enumerate(rook_files) if file in _RANGING}
    if len(ranging) == 2:
        return [SidesOpening(None, _DOUBLE_RANGING)]
    if rook_files == [2, 2]:
        names = set(built.values())
        return [SidesOpening(None, *names)] if len(names) == 1 else [
            SidesOpening(*each) for each in sorted(built.items())]
    if ranging and 2 in rook_files:
        return [SidesOpening(side, ranging.get(side, _STATIC)) for side in (BLACK, WHITE)]
    return []


def _seen_by(placement: Placement, side: int) -> list[int]:
    """The board with this side as Black."""
    if side == BLACK:
        return placement.board
    return [piece and (piece + WHITE_PIECE) % (2 * WHITE_PIECE) for piece in reversed(placement.board)]


def _stands(board: list[int], pattern: Pattern) -> bool:
    return all(board[square] == piece for square, piece in pattern)


def _rook_file(placement: Placement, side: int) -> int | None:
    """The rook's file, which decides what a side plays, 2 to 8 as Black counts: 2 for static rook, if its pawn has
    advanced; 5 to 8 for ranging rook, if the rook has moved and left its pawn behind. None if that is not clear."""
    board = _seen_by(placement, side)
    pawn = next((number for number, square in enumerate(_ROOK_PAWN) if board[square] == PAWN), None)
    if board.count(ROOK) != 1:
        return None
    file, rank = divmod(board.index(ROOK), 9)
    file, rank = file + 1, rank + 1
    if file == 2:
        return 2 if pawn != 0 else None
    at_home = rank in (8, 9) or (file, rank) == (7, 6)      # Ishida's rook goes in front
    return file if file in _RANGING and at_home and pawn in (0, 1) else None


def _is_double_wing(placement: Placement) -> bool:
    """Whether both rooks' pawns are on their fifth rank, behind closed bishops' diagonals."""
    pawns = (PAWN, PAWN + WHITE_PIECE)
    return all(placement.board[squares[side]] == pawns[side]
               for squares in (_HOME_PAWNS, _WING_PAWNS) for side in (BLACK, WHITE))


def _takes_side_pawn(position: Position, move: str) -> bool:
    """Whether a rook that has come down its file takes the pawn next to it."""
    taken = PAWN + (0 if position.turn else WHITE_PIECE)
    return (move == ("8f7f" if position.turn else "2d3d") and position.piece_at(move[2:4]) == taken
            and position.piece_at(move[:2]) % WHITE_PIECE == ROOK)
