"""KIF: moves compared with PyPI cshogi, sample files, and refusals."""

import pytest

from engine import STARTPOS_SFEN, Position
from engine.records.handicaps import HANDICAPS
from engine.records.jkf import format_jkf, parse_jkf
from engine.records.kakinoki import DEEPEST
from engine.records.kif import format_kif, kif_to_usi, parse_kif, usi_to_kif
from engine.records.picture import draw_set_up
from engine.records.record import GameRecord
from engine.sfen import format_sfen, parse_sfen
from tests.each import each
from tests.faults import refused
from tests.references import cshogi

START = "手合割：平手\n手数----指手---------消費時間--\n"


def test_moves_agree_with_cshogi(varied_sfens: list[str]) -> None:
    for sfen in varied_sfens[::5]:
        position, board = Position(sfen), cshogi.Board(sfen)
        for move in board.legal_moves:
            usi = cshogi.move_to_usi(move)
            ours, theirs = usi_to_kif(position, usi), cshogi.KIF.move_to_kif(move)
            assert ours.replace("成香", "杏").replace("成桂", "圭").replace("成銀", "全") == theirs
            assert kif_to_usi(position, ours) == kif_to_usi(position, theirs) == usi


OPENED = "startpos moves 7g7f 3c3d"
ROOK = "sfen k8/9/9/9/4+R4/9/9/9/4K4 b - 1"


@each(("start", "text", "move"), [
    *((f"{OPENED} 8h2b+", text, "3a2b") for text in ("同　銀(31)", "同銀(31)", "同 銀(31)", "２二銀(31)")),
    *((OPENED, text, "8h2b+") for text in ("▲２二角成(88)", "22角成(88)", "２２角成(88)")),
    *((ROOK, text, "5e5d") for text in ("５四竜(55)", "５四龍(55)")),
    *((ROOK, text, "5i5h") for text in ("５八王(59)", "５八玉(59)")),
    (OPENED, "２二角不成(88)", "8h2b"),
])
def test_other_spellings(start: str, text: str, move: str) -> None:
    assert kif_to_usi(Position.from_usi(start), text, "8h2b+") == move


def test_same_square() -> None:
    position = Position.from_usi(f"{OPENED} 8h2b+")
    assert usi_to_kif(position, "3a2b", "8h2b+") == "同　銀(31)"
    assert usi_to_kif(position, "3a2b", "3c3d") == usi_to_kif(position, "3a2b") == "２二銀(31)"
    with refused(about="came", text='同\u3000銀(31)'):
        kif_to_usi(position, "同　銀(31)")


@each(("sfen", "text", "fault"), [
    (STARTPOS_SFEN, "7g7f", refused(about="KIF", text="7g7f")),
    (STARTPOS_SFEN, "７六歩", refused(about="KIF", text="７六歩")),
    (STARTPOS_SFEN, "７六歩(07)", refused(about="KIF", text="７六歩(07)")),
    (STARTPOS_SFEN, "７十歩(77)", refused(about="KIF", text="７十歩(77)")),
    (STARTPOS_SFEN, "７六象(77)", refused(about="KIF", text="７六象(77)")),
    (STARTPOS_SFEN, "７六金(77)", refused(text="７六金(77)", name="金", other="歩", square="77")),
    (STARTPOS_SFEN, "７五歩(77)", refused(sfen=..., text="７五歩(77)")),
    (STARTPOS_SFEN, "７六歩成(77)", refused(sfen=..., text="７六歩成(77)")),
    (STARTPOS_SFEN, "５五歩打", refused(sfen=..., text="５五歩打")),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "５五と打", refused(about="drops", text="５五と打")),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "５五歩成打", refused(about="drops", text="５五歩成打")),
])
def test_moves_that_are_refused(sfen: str, text: str, fault: refused) -> None:
    with fault:
        kif_to_usi(Position(sfen), text)


@each("name", HANDICAPS)
def test_handicaps(name: str) -> None:
    record = parse_kif(f"手合割：{name}\n")
    assert record == GameRecord(HANDICAPS[name])
    missing = {"平手": 0, "香落ち": 1, "右香落ち": 1, "角落ち": 1, "飛車落ち": 1, "飛香落ち": 2, "トンボ": 8}
    number = missing[name] if name in missing else "　一二三四五六七八九十".index(name.strip("左右")[0])
    assert sum(letter.isalpha() for letter in HANDICAPS[name].split()[0]) == 40 - number


@each(("first", "turn"), [(1, 1), (2, 0), (23, 1), (24, 0)])
def test_white_begins_a_handicap_game_that_is_drawn(first: int, turn: int) -> None:
    """If the picture does not name the side to move, the handicap and the first move's number tell it."""
    placement = parse_sfen(HANDICAPS["香落ち"])
    drawn = "\n".join(draw_set_up(placement, ("下手", "上手")))
    words = "３四歩(33)" if turn else "７六歩(77)"
    record = parse_kif(f"手合割：香落ち\n{drawn}\n手数----指手---------消費時間--\n{first} {words}\n")
    assert record.moves == ["3c3d" if turn else "7g7f"]
    assert record.initial_sfen == format_sfen(placement._replace(turn=turn))


