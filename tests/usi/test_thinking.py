"""An error in the search: it is said, the `go` is answered once and not too soon, and the engine goes on."""
import io
import sys
import threading
import time
from collections.abc import Callable
from typing import cast

import pytest

from engine import Position
from search import Info, Limits, Result, Search, Searcher, Settings
from tests.usi.conftest import PATIENCE_S, Start
from usi import jobs
from usi.book.choice import Choice
from usi.book.db import BookMove
from usi.jobs import BookAnswer, Job, MateSearch, MoveSearch, Perft, PonderSearch
from usi.reporter import Reporting
from usi.session import Session
from usi.thinking import Thinking, do
from usi.wire import Wire

SAID = "info string an error in the engine, please report it: RuntimeError: injected error"
MATED = Position("4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1")
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
SETTINGS = Settings()
ASKED_AT = time.perf_counter_ns()


class FaultySearch:
    """Raises after the reports of its searcher."""

    def __init__(self, searcher: "Faulty", sound: Search, on_info: Callable[[Info], None] | None) -> None:
        self.searcher = searcher
        self.on_info = on_info
        self.stop = sound.stop
        self.ponderhit = sound.ponderhit

    def run(self) -> Result:
        self.searcher.failures -= 1
        for info in self.searcher.reports:
            assert self.on_info
            self.on_info(info)
        raise RuntimeError("injected error")


