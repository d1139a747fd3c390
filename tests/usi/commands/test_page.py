"""The page of an analysis: what its program reads, that it stands alone, and what a reader can click."""
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine import MATE, Position
from engine.notation.record import Record
from tests.browser import NEEDS_CHROMIUM, dom_after
from usi.cli import main
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.analyze.page import page, page_data

NASTY = "</script><script>alert(1)</script>&<b>"


def assessed(record: Record, ply: int, score: int, *lines: tuple[str, ...], mate: tuple[str, ...] = ()) -> Assessment:
    position = record.position(ply)
    candidates = tuple(Candidate(score - 10 * number, line) for number, line in enumerate(lines))
    return Assessment(ply, position.sfen, position.turn, score, 5, 7, 1000, 10, candidates, mate)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """Four plies: a blunder of Black's at move 3, after which White misses a mate."""
    moves = ["7g7f", "3c3d", "8h2b+", "3a2b"]
    record = Record(moves=moves, names=(NASTY, "人"), headers={"EVENT": NASTY}, comments={0: "start", 3: NASTY},
                    terminal="TORYO")
    found = Analysis(record)
    for each in (
        assessed(record, 0, 30, ("7g7f", "3c3d"), ("2g2f",)),
        assessed(record, 1, -20, ("3c3d", "2g2f")),
        assessed(record, 2, 40, ("2g2f", "8c8d")),
        assessed(record, 3, 700, ("3a2b", "B*4e"), mate=("8b2b", "3i4h", "4a3b")),
        assessed(record, 4, -MATE + 4, ("B*4e", "4a3b")),
    ):
        found = found.plus(each)
    return found


def test_each_position_has_its_words(analysis: Analysis) -> None:
    data = page_data(analysis)
    assert data["names"] == [NASTY, "人"]
    assert data["facts"] == {"event": NASTY}
    start, first, _second, third, fourth = data["positions"]
    assert (start["move"], start["comment"], start["mark"]) == (None, "start", None)
    assert first["text"] == {"en": "7g7f", "ja": "▲７六歩(77)"}
    assert first["lines"] == [
        {"centipawns": 20, "mate": None, "expected": 0.5083, "special": None, "pv": ["3c3d", "2g2f"],
         "ja": ["△３四歩(33)", "▲２六歩(27)"]}]
    assert [line["pv"][0] for line in start["lines"]] == ["7g7f", "2g2f"]
    assert third["mark"] == "??"
    assert third["comment"] == NASTY
    assert third["missed_mate"] is None
    assert fourth["text"]["ja"] == "△同　銀(31)"
    assert fourth["mate"] == -4
    assert fourth["missed_mate"] is None        # mated all the same


def test_a_mate_that_was_missed_is_told(analysis: Analysis) -> None:
    *others, last = analysis.assessments
    found = Analysis(analysis.record)
    for each in (*others, assessed(analysis.record, 4, -300, ("B*4e",))):
        found = found.plus(each)
    assert last.ply == 4
    missed = page_data(found)["positions"][4]["missed_mate"]
    assert missed["pv"] == ["8b2b", "3i4h", "4a3b"]
    assert missed["ja"][0] == "△同　飛(82)"
    assert len(missed["ja"]) == 3


def test_sides_are_summed_up(analysis: Analysis) -> None:
    black, white = page_data(analysis)["sides"]
    assert (black["moves"], black["best"], black["marks"]["??"]) == (2, 1, 1)
    assert (white["moves"], white["best"], white["marks"]) == (2, 2, {"??": 0, "?": 0, "?!": 0})


def test_the_page_stands_alone_and_nothing_in_it_is_taken_for_html(analysis: Analysis) -> None:
    text = page(analysis)
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert not re.search("%[A-Z]+%", text)
    assert text.count("</script>") == 2
    assert f"<title>{html.escape(NASTY)} – 人</title>" in text
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    assert json.loads(found[1]) == page_data(analysis)


def test_a_stretch_of_a_game_and_one_without_names() -> None:
    record = Record(moves=["7g7f", "3c3d"])
    found = Analysis(record).plus(assessed(record, 1, 0, ("3c3d",))).plus(assessed(record, 2, 0, ("2g2f",)))
    start, end = page_data(found)["positions"]
    assert (start["ply"], start["move"]) == (1, None)
    assert end["move"] == "3c3d"
    assert "<title>Black – White</title>" in page(found)


def test_the_command_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    command = ["analyze", "--nodes", "200", "--hash", "1", "--eval-file", "material", "--html", str(path), "-"]
    done = CliRunner().invoke(main, command, input="7g7f 3c3d resign")
    assert done.exit_code == 0, done.output
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_page_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    game = tmp_path / "game.usi"
    game.write_text("7g7f")
    for path, said in ((tmp_path / "no" / "page.html", "no folder"), (game, "would write over the record itself")):
        done = CliRunner().invoke(main, ["analyze", "--html", str(path), str(game)])
        assert done.exit_code == 1
        assert said in done.output
        assert "start" not in done.output


