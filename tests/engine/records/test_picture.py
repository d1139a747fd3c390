"""The Japanese board picture, drawn and read."""

import pytest

from engine import Position
from engine.records.picture import draw, parse_picture
from engine.sfen import format_sfen, parse_sfen
from tests.faults import refused

START = """\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
手数＝0  まで
先手番"""


def test_what_is_drawn() -> None:
    assert str(Position()) == START
    lines = draw(parse_sfen("+P+L+N+S+B+R2k/9/9/9/9/9/9/9/+p+l+n+s+b+r2K w 2G2S10P2g2l 1")).splitlines()
    assert lines[0] == "後手の持駒：金二　香二"
    assert lines[3] == "| と 杏 圭 全 馬 龍 ・ ・v玉|一"
    assert lines[11] == "|vとv杏v圭v全v馬v龍 ・ ・ 玉|九"
    assert lines[13] == "先手の持駒：金二　銀二　歩十"
    assert lines[15] == "後手番"


@pytest.mark.parametrize(("usi", "words"), [
    ("7g7f", "▲７六歩"), ("7g7f 3c3d", "△３四歩"), ("7g7f 3c3d 8h2b+", "▲２二角成"),
    ("7g7f 3c3d 8h2b+ 3a2b B*5e", "▲５五角打"),
])
def test_the_last_move(usi: str, words: str) -> None:
    position = Position.from_usi(f"startpos moves {usi}")
    assert f"手数＝{position.move_number - 1}  {words}  まで" in str(position).splitlines()


def test_what_is_drawn_is_read_back(varied_sfens: list[str]) -> None:
    for sfen in varied_sfens:
        assert format_sfen(parse_picture(draw(parse_sfen(sfen)).splitlines())) == sfen


def test_other_spellings_are_read() -> None:
    text = START.replace("玉", "王").replace("先手", "下手").replace("後手", "上手").replace("なし", "")
    text = text.replace("手数＝0  まで\n下手番", "手数＝41  ▲７六歩  まで\n上手番")
    assert format_sfen(parse_picture(text.splitlines())) == Position().sfen.replace("b - 1", "w - 42")


@pytest.mark.parametrize(("old", "new", "fault"), [
    ("|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n", "", refused(count=8)),
    ("|v香v桂", "|v香", refused(cells="v香v銀v金v玉v金v銀v桂v香")),
    ("|v香", "|x香", refused(cells="x香v桂v銀v金v玉v金v銀v桂v香")),
    ("|v香", "|v象", refused(cells="v象v桂v銀v金v玉v金v銀v桂v香")),
    ("先手の持駒：なし", "先手の持駒：玉", refused(text="玉")),
    ("先手の持駒：なし", "先手の持駒：歩2象", refused(text="歩2象")),
    ("先手の持駒：なし", "先手の持駒：歩一十", refused(count="一十")),
    ("先手番", "白番", refused(line="白番")),
])
def test_faults(old: str, new: str, fault: refused) -> None:
    assert old in START
    with fault:
        parse_picture(START.replace(old, new).splitlines())
