"""The page of an analysis: what its program reads, that it stands alone, and what a reader does and sees there."""
import html
import json
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine import MATE, SUPERIOR, Position
from engine.records.handicaps import ENGLISH_NAMES, HANDICAPS
from engine.records.record import TERMINALS, Record
from search.mate import MateSolver
from tests.browser import NEEDS_CHROMIUM, Browser, chromium
from tests.usi.commands.running import invoke
from tests.usi.commands.test_analyze import BEFORE_IT, DECLARABLE, MATE_IN_ONE
from usi.commands.analyze import command
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.analyze.report import page, page_data
from usi.pages.pages import packaged

ANALYZE = ("analyze", "--nodes", "3000", "--hash", "1", "--eval-file", "material")
NASTY = "</script><script>alert(1)</script>&<b>"


def assessed(record: Record, ply: int, score: int, *lines: tuple[str, ...], mate: tuple[str, ...] = ()) -> Assessment:
    position = record.position(ply)
    candidates = tuple(Candidate(score - 10 * number, line) for number, line in enumerate(lines))
    return Assessment(ply, position.sfen, position.turn, score, 5, 7, 1000, 10, candidates, mate)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """Four plies: a blunder of Black's at move 3, after which White misses a mate."""
    moves = ["7g7f", "3c3d", "8h2b+", "3a2b"]
    variation = Record(Record(moves=moves).position(2).sfen, ["2g2f", "8c8d", "2f2e"], comments={2: "quiet"})
    variation.variations = {2: [Record(variation.position(1).sfen, ["4c4d", "2f2e"], comments={1: "ranging"})]}
    played_on = Record(Record(moves=moves).position().sfen, ["B*5e"])
    record = Record(moves=moves, names=(NASTY, "人"), headers={"EVENT": NASTY, "表題": "決勝", "OPENING": "角換わり"},
                    comments={0: "start", 3: NASTY}, times={1: 65.0, 3: 3725.5},
                    terminal="TORYO", variations={3: [variation], 5: [played_on]})
    found = Analysis(record)
    for each in (
        assessed(record, 0, 30, ("7g7f", "3c3d"), ("2g2f",)),
        assessed(record, 1, -20, ("3c3d", "2g2f")),
        assessed(record, 2, 40, ("2g2f", "8c8d")),
        assessed(record, 3, 700, ("3a2b", "B*4e"), ("8b2b",), mate=("8b2b", "3i4h", "4a3b")),
        assessed(record, 4, -MATE + 4, ("B*4e", "4a3b")),
    ):
        found = found.plus(each)
    return found


def test_each_position_has_what_is_known_of_it(analysis: Analysis) -> None:
    data = page_data(analysis)
    game = data["game"]
    assert game["names"] == [NASTY, "人"]
    assert data["facts"] == {"event": NASTY, "title": "決勝", "opening": "角換わり"}
    assert game["times"] == [65.0, None, 3725.5, None]
    assert (game["ply"], game["sfen"], game["moves"]) == (0, Position().sfen, analysis.record.moves)
    assert game["end"] == {"terminal": "TORYO", "winner": 1, "plies": 4}
    start, first, _second, third, fourth = game["nodes"]
    assert (start["comment"], start["mark"]) == ("start", None)
    assert first["lines"] == [
        {"centipawns": 20, "mate": None, "expected": 0.5083, "special": None, "pv": ["3c3d", "2g2f"]}]
    assert [line["pv"][0] for line in start["lines"]] == ["7g7f", "2g2f"]
    assert (third["mark"], third["comment"], third["missed_mate"]) == ("??", NASTY, None)
    assert (fourth["mate"], fourth["missed_mate"]) == (-4, None)        # mated all the same


def test_variations_come_with_those_within_them(analysis: Analysis) -> None:
    assert page_data(analysis)["game"]["variations"] == [
        {"ply": 3, "pv": ["2g2f", "8c8d", "2f2e"], "comments": {2: "quiet"}},
        {"ply": 3, "pv": ["2g2f", "4c4d", "2f2e"], "comments": {2: "ranging"}},
        {"ply": 5, "pv": ["B*5e"], "comments": {}}]


