"""CSA: moves compared with PyPI cshogi, sample files, and refusals."""

import pytest

from engine import Position
from engine.records.csa import csa_to_usi, format_csa, parse_csa, usi_to_csa
from engine.records.handicaps import HANDICAPS
from engine.records.record import GameRecord
from tests.each import each
from tests.references import cshogi

START = "V2.2\nPI\n+\n"


def test_moves_agree_with_cshogi(varied_sfens: list[str]) -> None:
    for sfen in varied_sfens[::5]:
        position, board = Position(sfen), cshogi.Board(sfen)
        for move in board.legal_moves:
            usi, csa = cshogi.move_to_usi(move), cshogi.move_to_csa(move)
            assert usi_to_csa(position, usi) == "+-"[position.turn] + csa
            assert csa_to_usi(position, csa) == csa_to_usi(position, "+-"[position.turn] + csa) == usi


@each(("sfen", "text", "message"), [
    (None, "7g7f", "is no CSA move"),
    (None, "+7776XX", "is no CSA move"),
    (None, "+7776FU ", "is no CSA move"),
    (None, "+７７７６FU", "is no CSA move"),
    (None, "+0700FU", "is no CSA move"),
    (None, "-3334FU", "is White's move, but it is Black's turn"),
    (None, "+7776KI", "moves KI, but FU stands on 77"),
    (None, "+5554FU", r"moves FU, but \. stands on 55"),
    (None, "+7775FU", "is not legal in"),
    (None, "+7776TO", "is not legal in"),
    (None, "+0055FU", "is not legal in"),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "+0055TO", "drops TO, which no hand can hold"),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "+0055OU", "drops OU, which no hand can hold"),
])
def test_moves_that_are_refused(sfen: str | None, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        csa_to_usi(Position(sfen), text)
    assert repr(text) in str(refused.value)


def test_exact_times_make_it_version_3() -> None:
    text = format_csa(GameRecord(moves=["7g7f"], times={1: 0.25}))
    assert text.startswith("'CSA encoding=UTF-8\nV3.0\n")
    assert "\nT0.250\n" in text


def test_the_encoding_is_named_where_it_matters() -> None:
    """Without that line, version 3.0 says Shift_JIS, and 2.2 leaves it to the system."""
    for record in (GameRecord(names=("羽生", "")), GameRecord(comments={0: "序盤"})):
        assert format_csa(record).startswith("'CSA encoding=UTF-8\nV2.2\n")
    assert format_csa(GameRecord(terminal="MAX_MOVES")).startswith("'CSA encoding=UTF-8\nV3.0\n")


def test_the_time_of_an_unknown_end_is_no_moves() -> None:
    [record] = parse_csa(START + "+7776FU\nT7\n%FOO\nT99\n-3334FU\nT5\n", strict=False)
    assert (record.moves, record.times) == (["7g7f", "3c3d"], {1: 7, 2: 5})
    assert [str(fault) for fault in record.faults] == ["line 6, '%FOO': '%FOO' is no way to end a game in CSA"]


def test_what_is_written() -> None:
    record = GameRecord(
        HANDICAPS["香落ち"],
        moves=["3c3d"], names=("A", ""), headers={"SITE": "B"}, comments={0: "C", 1: "D\nE"}, times={1: 5, 2: 0},
        terminal="CHUDAN",
    )
    assert format_csa(record) == """\
V2.2
N+A
$SITE:B
P1-KY-KE-GI-KI-OU-KI-GI-KE *\x20
P2 * -HI *  *  *  *  * -KA *\x20
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *\x20
P5 *  *  *  *  *  *  *  *  *\x20
P6 *  *  *  *  *  *  *  *  *\x20
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *\x20
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
-
'*C
-3334FU
T5
'*D
'*E
%CHUDAN
T0
"""


def test_the_line_with_the_side_to_move_may_be_missing() -> None:
    [record] = parse_csa("PI\n+7776FU\n-3334FU\n")
    assert (record.initial_sfen, record.moves) == (Position().sfen, ["7g7f", "3c3d"])


@each(("text", "message"), [
    ("V2.2\n", "there is no game"),
    ("V2.2\nN+A\n", r"the game has no line \+ or -"),
    ("PI\n", r"the game has no line \+ or -"),
    ("PI\n/\n+\n", r"line 2, '/': the game has no line \+ or -"),
    ("V4.0\n", "line 1, 'V4.0': version '4.0' of CSA is not known"),
    ("$EVENT\n", r"line 1, '\$EVENT': a \$ line is written \$KEYWORD:VALUE"),
    ("hello\n", "line 1, 'hello': 'hello' is no CSA statement"),
    ("PI55FU\n+\n", "'55FU': no FU stands on 55"),
    ("PI82HI2\n+\n", "does not consist of squares and pieces"),
    ("PX\n+\n", "'PX' places no pieces"),
    ("P\n+\n", "'P' places no pieces"),
    ("P0 * \n+\n", "places no pieces"),
    ("P1-KY-KE\n+\n", "is no row of nine cells"),
    ("P1-KY-KE-GI-KI-OU-KI-GI-KE-XX\n+\n", "is no row of nine cells"),
    ("P+55XX\n+\n", "'55XX': 'XX' is no piece"),
    ("P+05FU\n+\n", "'05' is no square"),
    ("P+55FU55KY\n+\n", "'55KY': two pieces on 55"),
    ("P+00OU\n+\n", "no hand can hold OU"),
    ("P+55FU54FU\n+\n", "line 2, '\\+': .*Black has two pawns on file 5"),
    ("P-51OU\nP+52KI\n+\n", "line 3, '\\+': .*White is in check"),
    (START + "+\n", r"line 4, '\+': the side to move was given before"),
    (START + "PI\n", "'PI' comes after the side to move"),
    (START + "+7775FU\n", r"line 4, '\+7775FU': '\+7775FU' is not legal in"),
    (START + "+7776FU,+2726FU\n", "line 4, .*is Black's move, but it is White's turn"),
    (START + "T5\n", "'T5' is no time spent on a move"),
    (START + "+7776FU\nT-5\n", "'T-5' is no time spent on a move"),
    (START + "%GAME_OVER\n", "'%GAME_OVER' is no way to end a game"),
    (START + "%TORYO\n+7776FU\n", r"'\+7776FU' comes after %TORYO"),
    (START + "%TORYO\n%CHUDAN\n", "'%CHUDAN' comes after %TORYO"),
])
def test_records_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_csa(text)
