"""Reasons why moves are illegal: every illegal move has the right one, and legal moves have none."""

from engine import STARTPOS_SFEN, Position
from search.bench import positions
from tests.each import each
from usi.words.illegal import explain_illegal, moves_so

SQUARES = [file + rank for file in "123456789" for rank in "abcdefghi"]
NIFU = "4k4/9/9/9/4P4/9/9/9/4K4 b P 1"
DROP_MATE = "kn7/9/1S7/9/9/9/9/9/4K4 b P 1"


@each("sfen", [positions()[9], DROP_MATE, "4k4/9/9/9/4r4/9/9/4G4/4K4 b GP 1"])
def test_there_is_a_reason_for_illegal_moves_only(sfen: str) -> None:
    position = Position(sfen)
    moves = [f"{origin}{target}{suffix}" for origin in SQUARES for target in SQUARES for suffix in ("", "+")]
    moves += [f"{letter}*{target}" for letter in "PLNSGBR" for target in SQUARES]
    legal = {move for move in moves if explain_illegal(position, move) is None}
    assert legal == set(position.legal_moves())
    assert all(moves_so(position, move) for move in legal)


@each(("sfen", "move", "reason"), [
    (STARTPOS_SFEN, "5e5d", "there is no piece on 5e"),
    (STARTPOS_SFEN, "3c3d", "the pawn on 3c is White's, but it is Black's turn"),
    (STARTPOS_SFEN, "7g7e", "a pawn does not move from 7g to 7e"),
    (STARTPOS_SFEN, "2i2g", "a knight does not move from 2i to 2g"),
    (STARTPOS_SFEN, "8h2b+", "the way of the bishop from 8h to 2b is blocked by the pawn on 7g"),
    (STARTPOS_SFEN, "2h2g", "the pawn on 2g is Black's own"),
    (STARTPOS_SFEN, "4i5h+", "a gold cannot promote"),
    (STARTPOS_SFEN, "7g7f+", "a pawn promotes only where its move begins or ends in the far three ranks"),
    (STARTPOS_SFEN, "P*5e", "Black has no pawn in hand; the hand holds nothing"),
    (NIFU, "R*5d", "Black has no rook in hand; the hand holds a pawn"),
    (NIFU, "P*5e", "5e is taken by the pawn on 5e, and drops need an empty square"),
    (NIFU, "P*5d", "two pawns: there already is an unpromoted pawn of Black's on file 5, on 5e"),
    (NIFU, "P*1a", "a pawn on 1a could never move again, so it must not be dropped there"),
    (DROP_MATE, "P*9b", "a pawn must not be dropped to give mate, and after P*9b the king would have no way out"),
    ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "a pawn on 9a could never move again, so it must promote: 9b9a+"),
    ("4k4/9/N8/9/9/9/9/9/4K4 b - 1", "9c8a", "a knight on 8a could never move again, so it must promote: 9c8a+"),
    ("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h",
     "the piece is pinned: without it the king on 5i would be in check by the rook on 5e"),
    ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1e", "Black is in check by the rook on 5e, and this does not end it"),
    ("4k4/9/9/9/4r4/9/9/9/4K4 b - 1", "5i5h", "the king would be in check on 5h, by the rook on 5e"),
    ("4r4/9/9/9/9/5k3/9/4G4/4K4 b - 1", "5h4g",             # which would give check
     "the piece is pinned: without it the king on 5i would be in check by the rook on 5a"),
    ("9/9/4k4/9/4K4/9/9/9/9 b - 1", "5e5d", "the king would be in check on 5d, by the king on 5c"),
    ("4k4/9/9/9/9/9/7p1/9/4K4 w p 1", "P*2b",
     "two pawns: there already is an unpromoted pawn of White's on file 2, on 2g"),
])
def test_the_reason(sfen: str, move: str, reason: str) -> None:
    assert str(explain_illegal(Position(sfen), move)) == reason