@each("turn_line", ["後手番\n", ""])
def test_a_variation_does_not_become_the_game(turn_line: str) -> None:
    """Even if the game has no moves because the first one cannot be read."""
    drawn = "\n".join(draw_set_up(parse_sfen(STARTPOS_SFEN)))
    text = f"{drawn}\n{turn_line}2 ９九歩(33)\n変化：2手\n2 ３四歩(33)\n3 ７六歩(77)\n"
    record = parse_kif(text, strict=False)
    assert record.moves == []
    assert [line.moves for line in record.variations[1]] == [["3c3d", "7g7f"]]


@each("line", ["手数----指手---------消費時間--", "手数---指手---消費時間--", "手数-指手"])
def test_the_line_above_the_moves_has_any_number_of_dashes(line: str) -> None:
    record = parse_kif(f"先手：甲\n{line}\n   1 ７六歩(77)\n", strict=True)
    assert (record.moves, record.names[0], record.headers) == (["7g7f"], "甲", {})


def test_blanks_may_be_wide() -> None:
    text = START + "\u30001\u3000７六歩(77)\u3000( 0:01/00:00:01)\u3000\n変化：\u30001手\n1 ２六歩(27)\n"
    assert (parse_kif(text).moves, parse_kif(text).times) == (["7g7f"], {1: 1})


@pytest.mark.parametrize(("closing", "terminal"), [
    ("まで1手で先手の勝ち", "TORYO"),
    ("まで1手で時間切れにより先手の勝ち", "TIME_UP"),
    ("まで1手で後手の入玉勝ち", "KACHI"),
    ("まで1手で先手の反則負け", "+ILLEGAL_ACTION"),
    ("まで1手で先手の反則勝ち", "-ILLEGAL_ACTION"),
    ("まで1手で千日手", "SENNICHITE"),
    ("まで1手で持将棋", "JISHOGI"),
    ("まで1手", None),
    # The side that it names has won, whosever turn it is.
    ("まで1手で後手の勝ち", "+ILLEGAL_ACTION"),
    ("まで1手で反則により先手の勝ち", "-ILLEGAL_ACTION"),
    ("まで1手で先手の反則により後手の勝ち", "+ILLEGAL_ACTION"),
    ("まで1手で時間切れにより後手の勝ち", "+ILLEGAL_ACTION"),
    ("まで1手で後手の時間切れにより先手の勝ち", "TIME_UP"),
    ("まで1手で先手の入玉勝ち", "TORYO"),
    ("まで1手で入玉宣言により後手の勝ち", "KACHI"),
    ("まで1手で連続王手の千日手により先手の勝ち", "-ILLEGAL_ACTION"),
    ("まで1手で後手の連続王手の千日手による反則負け", "-ILLEGAL_ACTION"),
    ("まで1手で後手の不戦勝", "WIN_BY_DEFAULT"),
    ("まで1手で先手の不戦勝", "LOSS_BY_DEFAULT"),
    ("まで1手で後手の不戦敗", "LOSS_BY_DEFAULT"),
    ("まで、1手にて後手投了", "TORYO"),
    ("まで1手で詰み", "TSUMI"),
    ("まで1手で千日手により引き分け", "SENNICHITE"),
    ("まで1手で中断", "CHUDAN"),
    ("まで1手で▲の勝ち", "TORYO"),
])
def test_the_closing_line_gives_the_end_if_no_other_line_does(closing: str, terminal: str | None) -> None:
    assert parse_kif(f"{START}1 ７六歩(77)\n{closing}\n").terminal == terminal
    assert parse_kif(f"{START}1 ７六歩(77)\n2 中断\n{closing}\n").terminal == "CHUDAN"


def test_what_is_written() -> None:
    record = GameRecord(
        HANDICAPS["香落ち"],
        moves=["3c3d", "7g7f", "2b8h+", "7i8h"], names=("A", "B"), headers={"SITE": "C", "備考": "D"},
        comments={0: "E", 1: "F\nG"}, times={1: 5, 2: 75.9, 3: 3600, 5: 1}, terminal="TIME_UP",
    )
    assert format_kif(record) == """\
場所：C
備考：D
手合割：香落ち
下手：A
上手：B
手数----指手---------消費時間--
*E
   1 ３四歩(33)   ( 0:05/00:00:05)
*F
*G
   2 ７六歩(77)   ( 1:15/00:01:15)
   3 ８八角成(22) (60:00/01:00:05)
   4 同　銀(79)
   5 切れ負け     ( 0:01/01:00:06)
まで4手で時間切れにより下手の勝ち
"""


