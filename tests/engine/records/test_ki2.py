"""KI2: moves compared with rsshogi, the choice among several pieces, and refusals."""
import re

import pytest
import rsshogi.record

from engine import Position
from engine.records.ki2 import format_ki2, ki2_to_usi, parse_ki2, usi_to_ki2
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused

# As the Shogi Association shows them: three golds below a square, and one of them pinned; the same for White.
GOLDS = "4k4/9/9/9/9/9/9/3GGG3/8K b - 1"
SILVERS = "4k4/9/9/9/9/3S5/9/3S1S3/4K4 b S 1"
HORSES = "4k4/9/9/9/9/9/5+B3/4+B4/8K b - 1"
TOKINS = "4k4/9/9/9/9/3+P1+P3/3+P1+P3/3+P+P+P3/8K b - 1"


def test_moves_agree_with_rsshogi(varied_sfens: list[str]) -> None:
    for sfen in varied_sfens[::48]:
        position = Position(sfen)
        for move in position.legal_moves():
            ours = usi_to_ki2(position, move)
            theirs = rsshogi.record.Record.from_usi_position(f"sfen {sfen} moves {move}").to_ki2()
            last = re.search(r"[▲△](\S+)\s*$", theirs)
            assert last
            assert last[1] == ours
            assert ki2_to_usi(position, ours) == ki2_to_usi(position, "▲△"[position.turn] + ours) == move


@each(("sfen", "move", "text"), [
    (GOLDS, "6h5g", "５七金左"), (GOLDS, "5h5g", "５七金直"), (GOLDS, "4h5g", "５七金右"),
    ("8k/3ggg3/9/9/9/9/9/9/4K4 w - 1", "4b5c", "５三金左"),
    (SILVERS, "6f5g", "５七銀引"), (SILVERS, "6h5g", "５七銀左上"), (SILVERS, "4h5g", "５七銀右"),
    (SILVERS, "S*5g", "５七銀打"), (SILVERS, "S*1e", "１五銀"),
    (HORSES, "5h4h", "４八馬寄"), (HORSES, "4g4h", "４八馬引"),
    (TOKINS, "6g5g", "５七と左寄"), (TOKINS, "6h5g", "５七と左上"), (TOKINS, "5h5g", "５七と直"),
    (TOKINS, "4h5g", "５七と右上"),
    # The left gold is pinned: it cannot go there, but the word is said all the same.
    ("3rk4/9/9/9/9/9/9/3G1G3/3K5 b - 1", "4h5g", "５七金右"),
    # A piece behind the king cannot go there, so no word is needed.
    ("4k4/9/9/9/9/9/9/3K3R1/9 b R 1", "R*8h", "８八飛"),
    ("4k4/9/9/9/9/9/9/7R1/9 b R 1", "R*8h", "８八飛打"), ("4k4/9/9/9/9/7B1/6K2/9/9 b B 1", "B*4h", "４八角"),
    ("3k5/9/9/9/9/4+R4/4K4/9/4+R4 b - 1", "5i5h", "５八龍"), ("9/9/4l4/4k4/9/9/9/9/4K4 w l 1", "L*5f", "５六香"),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b - 1", "5g5f", "５六歩"),
    ("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", "5c5b", "５二歩不成"), ("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", "5c5b+", "５二歩成"),
])
def test_which_piece(sfen: str, move: str, text: str) -> None:
    position = Position(sfen)
    assert usi_to_ki2(position, move) == text
    assert ki2_to_usi(position, text) == move


@each(("text", "fault"), [
    ("7g7f", refused(about="move", text="7g7f")),
    ("５八金", refused(text="５八金", moves=..., sfen=...)),
    ("△７六歩", refused(text="△７六歩", side="White", other="Black")),
    ("５五歩打", refused(sfen=..., text="５五歩打")),
    ("７五歩", refused(sfen=..., text="７五歩")),
    ("７六歩成", refused(sfen=..., text="７六歩成")),
    ("同　歩", refused(about="came", text='同\u3000歩')),
])
def test_moves_that_are_refused(text: str, fault: refused) -> None:
    with fault:
        ki2_to_usi(Position(), text)


BOOKISH = """\
開始日時：2026/11/20
手合割：平手
先手：A
後手：B

*before
▲７六歩      △３四歩
*a comment
▲２二角成    △同　銀      ▲４五角△５二金右
まで6手で後手の勝ち

変化：3手
▲2六歩 △８四歩 ☗２五歩
*within the variation
☖８五歩
まで6手で千日手
"""


def test_a_game_with_a_variation() -> None:
    game = parse_ki2(BOOKISH)
    assert (game.moves, game.terminal) == (["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b"], "TORYO")
    (variation,) = game.variations[3]
    assert (variation.moves, variation.terminal) == (["2g2f", "8c8d", "2f2e", "8d8e"], "SENNICHITE")
    assert variation.comments == {3: "within the variation"}
    assert parse_ki2(format_ki2(game)) == game


def test_what_is_written() -> None:
    assert format_ki2(GameRecord(moves=["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b", "4e3d"], names=("A", "B"),
                                 comments={2: "x"}, terminal="TORYO")) == """\
手合割：平手
先手：A
後手：B

▲７六歩      △３四歩
*x
▲２二角成    △同　銀      ▲４五角      △５二金右
▲３四角
まで7手で先手の勝ち
"""


@pytest.mark.parametrize(("text", "fault"), [
    ("▲７六歩\n△８八角\n", refused(at=2, sfen=..., text="△８八角")),
    ("▲７六歩\nまで1手で中断\n△３四歩\n", refused(about="comes", at=3, text="△３四歩")),
    ("▲７六歩\nhello\n", refused(about="comment", at=2)),
])
def test_records_that_are_refused(text: str, fault: refused) -> None:
    with fault:
        parse_ki2(text)