def test_a_mate_that_was_missed_is_told(analysis: Analysis) -> None:
    *others, last = analysis.assessments
    found = Analysis(analysis.record)
    for each in (*others, assessed(analysis.record, 4, -300, ("B*4e",))):
        found = found.plus(each)
    assert last.ply == 4
    assert page_data(found)["game"]["nodes"][4]["missed_mate"] == ["8b2b", "3i4h", "4a3b"]


def test_sides_are_summed_up(analysis: Analysis) -> None:
    black, white = page_data(analysis)["sides"]
    assert (black["moves"], black["best"], black["marks"]["??"]) == (2, 1, 1)
    assert (white["moves"], white["best"], white["marks"]) == (2, 2, {"??": 0, "?": 0, "?!": 0})


def test_castles_come_where_they_change() -> None:
    record = Record(moves="2h6h 8c8d 3i3h 8d8e 5i4h 9c9d 4h3i 1c1d 3i2h 7a6b 2h1h".split())
    found = Analysis(record)
    for ply in range(len(record.moves) + 1):
        found = found.plus(assessed(record, ply, 0))
    game = page_data(found)["game"]
    assert game["formations"] == [{"ja": "片美濃囲い", "en": "Half Mino"}]
    assert game["castles"] == [(9, 0, 0), (11, 0, None)]


def test_a_handicap_has_a_name() -> None:
    record = Record(HANDICAPS["二枚落ち"], ["6a5b"])
    data = page_data(Analysis(record).plus(assessed(record, 0, 0, ("6a5b",))))
    assert data["handicap"] == {"ja": "二枚落ち", "en": "two pieces"}
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


def test_every_way_to_end_a_game_has_words() -> None:
    english, japanese = re.findall(r"ends: \{(.*?)\},\n  \}", packaged("words.js"), re.DOTALL)
    for text in (english, japanese):
        assert {key.strip('"') for key in re.findall(r'(?:^|[,\n{] *)("?[-+A-Z_]+"?): \(?\w*', text)} == TERMINALS


@cache
def long_game() -> Analysis:
    """200 plies with times and variations, a line of 24 moves at each but where a mistake follows, of either side in
    turn."""
    rng, position, moves = Random(4), Position(), list[str]()
    while len(moves) < 224:
        move = rng.choice(position.legal_moves())
        position.push(move)
        if position.is_mate() or position.in_check:
            position.pop()
        else:
            moves.append(move)
    variations = {ply: [Record(Record(moves=moves).position(ply - 1).sfen, [moves[ply - 1]])]
                  for ply in range(5, 200, 5)}
    record = Record(moves=moves[:200], times={ply: 17.0 * ply for ply in range(1, 201)}, variations=variations)
    found = Analysis(record)
    for ply in range(201):
        line = moves[ply:ply + 24]
        if ply % 15 == 14:
            line = [next(move for move in record.position(ply).legal_moves() if move != moves[ply])]
        found = found.plus(assessed(record, ply, 300 - ply, tuple(line)))
    return found


def test_the_page_of_a_long_game_is_small() -> None:
    assert len(page(long_game()).encode()) < 200_000


def test_a_stretch_of_a_game_and_one_without_names(analysis: Analysis) -> None:
    record = Record(moves=["7g7f", "3c3d"])
    found = Analysis(record).plus(assessed(record, 1, 0, ("3c3d",))).plus(assessed(record, 2, 0, ("2g2f",)))
    game = page_data(found)["game"]
    assert (game["ply"], game["sfen"], game["moves"]) == (1, record.position(1).sfen, ["3c3d"])
    assert game["end"] is None
    assert "<title>Black – White</title>" in page(found)
    found = Analysis(analysis.record).plus(analysis.assessments[3])
    assert page_data(found)["game"]["variations"] == []


def test_the_command_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    invoke(*ANALYZE, "--html", path, "-", given="7g7f 3c3d resign")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_an_analysis_interrupted_at_once_has_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(MateSolver):
        def arm(self, *_: object) -> None:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(command, "MateSolver", Interrupted)
    path = tmp_path / "page.html"
    done = invoke(*ANALYZE, "--html", path, "-", given="7g7f 3c3d", status=130)
    assert done.output.endswith("interrupted; positions done: 0\n")
    assert not path.exists()


