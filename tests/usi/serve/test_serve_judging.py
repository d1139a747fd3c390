"""The judgement of a reader's move: when its search ends, and what is told meanwhile."""
import asyncio
from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any

import pytest

from engine.records.record import GameRecord
from search import Info, Limits
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.showing import assessed, click_squares
from tests.usi.serve.serving import Served, is_busy, serving, small_engine, wait_until
from usi.commands.analyze.analysis import Assessment, Candidate
from usi.serve import looking
from usi.serve.desk import Desk, Rank
from usi.serve.judging import JUDGING_MS, LEAST_NODES, MOST_JUDGING_MS, REPORT_S, JudgingCourse, judged
from usi.serve.looking import Looks
from usi.serve.memory import Memory
from usi.serve.studies import Collection, Study

SURE_NODES = 100_000


def course_of(*reports: tuple[int, float], bound: Any = "exact") -> tuple[list[int], list[tuple[int, float]]]:
    """The numbers of the reports (nodes, and the expected score lost) at which a judging search is stopped, and what is
    told of it. A report takes half of REPORT_S."""
    now, stops, told = [0.0], list[int](), list[tuple[int, float]]()
    course = JudgingCourse(0.5, SURE_NODES, lambda: stops.append(number), lambda *each: told.append(each),
                           lambda: now[0])
    for number, (nodes, lost) in enumerate(reports):
        score = round(600 * log((0.5 - lost) / (0.5 + lost)))
        course(3, Info(number + 1, 9, 1, score, bound, nodes, 10, 0, ("7g7f",)))
        now[0] += REPORT_S / 2
    return stops, told


@pytest.mark.parametrize(("losses", "is_sure"), [
    ((.2, .2), True), ((0, .01), True),
    ((.2,), False),             # one iteration is not enough
    ((.2, 0), False),           # two that contradict each other
    ((.05, .05), False),        # at the limit
    ((0, .2, .19), True),
])
def test_a_judging_search_ends_when_its_verdict_is_certain(losses: tuple[float, ...], is_sure: bool) -> None:
    assert bool(course_of(*((SURE_NODES, lost) for lost in losses))[0]) == is_sure
    assert not course_of(*((SURE_NODES - 1, lost) for lost in losses))[0]
    assert not course_of(*((SURE_NODES, lost) for lost in losses), bound="upper")[0]


def test_the_loss_so_far_is_told_at_once_and_then_now_and_then() -> None:
    _stops, told = course_of(*((10, lost) for lost in (.3, .2, .1, .05, .02)))
    assert [(depth, round(lost, 2)) for depth, lost in told] == [(1, .3), (3, .1), (5, .02)]


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    """A position with a deep look by which 2g2f is as good as 7g7f."""
    found = Collection(tmp_path, Memory(tmp_path / "memory"), "test").begin(GameRecord(moves=["1g1f"]))
    found.keep(replace(assessed(found.record, 0, 30, ("7g7f",)), nodes=2_000_000))
    yield found
    found.close()


def test_a_clear_mistake_needs_few_of_the_nodes_of_the_deepest_look(study: Study) -> None:
    study.keep(replace(study.analysis.looks[0][0], score=900))
    told: list[dict[str, Any]] = []
    answer = asyncio.run(judged(Desk(small_engine), study, 0, "9g9f", told.append))
    assert answer["lost"] > .2
    assert (told[0]["event"], told[0]["move"], told[0]["depth"]) == ("judging", "9g9f", 1)
    assert told[-1]["lost"] > .2


def test_a_verdict_that_is_not_certain_is_given_after_a_while(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has hardly searched by then, after LEAST_NODES."""
    asked: list[Limits] = []

    async def again(_looks: Looks, ply: int, limits: Limits, _on_info: object) -> Assessment:
        asked.append(limits)
        nodes = limits.nodes if limits.nodes == LEAST_NODES else least
        return Assessment(ply, "", 0, 20, 9, 9, nodes or 0, limits.movetime or 0, (Candidate(20, ("2g2f", "8c8d")),))

    monkeypatch.setattr(Looks, "again", again)
    least = LEAST_NODES
    answer = asyncio.run(judged(Desk(small_engine), study, 0, "2g2f", lambda _message: None))
    assert asked == [Limits(nodes=2_000_000, movetime=JUDGING_MS, searchmoves=("2g2f",))]
    assert answer["pv"] == ["8c8d"]
    least = LEAST_NODES - 1
    asyncio.run(judged(Desk(small_engine), study, 0, "2g2f", lambda _message: None))
    assert asked[2:] == [Limits(nodes=LEAST_NODES, movetime=MOST_JUDGING_MS, searchmoves=("2g2f",))]


def test_a_reader_learns_that_the_engine_is_busy(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "WAIT_TOLD_S", 0)
    told: list[dict[str, Any]] = []

    async def busy() -> None:
        desk = Desk(small_engine)
        async with desk.turn(Rank.PLAY):
            waiting = asyncio.ensure_future(judged(desk, study, 0, "9g9f", told.append))
            while not told:
                await asyncio.sleep(0.01)
        await waiting

    asyncio.run(busy())
    assert told[0] == {"event": "judging", "study": study.id, "ply": 0, "move": "9g9f", "waits": True}


@NEEDS_CHROMIUM
def test_the_page_says_how_far_the_judging_search_is(browser: Browser, tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as served:
        (served.folder / "one.usi").write_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b\n")
        study = served.service.collection.read("one.usi")[0]
        for ply, score in enumerate((30, -20, 40, 700, -700)):
            study.keep(assessed(study.record, ply, score, (["7g7f", "3c3d", "2g2f", "3a2b", "B*4e"][ply],)))
        study.close()
        judging(browser, served)


def judging(browser: Browser, served: Served) -> None:
    browser.open(served.address + "learn")
    browser.until("page.lessons && page.lessons.tasks.length")
    browser.click("#begin")
    browser.until("document.body.classList.contains('task')")
    wait_until(lambda: not is_busy(served.service.desk))
    browser.see("page.wire.send = () => {}")        # the answer is written below
    click_squares(browser, "9g", "9f")
    assert browser.text("#told").endswith("Searching P-9f …")
    own = "study: page.view.study, ply: 2, move: '9g9f'"
    browser.see(f"page.wire.handlers.judging({{{own}, waits: true}})")
    assert browser.text("#told").endswith("waiting for its turn …")
    browser.see(f"page.wire.handlers.judging({{{own}, depth: 12, lost: .034}})")
    assert browser.text("#told").endswith("depth 12, loses 3.4 % so far")
    assert browser.see("document.querySelector('#told [aria-hidden=true]').textContent.startsWith('depth')")
    browser.see(f"page.wire.handlers.judged({{{own}, lost: .3, pv: ['3a2b'], expected: .2, centipawns: -700, "
                "mate: null, special: null})")
    assert "loses 30.0 %" in browser.text(".verdict.wrong")