@pytest.mark.parametrize(("terminal", "words", "closing"), [
    ("+ILLEGAL_ACTION", "反則勝ち", "まで1手で後手の反則勝ち"),
    ("-ILLEGAL_ACTION", "反則負け", "まで1手で先手の反則勝ち"),
    ("ILLEGAL_MOVE", "反則負け", "まで1手で先手の反則勝ち"),
    ("KACHI", "入玉勝ち", "まで1手で後手の入玉勝ち"),
    ("TSUMI", "詰み", "まで1手で先手の勝ち"),
    ("HIKIWAKE", "持将棋", "まで1手で持将棋"),
])
def test_how_ends_are_written(terminal: str, words: str, closing: str) -> None:
    assert format_kif(GameRecord(moves=["7g7f"], terminal=terminal)).splitlines()[-2:] == [f"   2 {words}", closing]


@each(("text", "fault"), [
    ("hello\n", refused(about="written", at=1)),
    ("手合割：百枚落ち\n", refused(name="百枚落ち", names=..., other="その他")),
    ("手合割：その他\n1 ７六歩(77)\n", refused(at=2, name="その他")),
    ("手合割：その他\n", refused(name="その他")),
    ("先手の持駒：飛\n1 ７六歩(77)\n", refused(at=2, count=0)),
    ("| ・ ・ ・|一\n1 ７六歩(77)\n", refused(at=2, cells=" ・ ・ ・")),
    (START + "手数----指手\n", refused(about="second", at=3)),
    (START + "後手：A\n", refused(about="comment", at=3)),
    (START + "   1 ７五歩(77)\n", refused(at=3, sfen=..., text="７五歩(77)")),
    (START + "   1 ７六歩(77)\n   3 ３四歩(33)\n", refused(at=4, number=2, other=3)),
    (START + "   1 同　歩(77)\n", refused(about="came", at=3, text='同\u3000歩(77)')),
    (START + "   1 投了\n   2 ７六歩(77)\n", refused(about="comes", at=4, text="７六歩(77)")),
    (START + "   1 ７六歩(77)\n変化：3手\n", refused(at=4, number=3)),
    (START + "   1 ７六歩(77)\n変化：1手\n   2 ２六歩(27)\n", refused(at=5, number=1, other=2)),
    (START + "   1 ７六歩(77)\n変化：1手\n   1 ２五歩(27)\n", refused(at=5, sfen=..., text="２五歩(27)")),
])
def test_records_that_are_refused(text: str, fault: refused) -> None:
    with fault:
        parse_kif(text)


@pytest.mark.parametrize("count", [100, 101])
def test_variations_within_variations(count: int) -> None:
    moves = ["３二飛(82)", "７八飛(28)", "８二飛(32)", "２八飛(78)"] * 26
    text = START + "   1 ９六歩(97)\n" + "".join(
        f"変化：{ply}手\n{ply:4} {move}\n" for ply, move in enumerate(moves[:count], 2))
    if count > DEEPEST:
        with refused(most=100):
            parse_kif(text)
    else:
        game = parse_kif(text)
        assert parse_kif(format_kif(game)) == game
        assert parse_jkf(format_jkf(game)) == [game]


VARIED = """\
#KIF version=2.0 encoding=UTF-8
棋戦：試験
手合割：平手
先手：A
後手：B
手数----指手---------消費時間--
*before the first move \u3000
   1 ７六歩(77)   ( 0:01/00:00:01)+
*trailing blanks  \u3000
*
* and a leading one, and a line of Unicode's\u2028within
# a remark
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２六歩(27)   ( 0:03/00:00:04)+
   4 ８四歩(83)   +
&bookmark
   5 投了         +
まで4手で後手の勝ち

変化：5手
   5 ２五歩(26)   ( 0:04/00:00:08)

変化：4手
   4 ４四歩(43)
*not played
   5 ２五歩(26)   +
   6 ３三角(22)
   7 中断

変化：5手
   5 ４八銀(39)

変化：3手
   3 ６六歩(67)   ( 0:05/00:00:06)
#a remark in a variation

変化：3手
   3 ２二角成(88) +
   4 同　銀(31)

変化：3手
   3 ５六歩(57)

変化：1手
   1 ２六歩(27)
   2 ８四歩(83)
"""


def test_a_record_is_written_back_whole() -> None:
    # The mark of the last two is left aside: a variation in place of a variation's first move is one of the game's
    # move.
    assert format_kif(parse_kif(VARIED)) == VARIED.replace("   3 ２二角成(88) +", "   3 ２二角成(88)")


def test_variations_stand_where_they_belong() -> None:
    game = parse_kif(VARIED)
    assert {ply: [one.moves for one in ones] for ply, ones in game.variations.items()} == {
        5: [["2f2e"]], 4: [["4c4d", "2f2e", "2b3c"]], 3: [["6g6f"], ["8h2b+", "3a2b"], ["5g5f"]], 1: [["2g2f", "8c8d"]]}
    (of_a_variation,) = game.variations[4][0].variations[2]
    assert of_a_variation.moves == ["3i4h"]
    assert of_a_variation.position().sfen == Position.from_usi("startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h").sfen


def test_numbers_may_count_on_from_the_middle_of_a_game() -> None:
    game = parse_kif(START + "41 ７六歩(77)\n42 ３四歩(33)\n変化：42手\n42 ８四歩(83)\n")
    assert (game.moves, game.variations[2][0].moves) == (["7g7f", "3c3d"], ["8c8d"])
