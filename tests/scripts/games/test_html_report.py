"""The page of a match: whole in itself, with every game on a board."""
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine import BLACK, MATE, SUPERIOR, WHITE
from scripts.games.html_report import curves, page, write_report
from scripts.games.played import PlayedGame
from scripts.games.schedule import encounters
from scripts.games.standings import Standings
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.processes import SECONDS
from usi.words.wording import expected_score


def game(winner: int | None, record: str = "startpos moves 7g7f 3c3d") -> PlayedGame:
    return PlayedGame(winner, "resignation" if winner is not None else "repetition", record, 1,
                [(10, 30, 5, 1000), (20, None, None, None)])


def program(text: str) -> str:
    found = re.search(r'<script id="program">(.*?)</script>', text, re.DOTALL)
    assert found
    return found[1]


def data_of(text: str) -> str:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    return found[1]


def test_the_page_needs_nothing_from_elsewhere_and_holds_what_it_is_given() -> None:
    text = page(Standings(["<b>", "</script>"], [(0, 1)], {0: game(BLACK), 1: game(None)}), "A & B", "1 < 2")
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert "<h1>A &amp; B</h1>" in text
    assert "<td>&lt;b&gt;</td>" in text
    assert "<pre>1 &lt; 2</pre>" in text
    assert text.count("</script>") == 2
    data = json.loads(data_of(text))
    assert data["games"][1]["names"] == ["</script>", "<b>"]
    assert data["games"][0]["moves"] == ["7g7f", "3c3d"]
    assert '"games":[]' in page(Standings(["a", "b"], [(0, 1)]), "a match without games", "")
    assert data["games"][0]["thoughts"] == [[10, 30, 5, 1000], [20, None, None, None]]


def test_curves_end_where_the_match_ended() -> None:
    winners = [BLACK, WHITE, WHITE, BLACK, BLACK, None] * 50
    standings = Standings(["a", "b"], [(0, 1)], dict(enumerate(map(game, winners))))
    curve, = curves(standings)
    points = curve["points"]
    assert isinstance(points, list)
    assert 100 <= len(points) <= 151
    assert points[-1][0] == 300
    assert f"Elo {points[-1][1]:+.1f} ± {points[-1][2]:.1f}" in standings.headline()
    three = Standings(["a", "b", "c"], encounters(3, False), dict(enumerate(map(game, winners))))
    assert [curve["name"] for curve in curves(three)] == ["a", "b", "c"]


def test_everything_is_written(tmp_path: Path) -> None:
    write_report(tmp_path / "deep" / "report", Standings(["a", "b"], [(0, 1)], {0: game(BLACK)}), "summary")
    assert sorted(path.name for path in (tmp_path / "deep" / "report").rglob("*.*")) == [
        "00001.kifu", "games.csa", "report.html"]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to run the page's program")
def test_what_players_thought_becomes_scores_for_black() -> None:
    """A move is marked if its player's own score had fallen by the player's next move."""
    thoughts = [[1, 30, 2, 3], [1, 40, 2, 3], [1, None, None, None], [1, -700, 2, 3], [1, -MATE + 4, 2, 3],
                [1, -SUPERIOR, 2, 3]]
    game = {"book": 1, "first": 1, "moves": 7 * [""], "thoughts": thoughts}
    text = page(Standings(["a", "b"], [(0, 1)]), "t", "s")
    script = program(text) + f"""
        const data = {data_of(text)}, nodes = nodesOf({json.dumps(game)}, data);
        console.log(JSON.stringify([nodes, curvesOf(nodes, ["a", "b"])]));
    """
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    nodes, curves = json.loads(done.stdout)
    scores = [(node["centipawns"], node["mate"], node["special"], node.get("mark")) for node in nodes]
    unknown = (None, None, None, None)
    assert scores == [unknown, unknown, (-30, None, None, None), (40, None, None, "??"), unknown,
                      (-700, None, None, "??"), (None, 4, None, None),
                      (-SUPERIOR, None, "superior", None)]
    assert nodes[3]["lost_expected"] == pytest.approx(expected_score(40) - expected_score(-700))
    assert (nodes[3]["lost_centipawns"], nodes[5]["lost_centipawns"]) == (740, 1300)
    assert [[number for number, _ in curve["points"]] for curve in curves] == [[3, 5, 7], [2, 6]]


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_the_page_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    games = dict(enumerate(map(game, [BLACK, WHITE, WHITE, BLACK, BLACK, None] * 2)))
    write_report(tmp_path, Standings(["ours", "theirs"], [(0, 1)], games), "what it came to")
    for width, dark in ((1280, False), (820, True), (390, False), (390, True)):
        browser.open(tmp_path / "report.html", width, dark=dark)
        assert len(browser.texts("#list option")) == 12
        browser.see("document.querySelector('#list').focus()")
        browser.press("ArrowDown")
        assert (browser.text("#bottom"), browser.text("#top")) == ("☗ theirs", "☖ ours")
        assert browser.text("#result") == "White won after 2 moves: Black resigned"
        assert browser.text("#ply") == "1 / 2"      # where the opening ends
        browser.click("#next")
        assert browser.text("#score") == "score -30 · ☗ 49 % · 10 ms · depth 5 · 1,000 nodes"
        assert browser.texts("#legend span") == ["☗ theirs", "☖ ours"]
        assert [text.split() for text in browser.texts("#moves button")] == [
            ["start"], ["1.", "P-7f"], ["2.", "P-3d", "0:00", "-30"]]
        assert browser.texts("#moves [aria-current]")[0].split()[1] == "P-3d"
        assert browser.see("document.querySelectorAll('#board [data-square]').length") == 40
        for picture, count in (("elo", 1), ("graph", 2)):
            assert browser.see(f"document.querySelectorAll('#{picture} polyline').length") == count
        assert not browser.is_visible("#exercises")
        browser.see("document.querySelector('#legal').value = '2g2f'")
        browser.click("#play")
        assert "no lines" in browser.text("#told")
        browser.press("ArrowLeft")
        browser.click("#language")
        assert browser.text("#result") == "まで2手で後手の勝ち（先手の投了）"
        assert browser.text("#moves [aria-current] .name") == "2. △３四歩(33)"
        assert browser.see("document.documentElement.scrollWidth <= innerWidth")
