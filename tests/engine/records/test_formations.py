"""Castles and openings have their names where the pieces are clear, from both sides, and none where they are not."""
from engine import Position
from engine.records.formations import castle, opening
from engine.sfen import STARTPOS_SFEN, flip_sfen
from tests.each import each

# As diagrams in books show them; Black's pieces alone, the three or four ranks nearest to it.
CASTLES = {
    "矢倉": "2P6/1PSG5/1KG6/LN7",
    "銀矢倉": "2P6/1PSS5/1KG6/LN7",
    "片矢倉": "2P6/1PSG5/2KG5/LN7",
    "菊水矢倉": "2P6/1PNG5/1SG6/LK7",
    "穴熊": "2P6/1P7/LSG6/KN7",
    "銀冠": "9/1S7/1KG6/LN1G5",
    "ダイヤモンド美濃": "9/5S3/4G1SK1/5G1NL",
    "高美濃囲い": "9/5G3/6SK1/5G1NL",
    "美濃囲い": "9/9/4G1SK1/5G1NL",
    "片美濃囲い": "9/9/6SK1/3G1G1NL",
    "木村美濃": "9/5S3/6GK1/5G1NL",
    "左美濃": "9/9/1KS1G4/LN1G5",
    "天守閣美濃": "9/1K7/2S1G4/LN1G5",
    "エルモ囲い": "9/9/2KS5/LNG1G4",
    "舟囲い": "9/9/1BK1G4/LNSG5",
    "金無双": "9/9/4GGKS1/7NL",
    "雁木": "2PP5/3SS4/1BG1G4/LN1K5",
    "カニ囲い": "9/9/1BGSG4/LN1K5",
    "中原囲い": "9/9/2G2S3/LN1KG4",
    "中住まい": "9/9/2GSKSG2/LN5NL",
    "右玉": "9/5SN2/2G2GK2/LN5RL",
}


@each(("name", "ranks"), CASTLES.items())
def test_a_castle_of_either_side(name: str, ranks: str) -> None:
    sfen = f"9/9/9/9/9/{ranks} b - 1"
    for seen, side in ((sfen, 0), (flip_sfen(sfen), 1)):
        placement = Position(seen).placement
        found = castle(placement, side)
        assert found
        assert found.japanese == name
        assert castle(placement, 1 - side) is None


def test_what_is_no_castle() -> None:
    unfinished, of_another, empty = "9/9/9/9/9/9/9/6SK1/9", "9/9/9/9/9/9/9/6SK1/5g3", "9/9/9/9/9/9/9/9/9"
    for sfen in (STARTPOS_SFEN, *(f"{board} b - 1" for board in (unfinished, of_another, empty))):
        assert castle(Position(sfen).placement, 0) is None


WAIT = "4i4h 6a6b 4h4i 6b6a " * 8       # which makes an opening long enough to be judged
EXCHANGE = ("7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 4a3b 6i7h 2b7g+ 6h7g 3a2b 3i3h 7a7b 9g9f 9c9d 4g4f 6c6d 3h4g 7b6c "
            "5i6h 2b3c 3g3f 7c7d 2i3g 8a7c 4i4h 6a6b 2h2i 8b8a ")
YAGURA = ("7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 7c7d 5h6g 6a5b 6h7g 4b3c 8h7i "
          "2b3a 3g3f 4c4d 2g2f 5b4c 7i6h 3a6d 6i7i 4a3a ")
OPENINGS = {
    "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d": [(None, "横歩取り")],
    "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d": [(None, "相掛かり")],
    EXCHANGE: [(None, "角換わり")],
    YAGURA: [(None, "矢倉")],
    "2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 1g1f 9c9d 9g9f 8b2b " + WAIT: [(0, "居飛車"), (1, "向かい飛車")],
    "7g7f 3c3d 2g2f 4c4d 1g1f 8b3b " + WAIT: [(0, "居飛車"), (1, "三間飛車")],
    "7g7f 3c3d 6g6f 8c8d 2h6h 8d8e " + WAIT: [(0, "四間飛車"), (1, "居飛車")],
    "5g5f 8c8d 2h5h 8d8e " + WAIT: [(0, "中飛車"), (1, "居飛車")],
    "7g7f 8c8d 7f7e 8d8e 2h7h 7a7b 7h7f 7b8c " + WAIT: [(0, "三間飛車"), (1, "居飛車")],      # Ishida
    "5g5f 3c3d 2h5h 8b3b " + WAIT: [(None, "相振り飛車")],
    # Not clear: too short, a rook on its third file, one that has left its pawn on the way, one that has not set out.
    "7g7f 3c3d 2g2f 4c4d 3i4h 8b4b": [],
    EXCHANGE[:100]: [],
    "7g7f 3c3d 2g2f 4c4d 2h3h 8b4b " + WAIT: [],
    "2g2f 3c3d 2f2e 4c4d 2h6h 8b4b " + WAIT: [],
    "7g7f 3c3d 6g6f 4c4d " + WAIT: [],
}


@each("moves", OPENINGS)
def test_the_opening_of_a_game(moves: str) -> None:
    found = opening(STARTPOS_SFEN, moves.split())
    assert [(side, name.japanese) for side, name in found] == OPENINGS[moves]


def test_another_set_up_has_no_opening() -> None:
    moves = "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b".split()
    assert opening(STARTPOS_SFEN, moves)
    assert opening("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", moves) == []
