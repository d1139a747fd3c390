"""Learning in the browser: mistakes of the games in a folder, and mate problems with all defences."""
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import MATE, Position
from engine.records.record import GameRecord
from engine.records.writing import encoded
from search.mate import MateSolver
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.showing import assessed, click_squares
from tests.usi.serve.serving import Served, make_move, serving, wait_until
from usi.serve.lessons import DAY_S, LessonProgress, key_of, problems
from usi.serve.memory import Memory

MOVES = ["7g7f", "3c3d", "8h2b+", "3a2b"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A folder with two games, one of them analysed: Black's third move was a blunder."""
    with serving(tmp_path) as found:
        for name, players in (("one.kifu", ("春野", "秋山")), ("two.kifu", ("秋山", "春野"))):
            record = GameRecord(moves=MOVES, names=players, comments={0: name})
            (found.folder / name).write_bytes(encoded(Path(name), record))
        (found.folder / "none.kifu").write_text("何もない", encoding="utf-8")
        (study,) = found.service.collection.read("one.kifu")
        for ply, score, line in ((0, 30, ("7g7f",)), (1, -20, ("3c3d",)), (2, 40, ("2g2f", "8c8d")),
                                 (3, 700, ("3a2b",)), (4, -MATE + 4, ("B*4e",))):
            study.keep(assessed(study.record, ply, score, line))
        study.close()
        yield found


@NEEDS_CHROMIUM
def test_mistakes_of_a_folder_are_drilled_and_remembered(browser: Browser, served: Served) -> None:
    browser.open(served.address + "learn")
    browser.until("page.lessons")
    assert browser.text("#deckFacts").endswith("2 mistakes wait for you.")      # the same game, twice
    browser.see("choices.write({setup: {name: '春野'}}); page.fill()")          # whoever has played here
    assert browser.see("document.querySelector('#player').value") == "春野"
    assert browser.text("#all") == "All games are analysed"
    browser.see("""(each => { each.value = "春野"; each.dispatchEvent(new Event("change")); })(
        document.querySelector("#player"))""")
    assert browser.text("#deckFacts").endswith("1 mistake waits for you.")
    browser.click("#begin")
    browser.until("document.body.classList.contains('task')")
    assert browser.text("#told").startswith("1 of 1: move 3, Bx2b+, lost ")
    assert "春野" in browser.text("#facts")
    for hidden in ("#notes", "#verdict", "#graph", "#moves"):
        assert not browser.is_visible(hidden)
    click_squares(browser, "9g", "9f")          # a move that the analysis does not know is searched
    browser.until("document.querySelector('.verdict')")
    assert "%" in browser.text(".verdict") or "Right" in browser.text(".verdict")
    if browser.see("document.querySelector('.verdict.wrong')"):
        click_squares(browser, "2g", "2f")
    browser.until("document.querySelector('.verdict:not(.wrong)')")
    browser.click("#nextTask")
    browser.until("document.querySelector('#deckFacts').innerText.startsWith('You found 1 of 1.')")
    assert "No mistake waits for you." in browser.text("#deckFacts")
    browser.open(served.address + "learn")      # which is remembered
    browser.until("page.lessons")
    assert "No mistake waits for you." in browser.text("#deckFacts")


@NEEDS_CHROMIUM
def test_all_games_of_a_folder_are_analysed(browser: Browser, served: Served) -> None:
    other = GameRecord(moves=["2g2f", "8c8d"], names=("甲", "乙"))
    (served.folder / "three.kifu").write_bytes(encoded(Path("three.kifu"), other))
    browser.open(served.address + "learn")
    browser.until("page.lessons")
    assert browser.text("#all") == "Analyse one game"
    browser.see("page.lessons.tasks = []; page.fillDeck()")
    assert browser.text("#deckFacts").endswith("Mistakes are known when the games are analysed.")
    browser.see("PACES[0] = 30; document.querySelector('#pace').value = 0")
    browser.click("#all")
    browser.until("page.lessons.left === 0")
    assert set(browser.texts("#player option")) == {"everybody", "春野", "秋山", "甲", "乙"}


def play_through(browser: Browser, misses: bool) -> None:
    """Solve the problem on the page, as the solver does."""
    solver, plies = MateSolver(8), -1
    if misses:
        position = Position(browser.see("page.problem.sfen"))
        bad = next(move for move in position.legal_moves() if not position.gives_check(move))
        browser.see(f"page.attack('{bad}')")
        browser.until("document.querySelector('#status').innerText.includes('no check')")
    while not browser.see("page.isOver"):
        assert browser.see("page.line.length") > plies
        plies = browser.see("page.line.length")
        position = Position(browser.see("page.problem.sfen"))
        for move in browser.see("page.line"):
            position.push(move)
        make_move(browser.click, browser, solver.solve(position).moves[0], browser.see("page.flipped"))
        browser.until("!page.isWaiting")


@NEEDS_CHROMIUM
def test_a_longer_mate_than_the_problem_asks_for(browser: Browser, served: Served) -> None:
    """It is one, but no solution."""
    board = "l1+B6/2n6/1kn6/pp1L1B1p1/5P3/PPP1r2P1/1KN1+nr2P/1S7/L1G1s4"
    browser.open(served.address + "mates", language="ja")
    browser.until("page.problem")
    assert [each["plies"] for each in browser.see("page.queue")] == 20 * [3] + 20 * [5] + 20 * [7]
    browser.see(f"page.problems = page.problems.filter(each => each.sfen.startsWith({board!r})); page.choose()")
    assert browser.see("page.problem.plies") == 3
    browser.see("page.attack('S*9b')")
    browser.until("!page.isWaiting")
    assert browser.text("#status") == "詰みますが、3手では詰みません。続けるか、一手戻ってください。"
    browser.click("#back")
    browser.see("page.attack('G*8b')")
    browser.until("!page.isWaiting")
    assert browser.text("#status") == "正解です。続けてください。"
    assert browser.see("[...document.querySelectorAll('#line .name')].map(each => getComputedStyle(each).whiteSpace)"
                       ".every(each => each === 'nowrap')")
    assert browser.see("document.querySelectorAll('#line .name').length") == 2
    browser.click("#solution")
    browser.until("document.querySelector('#line .label')")
    assert browser.text("#status") == "王手の連続で詰ませてください。"


@NEEDS_CHROMIUM
def test_a_mate_problem_with_all_defences(browser: Browser, served: Served) -> None:
    browser.open(served.address + "mates")
    browser.until("page.problem")
    browser.see("Math.random = () => 0")        # no chance
    browser.see("""(each => { each.value = "3"; each.dispatchEvent(new Event("change")); })(
        document.querySelector("#plies"))""")
    assert browser.see("page.problem.plies") == 3
    key = browser.see("page.problem.key")
    play_through(browser, misses=False)
    assert browser.text("#status").startswith("Mate!")
    defences = browser.see("page.left().length")
    while browser.see("page.left().length"):
        before = browser.see("page.left().length")
        browser.click("#defence")
        play_through(browser, misses=False)
        assert browser.see("page.left().length") < before
    assert browser.text("#status") == "Mate! You have met every defence."
    assert defences > 0
    wait_until(lambda: served.service.progress.of(key, 0) == {"solved": 1, "due": False})
    browser.click("#next")
    key = browser.see("page.problem.key")
    play_through(browser, misses=True)
    wait_until(lambda: served.service.progress.of(key, 0)["solved"] == 0)
    browser.click("#next")
    browser.click("#solution")
    browser.until("document.querySelector('#line .label')")
    assert browser.see("document.querySelectorAll('#board .arrow').length") == 1
    browser.click("#language")
    assert browser.text("#next") == "次 (N)"


def test_tasks_come_again_later_and_later(tmp_path: Path) -> None:
    progress, now = LessonProgress(Memory(tmp_path)), 1_000_000.0
    assert progress.of("x", now) == {"solved": None, "due": True}
    progress.note("x", True, now)
    assert progress.of("x", now + DAY_S - 1) == {"solved": 1, "due": False}
    assert progress.of("x", now + DAY_S + 1) == {"solved": 1, "due": True}
    progress.note("x", True, now)
    assert not progress.of("x", now + 2 * DAY_S)["due"]
    progress.note("x", False, now)
    assert LessonProgress(Memory(tmp_path)).of("x", now) == {"solved": 0, "due": True}
    (tmp_path / "learned.json").write_text('{"x": 1, "y": [1, "z"]}')
    assert LessonProgress(Memory(tmp_path)).of("y", now) == {"solved": None, "due": True}


def test_the_problems_are_mates_of_the_length_they_say(tmp_path: Path) -> None:
    solver = MateSolver(16)
    found = problems(LessonProgress(Memory(tmp_path)))
    assert len(found) == 60
    assert len({key_of(each["sfen"]) for each in found}) == 60
    for each in found[::6]:
        assert solver.solve(Position(each["sfen"])).plies == each["plies"]
