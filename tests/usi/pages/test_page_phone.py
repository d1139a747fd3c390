"""The page of an analysis on a phone, and its board by mouse, finger and keys."""
from pathlib import Path

import pytest

from engine.records.record import GameRecord
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.showing import assessed, click_squares, long_game, piece_on, ply, show
from usi.commands.analyze.analysis import Analysis
from usi.commands.analyze.report import page

pytestmark = NEEDS_CHROMIUM

IN_SIGHT = """((...names) => names.map(name => document.querySelector(name).getBoundingClientRect())
    .every(({top, bottom, left, right}) => top > -1 && left > -1 && bottom < innerHeight + 1
                                                                 && right < innerWidth + 1))"""


def show_at(browser: Browser, analysis: Analysis, folder: Path, width: int, height: int, dark: bool = False,
            language: str = "en") -> None:
    path = folder / "page.html"
    path.write_text(page(analysis), encoding="utf-8")
    browser.open(path, width, height, dark, language)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_on_a_small_screen_the_next_move_is_at_hand_and_the_exercise_shows_the_board(
        browser: Browser, tmp_path: Path, language: str) -> None:
    show_at(browser, long_game(), tmp_path, 360, 640, language=language)
    assert browser.see(f"{IN_SIGHT}('#next', '#back')")
    browser.see("scrollTo(0, document.body.scrollHeight)")
    assert browser.see(f"{IN_SIGHT}('#next', '#back')")
    browser.click("#exercises button")
    assert browser.see(f"{IN_SIGHT}('#board')")
    browser.click("#solution")
    browser.click("#nextTask")
    assert browser.see(f"{IN_SIGHT}('#board')")


@pytest.mark.parametrize(("width", "height"), [(844, 390), (667, 375), (568, 320)])
def test_a_phone_on_its_side_shows_a_whole_board(browser: Browser, tmp_path: Path, width: int, height: int) -> None:
    show_at(browser, long_game(), tmp_path, width, height)
    browser.see("document.querySelector('#seen').scrollIntoView()")
    assert browser.see(f"{IN_SIGHT}('#board', '#top', '#bottom', '#next')")
    assert browser.see("document.documentElement.scrollWidth <= innerWidth")
    assert browser.see("(({width, height}) => width / height)(document.querySelector('#board')"
                       ".getBoundingClientRect())") == pytest.approx(388 / 508, abs=.01)


def test_arrows_stand_out_from_the_board(browser: Browser, tmp_path: Path) -> None:
    record = GameRecord(moves=["7g7f", "3c3d"])
    found = Analysis(record)
    for each, line in enumerate((("7g7f", "3c3d"), ("3c3d", "2g2f"), ("8h2b+", "3a2b"))):
        found = found.plus(assessed(record, each, 0, line))
    for dark in (False, True):
        show(browser, found, tmp_path, dark=dark)
        assert browser.see("""(() => {
          const parsed = text => text.match(/[\\d.]+/g).map(Number);
          const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
          const light = rgb => [.2126, .7152, .0722].reduce((sum, part, i) => sum + part * linear(rgb[i] / 255), 0);
          const found = [];
          browserNext.click();
          for (const arrow of document.querySelectorAll("#board .arrow"))
            for (const name of ["rect.field", "rect.last", ".piece path"]) {
              const {stroke, opacity} = getComputedStyle(arrow), ink = parsed(stroke);
              const below = parsed(getComputedStyle(document.querySelector("#board " + name)).fill);
              const share = (ink[3] === undefined ? 1 : ink[3]) * opacity;
              const [one, other] = [light(ink.map((v, i) => share * v + (1 - share) * below[i])), light(below)];
              found.push((Math.max(one, other) + .05) / (Math.min(one, other) + .05));
            }
          return Math.min(...found);
        })()""".replace("browserNext", "document.querySelector('#next')")) >= 3


