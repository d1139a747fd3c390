"""The pages of the server on screens of all sizes: what fits, what can be read and touched, and what has a name."""
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.records.record import GameRecord
from engine.records.writing import encoded
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.test_page_layout import CONTRAST
from tests.usi.serve.serving import Served, make_move, press_start, serving, wait_for_turn

pytestmark = NEEDS_CHROMIUM

QUICK = [(320, 640, "ja"), (1280, 900, "en")]
SCREENS = [pytest.param(width, height, language, (number + (language == "ja")) % 2 == 1,
                        marks=() if (width, height, language) in QUICK else pytest.mark.slow)
           for number, (width, height) in enumerate(
               [(320, 640), (390, 844), (844, 390), (600, 800), (820, 1180), (1280, 900), (1600, 1000)])
           for language in ("en", "ja")]


# What sticks out of the screen, but for what scrolls within something that does not.
WIDER = """document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")].filter(
    each => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => [each.tagName, each.id, each.className, each.getBoundingClientRect().right])"""


# Buttons that do not show all of their words.
CLIPPED = """[...document.querySelectorAll("button")].filter(each => each.checkVisibility()
    && each.scrollWidth > each.clientWidth + 1).map(each => [each.id, each.innerText])"""


# Controls that something else covers, but for what stays at the foot of the screen while one scrolls.
COVERED = """[...document.querySelectorAll("dialog[open]").length ? [] : document.querySelectorAll(
    "button, select, input, a")].filter(each => each.checkVisibility()).map(each => {
        const {left, top, width, height} = each.getBoundingClientRect();
        return [each, document.elementFromPoint(left + width / 2, top + height / 2)];
    }).filter(([each, there]) => there && !each.contains(there) && !there.contains(each) && !each.closest("label")
        && !there.closest("#steps, .buttons")).map(([each, there]) => [each.id, each.innerText, there.id])"""


# Moves of a line that touch each other.
TOUCHING = """[...document.querySelectorAll("#hints .name")].filter(each => each.previousElementSibling
    && each.getBoundingClientRect().left - each.previousElementSibling.getBoundingClientRect().right < 2
    && each.getBoundingClientRect().top === each.previousElementSibling.getBoundingClientRect().top)
    .map(each => each.innerText)"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as found:
        game = GameRecord(moves="7g7f 3c3d 2g2f 8c8d".split(), names=("甲" * 30, "乙"))
        (found.folder / "game.kifu").write_bytes(encoded(Path("game.kifu"), game))
        yield found


def check(browser: Browser, width: int, height: int) -> None:
    assert browser.see(WIDER) == []
    left, right = browser.see("(({left, right}) => [left, right])(document.querySelector('#board')"
                              ".getBoundingClientRect())")
    assert left >= 0
    assert right <= width
    if width < 690:             # 46em of 15 pixels; elsewhere it depends on the pointer
        assert browser.see("""[...document.querySelectorAll('button, select, input, a')].filter(
            each => each.checkVisibility() && !each.matches("[type=radio], [type=checkbox], [type=range]"))
            .map(each => [each.innerText || each.id, each.getBoundingClientRect().width,
                          each.getBoundingClientRect().height])
            .filter(([, width, height]) => width < 44 || height < 44)""") == []
    assert browser.see(CLIPPED) == []
    assert browser.see(COVERED) == []
    assert browser.see(CONTRAST) == []
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    assert [role for role, name in roles if role in (
        "button", "combobox", "image", "meter", "application", "link", "textbox", "searchbox", "spinbutton", "slider",
        "radio", "checkbox", "dialog") and not re.search(r"\w", name)] == []


@pytest.mark.parametrize(("width", "height", "language", "dark"), SCREENS)
def test_what_fits_and_can_be_read(browser: Browser, served: Served, width: int, height: int, language: str,
                                   dark: bool) -> None:
    def open_page(page: str) -> None:
        browser.open(served.address + page, width, height, dark, language)

    open_page("")
    browser.until("document.querySelector('#handicap option') && page.game")
    if not browser.see("document.querySelector('#setup').open"):
        browser.click("#another")
    browser.see("document.querySelector('#preset').value = 5; page.showTimes()")
    check(browser, width, height)
    browser.see("document.querySelector('#preset').value = 0")
    browser.see("document.querySelector('#preset').dispatchEvent(new Event('change'))")
    assert browser.see("(({top, bottom}) => top >= 0 && bottom <= innerHeight)"
                       "(document.querySelector('#setup').getBoundingClientRect())")
    press_start(browser)
    make_move(browser.click, browser, "7g7f")
    wait_for_turn(browser, 2)
    browser.click("#hint")
    browser.until("document.querySelectorAll('#hints .name').length > 1")
    assert browser.see(TOUCHING) == []
    browser.see("scrollTo(0, 0)")
    check(browser, width, height)
    assert browser.see("(({top, bottom}) => top >= 0 && bottom <= innerHeight)"
                       "(document.querySelector('#board').getBoundingClientRect())"), "the board is not all to be seen"

    open_page("analyse?file=game.kifu")
    browser.until("page.view.game && page.view.game.moves.length === 4")
    browser.press("a")
    browser.until("document.querySelectorAll('#liveLines .line').length === 3")
    browser.press("a")
    check(browser, width, height)
    browser.click("#save")
    check(browser, width, height)
    study = browser.see("page.view.study")
    open_page("learn")
    browser.until("page.lessons")
    assert browser.see(WIDER) == []
    browser.see(f"page.session = {{tasks: [{{study: '{study}', ply: 3, side: 0}}], at: 0, found: 0}}; page.ask()")
    browser.until("page.view.task")
    check(browser, width, height)
    free = browser.see("document.querySelector('#lesson').getBoundingClientRect().right"
                       " - document.querySelector('#answers').getBoundingClientRect().right")
    assert free == pytest.approx(0, abs=1), "a column at the right stays empty"
    open_page("mates")
    browser.until("page.problem")
    check(browser, width, height)


def test_both_languages_say_the_same_things(browser: Browser, served: Served) -> None:
    browser.open(served.address)
    english, japanese = browser.see("[WORDS.en, WORDS.ja].map(all => [...Object.keys(all), ...Object.keys(all.serve)])")
    assert sorted(english) == sorted(japanese)
    assert len(english) > 150