def test_a_page_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    game = tmp_path / "game.usi"
    game.write_text("7g7f")
    for path, said in ((game / "page.html", "this is a file where a folder is needed"),
                       (game, "would write over the record itself")):
        done = invoke("analyze", "--html", path, game, status=1)
        assert said in done.output
        assert "start" not in done.output


# -- In a browser ------------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("chromium")) as found:
        yield found


def show(browser: Browser, analysis: Analysis, folder: Path, width: int = 1280, dark: bool = False,
         language: str = "en") -> None:
    path = folder / "page.html"
    path.write_text(page(analysis), encoding="utf-8")
    browser.open(path, width, 900, dark, language)


def ply(browser: Browser) -> str:
    return browser.text("#ply").split(" ")[0]


def click_square(browser: Browser, name: str) -> None:
    """As the board lies in its picture, seen by Black."""
    file, rank = 9 - int(name[0]), "abcdefghi".index(name[1])
    browser.click("#board", (8 + 40 * (file + .5)) / 388, (60 + 44 * (rank + .5)) / 508)


def piece_on(browser: Browser, name: str) -> str | None:
    square = 9 * "abcdefghi".index(name[1]) + 9 - int(name[0])
    piece: str | None = browser.see(f"""document.querySelector('#board [data-square="{square}"]')?.dataset.piece""")
    return piece


