"""The page of an analysis in a browser: words, letters, print and screens of all sizes."""
import re
from pathlib import Path

import pytest

from engine import MATE, SUPERIOR
from engine.records.handicaps import HANDICAPS
from engine.records.record import GameRecord
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.commands.running import invoke
from tests.usi.commands.test_analyze import BEFORE_IT, DECLARABLE, MATE_IN_ONE
from tests.usi.pages.showing import assessed, long_game, ply, show
from usi.commands.analyze.analysis import Analysis

pytestmark = NEEDS_CHROMIUM


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


def test_arrows_leave_the_letters_free(browser: Browser, tmp_path: Path) -> None:
    record = GameRecord(moves=["7g7f", "3c3d"])
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
    assert "表題：決勝" in browser.text("#facts")
    browser.press("End")
    assert (browser.text("#move"), browser.text("#score")) == ("△同　銀(31)", "後手勝ち（詰みまで4手） · ☗ 0 %")
    browser.click("#language")
    assert (browser.text("#move"), browser.text("#language"), ply(browser)) == ("Sx2b", "日本語", "4")
    record = GameRecord(HANDICAPS["二枚落ち"], ["6a5b"], terminal="TORYO")
    found = Analysis(record).plus(assessed(record, 0, 0, ("6a5b",))).plus(assessed(record, 1, 0, ("7g7f",)))
    show(browser, found, tmp_path, language="ja")
    assert "手合割：二枚落ち" in browser.text("#facts")
    assert browser.text("#result") == "まで1手で上手の勝ち（下手の投了）"
    assert browser.texts("#lines .label") == ["最善手："]       # a single move is no 進行
    browser.click("#language")
    assert "two-piece handicap" in browser.text("#facts")
    assert browser.texts("#lines .label") == ["Best move:"]


def test_names_of_openings_and_castles(browser: Browser, tmp_path: Path) -> None:
    moves = "7g7f 8c8d 6g6f 8d8e 2h6h 6a5b 3i3h 5a4b 5i4h 4b3b 4h3i 1c1d 3i2h 9c9d".split()
    moves += ["1g1f", "7a6b", "9g9f", "5c5d"] + 3 * ["6h7h", "4a4b", "7h6h", "4b4a"] + ["6h7h", "4a4b", "7h6h"]
    record = GameRecord(moves=moves)
    found = Analysis(record)
    for each in range(len(moves) + 1):
        found = found.plus(assessed(record, each, 0))
    show(browser, found, tmp_path)
    assert browser.text("#result") == ("33 moves: drawn by fourfold repetition · "
                                       "Black Fourth-file Rook – White Static Rook")
    assert browser.text("#bottom .castle") == ""
    browser.press("End")
    assert browser.text("#bottom .castle") == "Half Mino"
    browser.click("#language")
    assert browser.text("#bottom .castle") == "片美濃囲い"
    assert browser.text("#result") == "まで33手で千日手 · 先手 四間飛車 – 後手 居飛車"


WORDS_FOR_SCORES = {        # of the command's own analysis of positions
    DECLARABLE: ("Black wins by declaration · ☗ 100 %", "先手の宣言勝ち · ☗ 100 %", "+declares"),
    BEFORE_IT: ("Black wins by declaration · ☗ 100 %", "先手の宣言勝ち · ☗ 100 %", "+declares"),
    MATE_IN_ONE: ("Black mates (mate in 1) · ☗ 100 %", "先手勝ち（詰みまで1手） · ☗ 100 %", "mate +1"),
}


@pytest.mark.parametrize("sfen", WORDS_FOR_SCORES)
def test_a_declaration_and_a_mate_are_named(browser: Browser, tmp_path: Path, sfen: str) -> None:
    path = tmp_path / "page.html"
    invoke("analyze", "--nodes", 3000, "--hash", 1, "--eval-file", "material", "--html", path, "-",
           given=f"sfen {sfen}")
    browser.open(path)
    english, japanese, short = WORDS_FOR_SCORES[sfen]
    assert browser.text("#score") == english
    assert browser.texts("#moves .value") == [short]
    browser.click("#language")
    assert browser.text("#score") == japanese


@pytest.mark.parametrize(("score", "english", "japanese"), [
    (SUPERIOR, "superior position for Black (a board repeated with more in hand) · ☗ 100 %",
     "先手の優等局面（同じ盤面で持ち駒が増える） · ☗ 100 %"),
    (-SUPERIOR, "superior position for White (a board repeated with more in hand) · ☗ 0 %",
     "後手の優等局面（同じ盤面で持ち駒が増える） · ☗ 0 %"),
    (-MATE, "White mates · ☗ 0 %", "後手勝ち · ☗ 0 %"),
])
def test_no_value_of_the_engines_own_reaches_people(browser: Browser, tmp_path: Path, score: int, english: str,
                                                    japanese: str) -> None:
    record = GameRecord()
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

# Every width with every language, most of them among the slow tests; light and dark change the colours alone, and each
# is seen with both.
QUICK = [(360, "en"), (820, "ja")]
SCREENS = [pytest.param(width, language, (number + (language == "ja")) % 2 == 1,
                        marks=() if (width, language) in QUICK else pytest.mark.slow)
           for number, width in enumerate((360, 390, 412, 600, 820, 1280)) for language in ("en", "ja")]


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