class Faulty(Searcher):
    """Its searches fail, so many times, and are sound then."""

    failures = 1000
    reports: tuple[Info, ...] = ()

    def prepare(self, position: Position, limits: Limits, settings: Settings,
                on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> Search:
        sound = super().prepare(position, limits, settings, on_info, asked_at)
        return cast(Search, FaultySearch(self, sound, on_info)) if self.failures else sound


def report(multipv: int, move: str) -> Info:
    return Info(3, 3, multipv, 20, "exact", nodes=5, time_ms=1, hashfull=0, pv=(move,))


@pytest.fixture(scope="module")
def searcher() -> Faulty:
    return Faulty(1)


@pytest.fixture
def faulty(searcher: Faulty) -> Faulty:
    searcher.failures = 1000
    searcher.reports = ()
    return searcher


@pytest.fixture
def sink() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def wire(sink: io.StringIO) -> Wire:
    return Wire(io.StringIO(), sink)


def move_search(searcher: Searcher, position: Position, limits: Limits, wire: Wire) -> MoveSearch:
    return MoveSearch(searcher, position, limits, SETTINGS, ASKED_AT, Reporting(0), 99999, wire)


def free() -> threading.Event:
    """Nothing holds an answer back."""
    released = threading.Event()
    released.set()
    return released


@pytest.mark.parametrize(("position", "limits", "reports", "answer"), [
    (Position(), Limits(depth=3), (), Position().legal_moves()[0]),
    (Position(), Limits(depth=3), (report(1, "7g7f"), report(1, "2g2f"), report(2, "3g3f")), "2g2f"),
    (Position(), Limits(depth=3, searchmoves=("9g9f", "1g1f")), (), "9g9f"),
    (MATED, Limits(depth=3), (), "resign"),
])
def test_the_answer_is_the_best_move_known(
    faulty: Faulty, wire: Wire, sink: io.StringIO, capsys: pytest.CaptureFixture[str],
    position: Position, limits: Limits, reports: tuple[Info, ...], answer: str,
) -> None:
    faulty.reports = reports
    do(move_search(faulty, position, limits, wire), wire, free())
    assert sink.getvalue().splitlines()[len(reports):] == [SAID, f"bestmove {answer}"]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Traceback")
    assert "RuntimeError: injected error" in err


@pytest.mark.parametrize(("limits", "release"), [
    (Limits(infinite=True), lambda thinking: thinking.end()), (Limits(ponder=True), lambda thinking: thinking.end()),
    (Limits(ponder=True), lambda thinking: thinking.ponderhit(None, ASKED_AT)),
])
@pytest.mark.parametrize("failures", [0, 1])
def test_an_answer_that_must_wait_waits(faulty: Faulty, wire: Wire, sink: io.StringIO, limits: Limits, failures: int,
                                        monkeypatch: pytest.MonkeyPatch, release: Callable[[Thinking], None]) -> None:
    """Of a search that fails, and of one that has nothing to think about."""
    faulty.failures = failures
    done = threading.Event()
    job = move_search(faulty, MATED, limits, wire)
    last = "fallback" if failures else "answer"
    work: Callable[[], str] = getattr(job, last)

    def work_to_the_end() -> str:
        answer = work()
        done.set()
        return answer

    monkeypatch.setattr(job, last, work_to_the_end)
    thinking = Thinking(wire)
    thinking.start(job)
    assert done.wait(PATIENCE_S)
    assert "bestmove" not in sink.getvalue()
    assert thinking.busy
    release(thinking)
    thinking.end()
    assert sink.getvalue().splitlines()[-1:] == ["bestmove resign"]
    assert sink.getvalue().count("bestmove") == 1


def test_ponderhit_does_not_release_what_is_infinite(faulty: Faulty, wire: Wire, sink: io.StringIO) -> None:
    thinking = Thinking(wire)
    job = move_search(faulty, Position(), Limits(infinite=True, ponder=True), wire)
    thinking.start(job)
    thinking.ponderhit(None, ASKED_AT)
    assert job.held
    assert thinking.busy
    thinking.end(PATIENCE_S)
    assert sink.getvalue().count("bestmove") == 1


def fail(*_arguments: object) -> None:
    raise RuntimeError("injected error")


@pytest.mark.parametrize(("make", "answer"), [
    (lambda faulty, wire: MateSearch(Position(MATE_IN_ONE), 0, ASKED_AT, 1, False, 300, wire), ["checkmate timeout"]),
    (lambda faulty, wire: PonderSearch(faulty, Position(), SETTINGS), []),
    (lambda faulty, wire: Perft(Position(), 2, wire), []),
    (lambda faulty, wire: BookAnswer(Choice(BookMove("2g2f"), "8c8d", ()), False, wire), ["bestmove 2g2f ponder 8c8d"]),
], ids=["mate", "ponder", "perft", "book"])
def test_other_jobs_that_fail(faulty: Faulty, wire: Wire, sink: io.StringIO, monkeypatch: pytest.MonkeyPatch,
                              make: Callable[[Searcher, Wire], Job], answer: list[str]) -> None:
    monkeypatch.setattr(jobs, "_count", fail)
    monkeypatch.setattr(jobs, "format_choice", fail)
    monkeypatch.setattr(jobs, "format_mate_info", fail)
    do(make(faulty, wire), wire, free())
    assert sink.getvalue().splitlines() == [SAID, *answer]


def test_without_a_standard_error_nothing_gets_onto_standard_output(
    faulty: Faulty, wire: Wire, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    do(move_search(faulty, Position(), Limits(depth=1), wire), wire, free())
    assert capsys.readouterr().out == ""


class Gone(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_gui_that_is_gone_needs_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    sink = Gone()
    wire = Wire(io.StringIO(), sink)
    do(move_search(Searcher(1), Position(), Limits(depth=3), wire), wire, free())
    assert "bestmove" not in sink.getvalue()
    assert capsys.readouterr().err == ""


def test_a_session_goes_on(faulty: Faulty, sink: io.StringIO) -> None:
    faulty.failures = 1
    commands = ("setoption name USI_OwnBook value false", "setoption name EvalFile value material",
                "setoption name USI_Hash value 1", "setoption name Threads value 1", "go depth 1", "usinewgame",
                "go depth 1")
    Session(Wire(io.StringIO("\n".join(commands)), sink), lambda *_: faulty).run()
    said, answer, *rest = sink.getvalue().splitlines()
    assert [said, answer.split()[0]] == [SAID, "bestmove"]
    assert SAID not in rest
    assert rest[-1].startswith("bestmove ")     # of a search that the end of the input may have cut short


def test_a_stochastic_ponder_that_fails_is_followed_by_a_sound_search(faulty: Faulty, sink: io.StringIO) -> None:
    faulty.failures = 1
    commands = ("setoption name USI_OwnBook value false", "setoption name Stochastic_Ponder value true",
                "setoption name EvalFile value material", "setoption name USI_Hash value 1",
                "setoption name Threads value 1", "position startpos moves 7g7f", "go ponder", "ponderhit", "stop")
    Session(Wire(io.StringIO("\n".join(commands)), sink), lambda *_: faulty).run()
    said, *_, answer = sink.getvalue().splitlines()
    assert said == SAID
    assert Position.from_usi("startpos moves 7g7f").is_legal(answer.split()[1])


FAILS_ONCE = """
from usi import jobs
tell = jobs.format_info
def format_info(info):
    if info.depth == 3:
        jobs.format_info = tell
        raise RuntimeError("injected error")
    return tell(info)
jobs.format_info = format_info
from usi.cli import main
main()
"""


def test_error_amid_a_real_search_of_several_threads(start: Start) -> None:
    client = start([sys.executable, "-P", "-c", FAILS_ONCE])
    client.ready("Threads 2", "USI_OwnBook false", "PvInterval 0")
    client.send("position startpos moves 7g7f", "go infinite")
    assert client.expect("info string")[-1] == SAID
    client.unanswered()
    game = Position.from_usi("startpos moves 7g7f")
    assert game.is_legal(client.bestmove("stop"))
    client.send("go depth 5")
    assert any(" depth 5 " in line for line in client.expect("bestmove"))
    client.send("quit")
    assert client.wait() == 0
    assert client.errors().decode().rstrip().endswith("RuntimeError: injected error")