@NEEDS_CHROMIUM
def test_a_reader_looks_through_the_game(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    assert browser.see("document.documentElement.lang") == "en"
    assert browser.see("document.querySelectorAll('#board [data-square]').length") == 40
    assert browser.see("[...document.querySelectorAll('#board .arrow')].map(each => each.dataset.move)") == [
        "7g7f", "3c3d"]
    assert browser.text("#result") == "White won after 4 moves: Black resigned"
    moves = [text.split() for text in browser.texts("#moves button")]
    assert moves == [["start", "+30"], ["1.", "P-7f", "1:05", "+20"], ["2.", "P-3d", "+40"],
                     ["3.", "Bx2b+", "↳", "??", "1:02:05", "-700"], ["4.", "Sx2b", "↳", "mate", "-4"]]
    browser.click("#next")
    browser.press("ArrowRight")
    browser.click("#next")
    assert ply(browser) == "3"
    assert (browser.text("#mark"), browser.text("#comment")) == ("?? blunder", NASTY)
    assert re.fullmatch(r"lost 2\d\.\d % \(740\)", browser.text("#lost"))
    assert browser.text("#time") == "1:02:05"
    assert browser.text("#better").split() == ["Better:", "P-2f", "P-8d"]
    assert piece_on(browser, "2b") == "+B"
    assert browser.see("""document.querySelectorAll('#board [data-hand="0"]').length""") == 1
    assert browser.see("document.querySelector('#bar').getAttribute('aria-valuenow')") == "24"
    bar, share = browser.see("[document.querySelector('#bar'), document.querySelector('#bar div')]"
                             ".map(each => each.getBoundingClientRect().height)")
    assert share / bar == pytest.approx(.24, abs=.01)
    for key, reached in zip(["End", "ArrowRight", "ArrowLeft", "Home", "n", "p"], "443033", strict=True):
        browser.press(key)
        assert ply(browser) == reached, key
    assert "no further mistake" in browser.text("#told")
    browser.press("Home")
    browser.click("#nextMistake")
    assert ply(browser) == "3"
    browser.press("End")
    browser.click("#lastMistake")
    assert ply(browser) == "3"
    browser.click("#moves button", number=1)
    assert ply(browser) == "1"
    box = browser.see("document.querySelector('#graph').clientWidth")
    for reached, share in (("4", 1 - 12 / box), ("0", 46 / box), ("2", (46 + (box - 58) / 2) / box)):
        browser.click("#graph", share)
        assert ply(browser) == reached
    browser.click("#end")
    assert browser.text("#score") == "White mates (mate in 4) · ☗ 0 %"


@NEEDS_CHROMIUM
def test_the_board_turns(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    rook = "document.querySelector('#board [data-square=\"70\"]').getBoundingClientRect().x"
    before = browser.see(rook)
    assert browser.text("#top") == "☖ 人"
    browser.press("f")
    assert browser.text("#top") == f"☗ {NASTY}"
    assert browser.see(rook) < before
    assert browser.see("getComputedStyle(document.querySelector('#bar')).flexDirection") == "column"
    browser.click("#flip")
    assert browser.see(rook) == before


@NEEDS_CHROMIUM
def test_lines_and_variations_are_played_through(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    browser.press("n")
    assert [" ".join(text.split()) for text in browser.texts("#lines .line")[1:3]] == [
        "Variation instead: P-2f P-8d P-2e", "Variation instead: P-2f P-4d P-2e"]
    assert browser.texts("#lines .comment") == ["P-8d: quiet", "P-4d: ranging"]
    browser.click("#variation0 button", number=1)
    assert (piece_on(browser, "8d"), piece_on(browser, "2e"), ply(browser)) == ("p", None, "3")
    assert browser.texts(".line [aria-current]") == ["P-8d"]
    browser.press("ArrowRight")
    assert piece_on(browser, "2e") == "P"
    browser.press("ArrowRight")                 # it ends there
    assert browser.texts(".line [aria-current]") == ["P-2e"]
    browser.click("#leave")
    assert (piece_on(browser, "2b"), browser.is_visible("#leave")) == ("+B", False)
    browser.click("#variation1 button")
    assert browser.is_visible("#leave")
    browser.press("ArrowLeft")                  # before its first move the game goes on
    assert (ply(browser), browser.is_visible("#leave")) == ("2", False)
    browser.press("End")                        # where the game was given up, it could have gone on
    browser.click("#variation2 button")
    assert piece_on(browser, "5e") == "B"


@NEEDS_CHROMIUM
def test_a_move_of_ones_own_has_its_answer(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    browser.click("#moves button", number=2)
    click_square(browser, "2g")
    assert browser.see("[...document.querySelectorAll('.target')].map(each => each.dataset.target)") == ["2f"]
    click_square(browser, "2f")
    assert piece_on(browser, "2f") == "P"
    assert "The analysis' first choice. score +40 · ☗ 52 %." in browser.text("#told")
    assert [" ".join(text.split()) for text in browser.texts("#told .line")] == [
        "Your moves: P-2f", "The best answer: P-8d"]
    browser.click("#told .line:last-child button")
    assert piece_on(browser, "8d") == "p"
    browser.press("Escape")
    assert (piece_on(browser, "2f"), browser.text("#told")) == (None, "")
    for square in ("2g", "2f", "8c", "8d"):     # a line is known to its end
        click_square(browser, square)
    assert "score +40" in browser.text("#told")
    click_square(browser, "2f")
    click_square(browser, "2e")                 # and no further
    assert "not searched" in browser.text("#told")
    browser.press("Escape")

    click_square(browser, "1g")
    browser.press("Escape")
    click_square(browser, "1f")                 # it was put back
    assert piece_on(browser, "1g") == "P"
    click_square(browser, "1g")
    click_square(browser, "2f")                 # not where it can go
    assert piece_on(browser, "1g") == "P"
    click_square(browser, "1g")
    click_square(browser, "1f")
    assert "The analysis has not searched this move." in browser.text("#told")
    assert " ".join(browser.texts("#told .line")[-1].split()) == "Best here: P-2f P-8d"
    assert "unknown" in browser.see("document.querySelector('#bar').className")
    browser.press("Escape")

    click_square(browser, "8h")
    click_square(browser, "2b")
    assert browser.texts("#promotion button") == ["promote", "do not promote"]
    browser.click("#promote")
    assert piece_on(browser, "2b") == "+B"
    told = browser.text("#told")
    assert "This was played." in told
    assert re.search(r"It loses 2\d\.\d %\.", told)
    click_square(browser, "3a")                 # and the reader goes on for the other side
    click_square(browser, "2b")
    assert piece_on(browser, "2b") == "s"
    assert "White mates" in browser.text("#told")
    browser.press("Escape")
    browser.press("ArrowRight")
    for square in ("8b", "2b"):                 # White loses what Black gains
        click_square(browser, square)
    assert browser.text("#told p") == "score -690 · ☗ 24 %. It loses 0.3 %."
    browser.press("Escape")
    for square in ("3a", "2b"):
        click_square(browser, square)
    browser.click("#board", (8 + 18) / 388, (60 + 9 * 44 + 28) / 508)       # the bishop in hand
    click_square(browser, "5e")
    assert piece_on(browser, "5e") == "B"
    assert " ".join(browser.texts("#told .line")[0].split()) == "Your moves: Sx2b B*5e"


@NEEDS_CHROMIUM
def test_a_move_that_is_none_of_several_lines_loses_at_least_as_much_as_the_last(browser: Browser, analysis: Analysis,
                                                                                tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    for square in ("1g", "1f"):
        click_square(browser, square)
    assert "Not among the analysis' 2 best moves: it loses at least 0.4 %." in browser.text("#told")
    browser.press("Escape")
    browser.press("ArrowRight")                 # where there is one line only, nothing is known of others
    for square in ("1c", "1d"):
        click_square(browser, square)
    assert "The analysis has not searched this move." in browser.text("#told")


@NEEDS_CHROMIUM
def test_a_link_leads_to_a_ply(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(analysis), encoding="utf-8")
    browser.open(path, fragment="?ja&western#3")
    assert (ply(browser), browser.see("document.documentElement.lang")) == ("3", "ja")
    assert browser.see("document.querySelector('.piece text').textContent") == "L"
    browser.press("ArrowRight")
    assert browser.see("location.hash") == "#4"
    browser.see("location.hash = '#1', new Promise(setTimeout)")
    assert ply(browser) == "1"
    browser.open(path, fragment="#99")
    assert ply(browser) == "4"


@NEEDS_CHROMIUM
def test_pieces_with_western_letters(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    browser.press("n")
    letters = "[...document.querySelectorAll('#board .piece text')].map(each => each.textContent)"
    assert "馬" in browser.see(letters)
    browser.click("#pieces")
    assert set(browser.see(letters)) == {*"PLNSGBRK", "+B"}
    assert browser.text("#pieces") == "Japanese pieces"
    browser.click("#pieces")
    assert "馬" in browser.see(letters)


@NEEDS_CHROMIUM
def test_games_are_linked_with_each_other(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(analysis, {"index": "index.html", "previous": None, "next": "002.html"}), encoding="utf-8")
    browser.open(path)
    links = "[...document.querySelectorAll('#others a')].map(each => each.getAttribute('href'))"
    assert browser.see(links) == ["index.html?en", "002.html?en"]
    browser.click("#language")
    browser.click("#pieces")
    assert browser.see(links) == ["index.html?ja&western", "002.html?ja&western"]
    assert browser.texts("#others a") == ["対局一覧", "次の対局 ▶"]


@NEEDS_CHROMIUM
def test_arrows_leave_the_letters_free(browser: Browser, tmp_path: Path) -> None:
    record = Record(moves=["7g7f", "3c3d"])
    found = Analysis(record)
    for at, line in enumerate((("7g7f", "3c3d"), ("3c3d",), ("8h2b+", "3a2b"))):      # that one takes
        found = found.plus(assessed(record, at, 0, line))
    show(browser, found, tmp_path)
    for at in range(3):
        assert browser.see("""(() => {
            const board = document.querySelector("#board"), point = board.createSVGPoint();
            return [...board.querySelectorAll(".piece text")].flatMap(text => {
                const {left, right, top, bottom} = text.getBoundingClientRect();
                [point.x, point.y] = [(left + right) / 2, (top + bottom) / 2];
                return [...board.querySelectorAll("path.arrow")].filter(arrow => {
                    const at = point.matrixTransform(arrow.getScreenCTM().inverse());
                    return [-7, 0, 7].some(x => [-7, 0, 7].some(y => {
                        const near = board.createSVGPoint();
                        [near.x, near.y] = [at.x + x, at.y + y];
                        return arrow.isPointInFill(near) || arrow.isPointInStroke(near);
                    }));
                }).map(arrow => arrow.dataset.move + " " + text.textContent);
            });
        })()""") == [], at
        browser.press("ArrowRight")


@NEEDS_CHROMIUM
def test_what_is_printed(browser: Browser, tmp_path: Path) -> None:
    show(browser, long_game(), tmp_path, 800, dark=True)
    browser.call("Emulation.setEmulatedMedia", media="print",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        assert browser.see("""[...document.querySelectorAll("button, select")].filter(
            each => each.checkVisibility() && !each.closest(".moves, .line")).length""") == 0
        height, all_of_it = browser.see("(each => [each.clientHeight, each.scrollHeight])"
                                        "(document.querySelector('#moves'))")
        assert height == all_of_it
        assert len(browser.texts("#moves button")) == 201
        assert browser.see("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


@NEEDS_CHROMIUM
def test_better_moves_are_found(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    assert browser.texts("#exercises button") == ["Find Black's better moves (1)", "no mistake of White's to mend"]
    assert browser.texts("#exercises button:enabled") == browser.texts("#exercises button:first-child")
    browser.click("#exercises button")
    assert re.match(r"1 of 1: move 3, Bx2b\+, lost 2\d\.\d %\. Play a better move\.", browser.text("#told"))
    assert not browser.is_visible("#notes")     # nor is there anything else that gives it away
    assert browser.see("document.querySelectorAll('#board .arrow').length") == 0
    click_square(browser, "1g")
    click_square(browser, "1f")
    assert browser.text(".verdict.wrong") == "The analysis has not searched this move. Try another move."
    click_square(browser, "8h")
    click_square(browser, "2b")
    browser.click("#promote")
    assert browser.text(".verdict.wrong").startswith("That is what was played. It loses 2")
    assert piece_on(browser, "8h") == "B"
    click_square(browser, "2g")
    click_square(browser, "2f")
    assert browser.text(".verdict") == "Right: this is the best move."
    assert piece_on(browser, "2f") == "P"       # and the board shows it
    assert browser.texts("#told [aria-current]") == ["P-2f"]
    assert browser.texts("#told .line button") == ["P-2f", "P-8d"]
    browser.press("Enter")                      # on the button that comes next
    assert browser.text("#told") == "You found 1 of 1."
    assert browser.is_visible("#notes")
    browser.click("#exercises button")
    browser.click("#solution")
    assert browser.texts("#told .line button") == ["P-2f", "P-8d"]
    assert piece_on(browser, "2f") == "P"
    browser.press("Escape")
    assert browser.text("#told") == "You found 0 of 1."


@NEEDS_CHROMIUM
def test_without_a_mouse(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    """All that can be reached has a name, moves come from a list, and what happens is announced."""
    show(browser, analysis, tmp_path)
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    assert {role for role, _ in roles} >= {"button", "combobox", "image", "meter", "status", "heading"}
    assert [role for role, name in roles if role in ("button", "combobox", "image", "meter") and not name] == []
    assert [name for role, name in roles if role == "button" and not re.search(r"\w{2}", name)] == []
    browser.click("#moves button", number=2)
    browser.see("document.querySelector('#legal').focus()")
    for letter in "P-2f":
        browser.press(letter)
    browser.press("Tab")
    browser.press("Enter")
    assert "The analysis' first choice." in browser.text("[role=status]")
    browser.press("Escape")
    browser.see("document.querySelector('#moves [tabindex=\"0\"]').focus()")
    browser.press("ArrowRight")
    assert browser.see("document.activeElement.innerText").split()[1] == "Bx2b+"


@NEEDS_CHROMIUM
def test_in_japanese(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path, 390, language="ja")
    assert browser.see("document.documentElement.lang") == "ja"
    assert browser.text("#result") == "まで4手で後手の勝ち（先手の投了）"
    assert browser.texts("#moves button")[3].split() == ["3.", "▲２二角成(88)", "↳", "??", "1:02:05", "-700"]
    browser.press("n")
    assert browser.text("#mark") == "?? 大悪手"
    assert [text.split("：")[0] for text in browser.texts("#lines .label")] == [
        "より良い手", "変化", "変化", "評価値 -700", "評価値 -690"]
    browser.press("ArrowLeft")
    assert browser.texts("#lines .label") == ["最善の進行："]
    assert browser.texts("#arrows span") == ["最善手", "その応手", "打つ手"]
    assert "表題: 決勝" in browser.text("#facts")
    browser.press("End")
    assert (browser.text("#move"), browser.text("#score")) == ("△同　銀(31)", "後手勝ち（詰みまで4手） · ☗ 0 %")
    browser.click("#language")
    assert (browser.text("#move"), browser.text("#language"), ply(browser)) == ("Sx2b", "日本語", "4")
    record = Record(HANDICAPS["二枚落ち"], ["6a5b"], terminal="TORYO")
    found = Analysis(record).plus(assessed(record, 0, 0, ("6a5b",))).plus(assessed(record, 1, 0, ("7g7f",)))
    show(browser, found, tmp_path, language="ja")
    assert "手合割: 二枚落ち" in browser.text("#facts")
    assert browser.text("#result") == "まで1手で上手の勝ち（下手の投了）"
    browser.click("#language")
    assert "handicap: two pieces" in browser.text("#facts")


@NEEDS_CHROMIUM
def test_names_of_openings_and_castles(browser: Browser, tmp_path: Path) -> None:
    moves = "7g7f 8c8d 6g6f 8d8e 2h6h 6a5b 3i3h 5a4b 5i4h 4b3b 4h3i 1c1d 3i2h 9c9d".split()
    moves += ["1g1f", "7a6b", "9g9f", "5c5d"] + 3 * ["6h7h", "4a4b", "7h6h", "4b4a"] + ["6h7h", "4a4b", "7h6h"]
    record = Record(moves=moves)
    found = Analysis(record)
    for each in range(len(moves) + 1):
        found = found.plus(assessed(record, each, 0))
    show(browser, found, tmp_path)
    assert browser.text("#result") == "Black Fourth-file Rook – White Static Rook"
    assert browser.text("#bottom .castle") == ""
    browser.press("End")
    assert browser.text("#bottom .castle") == "Half Mino"
    browser.click("#language")
    assert (browser.text("#bottom .castle"), browser.text("#result")) == ("片美濃囲い", "先手 四間飛車 – 後手 居飛車")


WORDS_FOR_SCORES = {        # of the command's own analysis of positions
    DECLARABLE: ("Black wins by declaration · ☗ 100 %", "先手の宣言勝ち · ☗ 100 %", "+declares"),
    BEFORE_IT: ("Black wins by declaration · ☗ 100 %", "先手の宣言勝ち · ☗ 100 %", "+declares"),
    MATE_IN_ONE: ("Black mates (mate in 1) · ☗ 100 %", "先手勝ち（詰みまで1手） · ☗ 100 %", "mate +1"),
}


@NEEDS_CHROMIUM
@pytest.mark.parametrize("sfen", WORDS_FOR_SCORES)
def test_a_declaration_and_a_mate_are_named(browser: Browser, tmp_path: Path, sfen: str) -> None:
    path = tmp_path / "page.html"
    invoke(*ANALYZE, "--html", path, "-", given=f"sfen {sfen}")
    browser.open(path)
    english, japanese, short = WORDS_FOR_SCORES[sfen]
    assert browser.text("#score") == english
    assert browser.texts("#moves .value") == [short]
    browser.click("#language")
    assert browser.text("#score") == japanese


@NEEDS_CHROMIUM
@pytest.mark.parametrize(("score", "english", "japanese"), [
    (SUPERIOR, "superior position for Black (a board repeated with more in hand) · ☗ 100 %",
     "先手の優等局面（同じ盤面で持ち駒が増える） · ☗ 100 %"),
    (-SUPERIOR, "superior position for White (a board repeated with more in hand) · ☗ 0 %",
     "後手の優等局面（同じ盤面で持ち駒が増える） · ☗ 0 %"),
    (-MATE, "White mates · ☗ 0 %", "後手勝ち · ☗ 0 %"),
])
def test_no_value_of_the_engines_own_reaches_people(browser: Browser, tmp_path: Path, score: int, english: str,
                                                    japanese: str) -> None:
    record = Record()
    show(browser, Analysis(record).plus(assessed(record, 0, score, ("7g7f",))), tmp_path)
    assert browser.text("#score") == english
    assert not re.search(r"28000|3\d{4}", browser.text("body"))
    browser.click("#language")
    assert browser.text("#score") == japanese
    assert not re.search(r"28000|3\d{4}", browser.text("body"))


CONTRAST = """(() => {
  const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = rgb => [.2126, .7152, .0722].reduce((sum, weight, i) => sum + weight * linear(rgb[i] / 255), 0);
  const parsed = text => text.match(/[\\d.]+/g).map(Number), found = [];
  for (const each of document.querySelectorAll("body *")) {
    if (!each.checkVisibility() || !each.innerText || each.disabled) continue;
    if (each.children.length && each.tagName !== "BUTTON") continue;
    let behind = each;
    while (behind && (parsed(getComputedStyle(behind).backgroundColor)[3] === 0)) behind = behind.parentElement;
    const one = light(parsed(getComputedStyle(each).color));
    const other = light(parsed(getComputedStyle(behind).backgroundColor));
    const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    if (ratio < 4.5) found.push([each.id || each.className, each.innerText, ratio]);
  }
  return found;
})()"""


# Every width with every language; light and dark change the colours alone, and each is seen with both.
SCREENS = [(width, language, (number + (language == "ja")) % 2 == 1)
           for number, width in enumerate((360, 390, 412, 600, 820, 1280)) for language in ("en", "ja")]


@NEEDS_CHROMIUM
@pytest.mark.parametrize(("width", "language", "dark"), SCREENS)
def test_what_fits_and_can_be_read(browser: Browser, tmp_path: Path, width: int, dark: bool, language: str) -> None:
    show(browser, long_game(), tmp_path, width, dark, language)
    assert browser.see("innerWidth") == width
    for change in ("n", "End", "exercise"):
        if change == "exercise":
            browser.click("#exercises button")
        else:
            browser.press(change)
        assert browser.see("document.documentElement.scrollWidth <= innerWidth")
        if change == "n":           # the verdict with its buttons
            browser.click("#nextMistake")
            assert browser.see("""(({top, bottom}) => top > -1 && bottom <= innerHeight)(
                document.querySelector("#verdict").getBoundingClientRect())""")
        assert browser.see("""[...document.querySelectorAll('.moves button')]
            .filter(each => each.scrollWidth > each.clientWidth || each.offsetLeft + each.offsetWidth
                                                                  > each.parentElement.clientWidth)
            .map(each => each.innerText)""") == []
        if width < 690:             # 46em of 15 pixels
            assert browser.see("""[...document.querySelectorAll('button, select, nav a')]
                .filter(each => each.checkVisibility())
                .map(each => [each.innerText, each.getBoundingClientRect().width, each.getBoundingClientRect().height])
                .filter(([, width, height]) => width < 44 || height < 44)""") == []
        assert browser.see("""[...document.querySelectorAll('.line button, .moves .name, .moves .value')]
            .filter(each => each.checkVisibility() && each.getClientRects().length !== 1)
            .map(each => each.innerText)""") == []
        # A pixel of the graph is one of the screen, so its letters are as tall as they are said to be; none overlap.
        assert browser.see("document.querySelector('#graph').getScreenCTM().a") == pytest.approx(1, abs=.02)
        labels = browser.see("""[...document.querySelectorAll('#graph text')].map(each => {
            const {left, right, top, bottom} = each.getBoundingClientRect();
            return [parseFloat(getComputedStyle(each).fontSize), left, right, top, bottom];
        })""")
        assert min(size for size, *_ in labels) >= 12
        assert not any(one[1] < other[2] and other[1] < one[2] and one[3] < other[4] and other[3] < one[4]
                       for number, one in enumerate(labels) for other in labels[:number])
        current = browser.see("""[...document.querySelectorAll('#moves, #moves [aria-current]')].map(each => {
            const {top, bottom} = each.getBoundingClientRect();
            return [top, bottom];
        })""")
        assert current[0][0] <= current[1][0] < current[1][1] <= current[0][1]
        assert browser.see("(each => each.scrollWidth <= each.clientWidth)(document.querySelector('#summary'))")
        left, right = browser.see("""(({left, right}) => [left, right])(
            document.querySelector('#board').getBoundingClientRect())""")
        assert left >= 0
        assert right <= width
        assert browser.see(CONTRAST) == []
    paper, ink = browser.see("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
                             ".map(each => Number(each.match(/\\d+/)[0]))")
    assert (paper < ink) == dark