# -- In a browser ------------------------------------------------------------------------------------------------------

CLICKS = """
const seen = {}, at = id => document.getElementById(id), here = () => at("ply").textContent.split(" ")[0];
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true}));
const pieceAt = index => at("board").querySelector(`[data-square="${index}"]`);
const texts = id => [...at(id).children].map(child => child.textContent);
seen.language = document.documentElement.lang;
seen.pieces = at("board").querySelectorAll("[data-square]").length;
seen.arrows = [...at("board").querySelectorAll(".arrow")].map(arrow => arrow.getAttribute("data-move"));
seen.moves = texts("moves");
at("next").click(); press("ArrowRight"); at("next").click(); at("next").click(); press("ArrowRight");
seen.end = here();
press("ArrowLeft"); seen.back = here();
seen.mark = at("mark").textContent; seen.lost = at("lost").textContent; seen.comment = at("comment").textContent;
seen.better = at("better").textContent; seen.hand = at("board").querySelectorAll('[data-hand="0"]').length;
seen.horse = pieceAt(16).getAttribute("data-piece");
const horseAt = () => pieceAt(16).getAttribute("transform").match(/translate\\(([\\d.]+)/)[1];
const before = horseAt(); at("flip").click();
seen.flipped = Number(before) + Number(horseAt());
seen.top = at("top").textContent;
press("f");
at("better").querySelectorAll("span")[1].click();
seen.variation = [pieceAt(16) === null || pieceAt(16).getAttribute("data-piece"), here()];
press("Home"); seen.home = here();
const box = at("graph").getBoundingClientRect();
const click = share => at("graph").dispatchEvent(new MouseEvent("click", {clientX: box.left + share * box.width}));
click(785 / 800); seen.graph = [here()]; click(50 / 800); seen.graph.push(here());
click((50 + 735 / 2) / 800); seen.graph.push(here());
at("moves").children[1].click(); seen.clicked = here();
at("language").click();
seen.other = [document.documentElement.lang, at("move").textContent, texts("moves")[0]];
at("end").click(); seen.score = at("score").textContent;
seen.width = innerWidth;
seen.wide = [document.documentElement, at("summary")].every(part => part.scrollWidth <= part.clientWidth);
const found = document.createElement("pre"); found.id = "seen"; found.textContent = JSON.stringify(seen);
document.body.append(found);
"""


def seen(analysis: Analysis, folder: Path, *options: str, width: int | None = None) -> Any:
    path = folder / "page.html"
    path.write_text(page(analysis), encoding="utf-8")
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom_after(path, CLICKS, folder, *options, width=width))
    assert found
    return json.loads(html.unescape(found[1]))


@NEEDS_CHROMIUM
def test_what_can_be_clicked(analysis: Analysis, tmp_path: Path) -> None:
    found = seen(analysis, tmp_path, "--lang=en", "--accept-lang=en", "--window-size=1200,900")
    assert found["language"] == "en"
    assert found["pieces"] == 40
    assert found["arrows"] == ["7g7f", "3c3d"]
    assert found["moves"] == ["start", "1.7g7f", "2.3c3d", "3.8h2b+ ??", "4.3a2b"]
    assert (found["end"], found["back"], found["home"]) == ("4", "3", "0")
    assert found["mark"] == "?? blunder"
    assert found["lost"].startswith("lost 2")
    assert found["comment"] == NASTY
    assert found["better"].split() == ["Better:", "2g2f", "8c8d"]
    assert (found["hand"], found["horse"]) == (1, "+B")
    assert found["flipped"] == 376      # mirrored about the middle of the board
    assert found["top"] == f"☗ {NASTY}"
    assert found["variation"] == ["b", "3"]
    assert found["graph"] == ["4", "0", "2"]
    assert found["clicked"] == "1"
    assert found["other"] == ["ja", "▲７六歩(77)", "開始局面"]
    assert found["score"] == "後手勝ち (詰みまで 4) · ☗ 0 %"
    assert found["wide"]


@NEEDS_CHROMIUM
def test_on_a_phone_of_a_japanese_reader(analysis: Analysis, tmp_path: Path) -> None:
    found = seen(analysis, tmp_path, "--lang=ja", "--accept-lang=ja", width=390)
    assert found["width"] == 390
    assert found["language"] == "ja"
    assert found["moves"][3] == "3.▲２二角成(88) ??"
    assert found["mark"] == "?? 大悪手"
    assert found["other"] == ["en", "7g7f", "start"]
    assert found["wide"]


def test_positions_of_the_page_are_those_of_the_game(analysis: Analysis) -> None:
    position = Position()
    for each in page_data(analysis)["positions"]:
        if each["move"]:
            position.push(each["move"])
        assert each["sfen"] == position.sfen
