"""The page of an analysis: what its program reads, that it stands alone, and how the command writes it."""
import html
import json
import re

from engine import Position
from engine.records.gameover import PERPETUAL_CHECK
from engine.records.handicaps import ENGLISH_NAMES, HANDICAPS
from engine.records.record import TERMINALS, GameRecord
from tests.usi.pages.showing import NASTY, assessed, long_game
from usi.commands.analyze.analysis import Analysis
from usi.commands.analyze.report import page, page_data
from usi.pages.pages import packaged
from usi.words.wording import MARKS


def test_the_page_has_all_that_is_known_of_the_game(analysis: Analysis) -> None:
    """The positions, the sides, and all variations, nested ones included."""
    data = page_data(analysis)
    game = data["game"]
    assert game["names"] == [NASTY, "人"]
    assert data["facts"] == {"event": NASTY, "title": "決勝", "opening": "角換わり"}
    assert game["times"] == [65.0, None, 3725.5, None]
    assert (game["ply"], game["sfen"], game["moves"]) == (0, Position().sfen, analysis.record.moves)
    assert game["end"] == {"terminal": "TORYO", "winner": 1, "plies": 4}
    assert game["good_below"] == min(mark.expected for mark in MARKS)
    start, first, _second, third, fourth = game["nodes"]
    assert (start["comment"], start["mark"]) == ("start", None)
    assert first["lines"] == [
        {"centipawns": 20, "mate": None, "expected": 0.5083, "special": None, "bound": "exact",
         "pv": ["3c3d", "2g2f"]}]
    assert [line["pv"][0] for line in start["lines"]] == ["7g7f", "2g2f"]
    assert (third["mark"], third["comment"], third["missed_mate"]) == ("??", NASTY, None)
    assert (fourth["mate"], fourth["missed_mate"]) == (-4, None)        # mated all the same
    assert game["variations"] == [
        {"ply": 3, "pv": ["2g2f", "8c8d", "2f2e"], "comments": {2: "quiet"}},
        {"ply": 3, "pv": ["2g2f", "4c4d", "2f2e"], "comments": {2: "ranging"}},
        {"ply": 5, "pv": ["B*5e"], "comments": {}}]
    black, white = data["sides"]
    assert (black["moves"], black["best"], black["marks"]["??"]) == (2, 1, 1)
    assert (white["moves"], white["best"], white["marks"]) == (2, 2, {"??": 0, "?": 0, "?!": 0})


def test_a_missed_mate_is_on_the_page(analysis: Analysis) -> None:
    *others, last = analysis.assessments
    found = Analysis(analysis.record)
    for each in (*others, assessed(analysis.record, 4, -300, ("B*4e",))):
        found = found.plus(each)
    assert last.ply == 4
    assert page_data(found)["game"]["nodes"][4]["missed_mate"] == ["8b2b", "3i4h", "4a3b"]


def test_castles_come_where_they_change() -> None:
    record = GameRecord(moves="2h6h 8c8d 3i3h 8d8e 5i4h 9c9d 4h3i 1c1d 3i2h 7a6b 2h1h".split())
    found = Analysis(record)
    for ply in range(len(record.moves) + 1):
        found = found.plus(assessed(record, ply, 0))
    game = page_data(found)["game"]
    assert game["formations"] == [{"ja": "片美濃囲い", "en": "Half Mino"}]
    assert game["castles"] == [(9, 0, 0), (11, 0, None)]


def test_a_handicap_has_a_name() -> None:
    record = GameRecord(HANDICAPS["二枚落ち"], ["6a5b"])
    data = page_data(Analysis(record).plus(assessed(record, 0, 0, ("6a5b",))))
    assert data["handicap"] == {"ja": "二枚落ち", "en": "two-piece"}
    assert data["game"]["titles"] == ["下手", "上手"]
    assert {name for name in HANDICAPS if name != "平手"} == set(ENGLISH_NAMES)


def test_the_page_stands_alone_and_nothing_in_it_is_taken_for_html(analysis: Analysis) -> None:
    text = page(analysis)
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert not re.search(r"%[A-Z]+%|%[a-z]+\.[a-z]+%", text)
    assert text.count("</script>") == 2
    assert f"<title>{html.escape(NASTY)} – 人</title>" in text
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    assert json.loads(found[1]) == json.loads(json.dumps(page_data(analysis)))
    assert len(page(long_game()).encode()) < 200_000


def test_every_way_to_end_a_game_has_words() -> None:
    english, japanese = re.findall(r"ends: \{(.*?)\},\n  \}", packaged("words.js"), re.DOTALL)
    for text in (english, japanese):
        assert {key.strip('"') for key in re.findall(r'(?:^|[,\n{] *)("?[-+A-Z_]+"?): \(?\w*', text)} == {
            *TERMINALS, PERPETUAL_CHECK}


def test_a_stretch_of_a_game_and_one_without_names(analysis: Analysis) -> None:
    record = GameRecord(moves=["7g7f", "3c3d"])
    found = Analysis(record).plus(assessed(record, 1, 0, ("3c3d",))).plus(assessed(record, 2, 0, ("2g2f",)))
    game = page_data(found)["game"]
    assert (game["ply"], game["sfen"], game["moves"]) == (1, record.position(1).sfen, ["3c3d"])
    assert game["end"] is None
    assert "<title>Black – White</title>" in page(found)
    found = Analysis(analysis.record).plus(analysis.assessments[3])
    assert page_data(found)["game"]["variations"] == []
