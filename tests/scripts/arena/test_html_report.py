"""The page: whole in itself, and its program plays the moves as our board does."""
import json
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from engine import BLACK, WHITE, Position
from scripts.arena.html_report import curves, page, write_report
from scripts.arena.stats.standings import Standings
from scripts.games.played import PlayedGame
from scripts.games.schedule import encounters
from tests.browser import NEEDS_CHROMIUM, dom_after
from tests.processes import SECONDS


def game(winner: int | None, record: str = "startpos moves 7g7f 3c3d") -> PlayedGame:
    return PlayedGame(winner, "resignation" if winner is not None else "repetition", record, 1,
                [(10, 30, 5, 1000), (20, None, None, None)])


def program(text: str) -> str:
    found = re.search(r'<script id="program">(.*?)</script>', text, re.DOTALL)
    assert found
    return found[1]


def test_the_page_needs_nothing_from_elsewhere_and_holds_what_it_is_given() -> None:
    text = page(Standings(["<b>", "</script>"], [(0, 1)], {0: game(BLACK), 1: game(None)}), "A & B", "1 < 2")
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert "<h1>A &amp; B</h1>" in text
    assert "<td>&lt;b&gt;</td>" in text
    assert "<pre>1 &lt; 2</pre>" in text
    assert text.count("</script>") == 2
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data["games"][1]["black"] == "</script>"
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


def test_a_match_without_games_has_a_page() -> None:
    assert '"games":[]' in page(Standings(["a", "b"], [(0, 1)]), "t", "s")


def test_everything_is_written(tmp_path: Path) -> None:
    write_report(tmp_path / "deep" / "report", Standings(["a", "b"], [(0, 1)], {0: game(BLACK)}), "summary")
    assert sorted(path.name for path in (tmp_path / "deep" / "report").rglob("*.*")) == [
        "00001.kifu", "games.csa", "report.html"]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to run the page's program")
def test_the_page_plays_as_our_board_does(tmp_path: Path) -> None:
    rng, cases = Random(5), []
    for start in ("startpos", "4k4/9/4P4/9/9/9/9/9/4K4 w G2Pr2b 7"):
        position = Position.from_usi(start)
        sfens = [position.sfen]
        for _ in range(150):        # captures, promotions and drops of either side come by themselves
            position.push(rng.choice(position.legal_moves()))
            sfens.append(position.sfen)
            if position.is_mate():
                break
        cases.append({"sfen": position.initial_sfen, "moves": position.moves,
                      "sfens": [sfen.rpartition(" ")[0] for sfen in sfens]})
    moves = cases[0]["moves"]
    assert len(moves) > 100
    assert any("*" in move for move in moves)
    script = program(page(Standings(["a", "b"], [(0, 1)]), "t", "s")) + """
        for (const each of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
          let position = parseSfen(each.sfen);
          const found = [formatSfen(position)];
          for (const move of each.moves) found.push(formatSfen(position = play(position, move)));
          console.log(JSON.stringify(found));
        }
        const game = {opening: 1, first: 1, thoughts: [[1, 30, 2, 3], [1, 40, 2, 3], [1, null, null, null]]};
        const thoughts = [thoughtAt(game, 1), thoughtAt(game, 2).score];
        console.log(JSON.stringify([scoresOf(game, 0), scoresOf(game, 1), ...thoughts]));
    """
    done = subprocess.run(["node", "-e", script], input=json.dumps(cases), capture_output=True, text=True,
                          timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    *found, thoughts = map(json.loads, done.stdout.splitlines())
    assert found == [case["sfens"] for case in cases]
    assert thoughts == [[[3, 40]], [[2, -30]], None, 30]


@NEEDS_CHROMIUM
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    games = dict(enumerate(map(game, [BLACK, WHITE, WHITE, BLACK, BLACK, None] * 2)))
    write_report(tmp_path, Standings(["ours", "theirs"], [(0, 1)], games), "what it came to")
    path = tmp_path / "report.html"
    clicks = """
        const list = document.getElementById("list");
        list.selectedIndex = 1;
        list.dispatchEvent(new Event("change"));
        document.getElementById("next").click();
    """
    done = dom_after(path, clicks, tmp_path)

    def inside(name: str) -> str:
        found = re.search(rf'<(\w+)\b[^>]* id="{name}"[^>]*>(.*?)</\1>', done, re.DOTALL)
        assert found, done
        return found[2]

    assert inside("list").count("<option") == 12
    assert (inside("black"), inside("white")) == ("☗ theirs", "☖ ours")
    assert inside("ply") == "2 / 2"
    assert inside("thought") == "3c3d, 10 ms, score 30, depth 5, 1000 nodes"
    pieces = re.findall(r'data-piece="(.)" transform="[^"]*" data-square="(\d+)"', inside("board"))
    assert len(pieces) == 40
    assert ("p", "33") in pieces
    assert '<rect class="last" ' in inside("board")
    assert inside("moves").count("<span") == 2
    assert '<span class="now">2.3c3d</span>' in inside("moves")
    for picture, count in (("elo", 1), ("scores", 2)):
        assert inside(picture).count("<polyline") == count
