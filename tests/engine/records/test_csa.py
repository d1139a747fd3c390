"""CSA: moves compared with PyPI cshogi, sample files, and refusals."""


from engine import Position
from engine.records.csa import csa_to_usi, format_csa, parse_csa, usi_to_csa
from engine.records.handicaps import HANDICAPS
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused
from tests.references import cshogi

START = "V2.2\nPI\n+\n"


def test_moves_agree_with_cshogi(varied_sfens: list[str]) -> None:
    for sfen in varied_sfens[::5]:
        position, board = Position(sfen), cshogi.Board(sfen)
        for move in board.legal_moves:
            usi, csa = cshogi.move_to_usi(move), cshogi.move_to_csa(move)
            assert usi_to_csa(position, usi) == "+-"[position.turn] + csa
            assert csa_to_usi(position, csa) == csa_to_usi(position, "+-"[position.turn] + csa) == usi


@each(("sfen", "text", "fault"), [
    (None, "7g7f", refused(about="move", text="7g7f")),
    (None, "+7776XX", refused(about="move", text="+7776XX")),
    (None, "+7776FU ", refused(about="move", text="+7776FU ")),
    (None, "+７７７６FU", refused(about="move", text="+７７７６FU")),
    (None, "+0700FU", refused(about="move", text="+0700FU")),
    (None, "-3334FU", refused(text="-3334FU", side="White", other="Black")),
    (None, "+7776KI", refused(text="+7776KI", name="KI", other="FU", square="77")),
    (None, "+5554FU", refused(text="+5554FU", name="FU", other=".", square="55")),
    (None, "+7775FU", refused(sfen=..., text="+7775FU")),
    (None, "+7776TO", refused(sfen=..., text="+7776TO")),
    (None, "+0055FU", refused(sfen=..., text="+0055FU")),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "+0055TO", refused(about="drops", text="+0055TO", name="TO")),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "+0055OU", refused(about="drops", text="+0055OU", name="OU")),
])
def test_moves_that_are_refused(sfen: str | None, text: str, fault: refused) -> None:
    with fault:
        csa_to_usi(Position(sfen), text)


def test_exact_times_make_it_version_3() -> None:
    text = format_csa(GameRecord(moves=["7g7f"], times={1: 0.25}))
    assert text.startswith("'CSA encoding=UTF-8\nV3.0\n")
    assert "\nT0.250\n" in text


def test_the_encoding_is_named_where_it_matters() -> None:
    """Without the line that names the encoding, version 3.0 means Shift_JIS, and 2.2 leaves it to the system."""
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


@each(("text", "fault"), [
    ("V2.2\n", refused(about="CSA")),
    ("V2.2\nN+A\n", refused(about="whose")),
    ("PI\n", refused(about="whose")),
    ("PI\n/\n+\n", refused(about="whose", at=2)),
    ("V4.0\n", refused(about="version", at=1, text="4.0")),
    ("$EVENT\n", refused(about="written", at=1)),
    ("hello\n", refused(about="statement", at=1, text="hello")),
    ("PI55FU\n+\n", refused(text="55FU", name="FU", square="55")),
    ("PI82HI2\n+\n", refused(about="consist", text="PI82HI2")),
    ("PX\n+\n", refused(about="places", text="PX")),
    ("P\n+\n", refused(about="places", text="P")),
    ("P0 * \n+\n", refused(about="places", text="P0 *")),
    ("P1-KY-KE\n+\n", refused(row="-KY-KE")),
    ("P1-KY-KE-GI-KI-OU-KI-GI-KE-XX\n+\n", refused(row="-KY-KE-GI-KI-OU-KI-GI-KE-XX")),
    ("P+55XX\n+\n", refused(about="piece", text="55XX", name="XX")),
    ("P+05FU\n+\n", refused(digits="05")),
    ("P+55FU55KY\n+\n", refused(text="55KY", square="55")),
    ("P+00OU\n+\n", refused(about="hand", text="00OU", name="OU")),
    ("P+55FU54FU\n+\n", refused(at=2, side="Black", file=5)),
    ("P-51OU\nP+52KI\n+\n", refused(at=3, waiting="White", side="Black")),
    (START + "+\n", refused(about="given", at=4)),
    (START + "PI\n", refused(about="comes", text="PI")),
    (START + "+7775FU\n", refused(at=4, sfen=..., text="+7775FU")),
    (START + "+7776FU,+2726FU\n", refused(at=4, text="+2726FU", side="Black", other="White")),
    (START + "T5\n", refused(about="spent", text="T5")),
    (START + "+7776FU\nT-5\n", refused(about="spent", text="T-5")),
    (START + "%GAME_OVER\n", refused(about="game", text="%GAME_OVER")),
    (START + "%TORYO\n+7776FU\n", refused(text="+7776FU", terminal="TORYO")),
    (START + "%TORYO\n%CHUDAN\n", refused(text="%CHUDAN", terminal="TORYO")),
])
def test_records_that_are_refused(text: str, fault: refused) -> None:
    with fault:
        parse_csa(text)