def test_the_ring_of_a_drop_shows_its_piece(browser: Browser, tmp_path: Path) -> None:
    record = GameRecord("4k4/9/9/9/9/9/9/9/4K4 b Gg 1")
    show(browser, Analysis(record).plus(assessed(record, 0, 0, ("G*5h", "G*5b"))), tmp_path)
    assert browser.see("[...document.querySelectorAll('#board .ring')].map(each => each.dataset.move)") == [
        "G*5h", "G*5b"]
    assert browser.see("""[...document.querySelectorAll('#board .dropped')]
        .map(each => [each.dataset.piece, each.textContent])""") == [["G", "金"], ["g", "金"]]
    assert piece_on(browser, "5h") is None


def test_there_is_no_column_for_times_that_were_not_measured(browser: Browser, tmp_path: Path) -> None:
    for spent, shown in (({1: 0.0, 2: 0.0}, ["P-7f", "0"]), ({1: 0.0, 2: 3.0}, ["P-7f", "0:00", "0"])):
        record = GameRecord(moves=["7g7f", "3c3d"], times=spent)
        found = Analysis(record)
        for each in range(3):
            found = found.plus(assessed(record, each, 0))
        show(browser, found, tmp_path)
        assert browser.texts("#moves button")[1].split()[1:] == shown


def square(browser: Browser, name: str) -> tuple[float, float]:
    """The place of a square on the screen, seen by Black."""
    left, top, scale = browser.see("""(({left, top, width}) => [left, top, width / 388])(
        document.querySelector("#board").getBoundingClientRect())""")
    return (left + scale * (8 + 40 * (9 - int(name[0]) + .5)),
            top + scale * (60 + 44 * ("abcdefghi".index(name[1]) + .5)))


def drag(browser: Browser, origin: str, target: str) -> None:
    browser.see("document.querySelector('#board').scrollIntoView({block: 'center'})")
    (x, y), (to_x, to_y) = square(browser, origin), square(browser, target)
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    browser.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
    for part in (.3, .7, 1):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + part * (to_x - x), y=y + part * (to_y - y),
                     **mouse)
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, **mouse | {"buttons": 0})


def test_pieces_are_dragged(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    drag(browser, "2g", "2e")           # not where it can go
    assert (piece_on(browser, "2g"), piece_on(browser, "2e")) == ("P", None)
    drag(browser, "2g", "2f")
    assert (piece_on(browser, "2g"), piece_on(browser, "2f")) == (None, "P")
    click_squares(browser, "3c", "3d")          # and clicks go on
    drag(browser, "8h", "2b")
    assert piece_on(browser, "2b") == "b"
    browser.press("Escape")


def test_a_swipe_goes_through_the_game(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show_at(browser, analysis, tmp_path, 390, 800)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        for origin, target, reached in (("5e", "8e", "1"), ("5e", "9e", "2"), ("8e", "5e", "1"), ("5c", "5g", "1")):
            browser.see("document.querySelector('#board').scrollIntoView({block: 'center'})")
            (x, y), (to_x, to_y) = square(browser, origin), square(browser, target)
            browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            for part in (.5, 1):
                browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[
                    {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}])
            browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            assert ply(browser) == reached, (origin, target)
    finally:
        browser.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_the_board_by_keys_and_in_words(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    label = browser.see("document.querySelector('#board').getAttribute('aria-label')")
    assert label.startswith("board: Black: king 5i, rook 2h, bishop 8h, gold 6i 4i, silver 7i 3i, ")
    assert label.endswith("pawn 9c 8c 7c 6c 5c 4c 3c 2c 1c. Black to move")
    browser.see("document.querySelector('#board').focus()")
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowLeft"):        # the first shows the cursor on 5f
        browser.press(key)
    said = "document.querySelector('.unseen').textContent"
    assert browser.see(said) == "7g Black pawn"
    for key in ("Enter", "ArrowUp"):
        browser.press(key)
    assert browser.see(said) == "7f empty"
    browser.press("Enter")
    assert (piece_on(browser, "7f"), ply(browser)) == ("P", "0")
    assert "This was played." in browser.text("#told")
    browser.click("#language")
    label = browser.see("document.querySelector('#board').getAttribute('aria-label')")
    assert label.startswith("盤面：先手：玉 ５九, 飛 ２八, ")
    browser.press("End")
    label = browser.see("document.querySelector('#board').getAttribute('aria-label')")
    assert "持ち駒 角 1" in label
