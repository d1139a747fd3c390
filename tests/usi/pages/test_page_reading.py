"""The page of an analysis in a browser: a reader's actions, and their effects."""
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.showing import NASTY, assessed, click_squares, piece_on, ply, show
from usi.commands.analyze.analysis import Analysis
from usi.commands.analyze.report import page

pytestmark = NEEDS_CHROMIUM


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


def test_the_page_says_how_deep_it_judged_and_shows_the_only_move(browser: Browser, analysis: Analysis,
                                                                  tmp_path: Path) -> None:
    record, found = analysis.record, Analysis(analysis.record)
    best = replace(assessed(record, 1, -20, ("3c3d", "2g2f")), look=1, nodes=2_000_000, second=-1000)
    for each in (analysis.assessments[0], best, replace(analysis.assessments[2], look=1, nodes=2_000_000),
                 *analysis.assessments[3:]):
        found = found.plus(each)
    show(browser, found, tmp_path)
    assert browser.texts("#moves button")[2].split() == ["2.", "P-3d", "!", "+40"]
    browser.click("#moves button", number=2)
    assert (browser.text("#mark"), browser.text("#judged")) == ("! only move", "judged by 2,000,000 nodes")
    browser.press("n")
    assert browser.text("#mark") == "?? blunder"
    browser.press("End")
    assert browser.text("#judged") == "judged by 1,000 nodes"
    browser.press("p")
    browser.press("p")      # the only move is no mistake
    assert ply(browser) == "3"
    table = [text.split() for text in browser.texts("#summary tr")]
    assert table[0][:9] == ["moves", "first", "choice", "lost", "on", "average", "accuracy", "??", "blunder"]
    assert table[2][-9:] == ["2", "2", "0.0", "%", "100.0", "%", "0", "0", "0"]
    assert browser.text("#turning") == "turning point: move 3, Bx2b+"
    browser.click("#language")
    assert browser.text("#turning") == "勝負の分かれ目：3手目 ▲２二角成(88)"
    browser.press("Home")
    browser.click("#turning")
    assert ply(browser) == "3"
    browser.click("#moves button", number=2)
    assert (browser.text("#mark"), browser.text("#judged")) == ("! 好手", "2,000,000局面を探索して判定")


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


def test_a_move_of_ones_own_has_its_answer(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    browser.click("#moves button", number=2)
    click_squares(browser, "2g")
    assert browser.see("[...document.querySelectorAll('.target')].map(each => each.dataset.target)") == ["2f"]
    click_squares(browser, "2f")
    assert piece_on(browser, "2f") == "P"
    assert "The analysis' first choice. score +40 · ☗ 52 %." in browser.text("#told")
    assert [" ".join(text.split()) for text in browser.texts("#told .line")] == [
        "Your move: P-2f", "The best answer: P-8d"]
    browser.click("#told .line:last-child button")
    assert piece_on(browser, "8d") == "p"
    browser.press("Escape")
    assert (piece_on(browser, "2f"), browser.text("#told")) == (None, "")
    click_squares(browser, "2g", "2f", "8c", "8d")     # a line is known to its end
    assert "score +40" in browser.text("#told")
    click_squares(browser, "2f", "2e")     # and no further
    assert "not searched" in browser.text("#told")
    browser.press("Escape")

    click_squares(browser, "1g")
    browser.press("Escape")
    click_squares(browser, "1f")     # it was put back
    assert piece_on(browser, "1g") == "P"
    click_squares(browser, "1g", "2f")     # not where it can go
    assert piece_on(browser, "1g") == "P"
    click_squares(browser, "1g", "1f")
    assert "The analysis has not searched this move." in browser.text("#told")
    assert " ".join(browser.texts("#told .line")[-1].split()) == "Best here: P-2f P-8d"
    assert "unknown" in browser.see("document.querySelector('#bar').className")
    browser.press("Escape")

    click_squares(browser, "8h", "2b")
    assert browser.texts("#promotion button") == ["promote", "do not promote"]
    browser.click("#promote")
    assert piece_on(browser, "2b") == "+B"
    told = browser.text("#told")
    assert "This was played." in told
    assert re.search(r"It loses 2\d\.\d %\.", told)
    click_squares(browser, "3a")     # and the reader goes on for the other side
    click_squares(browser, "2b")
    assert piece_on(browser, "2b") == "s"
    assert "White mates" in browser.text("#told")
    browser.press("Escape")
    browser.press("ArrowRight")
    click_squares(browser, "8b", "2b")     # White loses what Black gains
    assert browser.text("#told p") == "score -690 · ☗ 24 %. It loses 0.3 %."
    browser.press("Escape")
    click_squares(browser, "3a", "2b")
    browser.click("#board", (8 + 18) / 388, (60 + 9 * 44 + 28) / 508)       # the bishop in hand
    click_squares(browser, "5e")
    assert piece_on(browser, "5e") == "B"
    assert " ".join(browser.texts("#told .line")[0].split()) == "Your moves: Sx2b B*5e"


def test_a_move_that_is_none_of_several_lines_loses_at_least_as_much_as_the_last(browser: Browser, analysis: Analysis,
                                                                                 tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    click_squares(browser, "1g", "1f")
    assert "Not among the analysis' 2 best moves: it loses at least 0.4 %." in browser.text("#told")
    browser.press("Escape")
    browser.press("ArrowRight")                 # where there is one line only, nothing is known of others
    click_squares(browser, "1c", "1d")
    assert "The analysis has not searched this move." in browser.text("#told")


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


def test_better_moves_are_found(browser: Browser, analysis: Analysis, tmp_path: Path) -> None:
    show(browser, analysis, tmp_path)
    assert browser.texts("#exercises button") == ["Find Black's better moves (1)", "no mistakes by White"]
    assert browser.texts("#exercises button:enabled") == browser.texts("#exercises button:first-child")
    browser.click("#exercises button")
    assert re.match(r"1 of 1: move 3, Bx2b\+, lost 2\d\.\d %\. Play a better move\.", browser.text("#told"))
    assert not browser.is_visible("#notes")     # nor is there anything else that gives it away
    assert browser.see("document.querySelectorAll('#board .arrow').length") == 0
    click_squares(browser, "1g", "1f")
    assert browser.text(".verdict.wrong") == "P-1f: The analysis has not searched this move. Try another move."
    click_squares(browser, "8h", "2b")
    browser.click("#promote")
    assert browser.text(".verdict.wrong").startswith("Bx2b+: That is what was played. It loses 2")
    assert piece_on(browser, "8h") == "B"
    click_squares(browser, "2g", "2f")
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
