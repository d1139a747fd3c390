"""An error in the search is reported, the `go` is answered once and not too soon, and the engine goes on."""
import io
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from engine import SUPERIOR, Position
from search import MATERIAL, Info, Limits, Result, Searcher, SearchHandle, Settings
from search.limits import TimeLimit
from tests.usi.conftest import PATIENCE_S, Client
from usi.book.choice import BookChoice
from usi.book.db import BookMove
from usi.session import jobs
from usi.session.jobs import BookAnswer, Guess, Job, MateSearch, MoveSearch, Perft, PonderSearch
from usi.session.protocol import Go, Until, format_info
from usi.session.reporter import Reporting
from usi.session.session import Session
from usi.session.thinking import Gate, Thinking, do
from usi.session.wire import Wire

SAID = "info string an error in the engine, please report it: RuntimeError: injected error"
PONDERED = Guess(Position.from_usi("startpos moves 7g7f"), Go(until=Until.HIT))
MATED = Position("4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1")
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
SETTINGS = Settings()
ASKED_AT = time.perf_counter_ns()


class FaultySearch:
    """A search that raises after the reports of its searcher."""

    def __init__(self, searcher: "Faulty", sound: SearchHandle, on_info: Callable[[Info], None] | None) -> None:
        self.searcher = searcher
        self.on_info = on_info
        self.stop = sound.stop
        self.give_time = sound.give_time

    def run(self) -> Result:
        self.searcher.failures -= 1
        for info in self.searcher.reports:
            assert self.on_info
            self.on_info(info)
        raise RuntimeError("injected error")


class Faulty(Searcher):
    """A searcher whose first `failures` searches fail."""

    failures = 1000
    reports: tuple[Info, ...] = ()

    def prepare(self, position: Position, limits: Limits, settings: Settings | None = None,  # type: ignore[override]
                on_info: Callable[[Info], None] | None = None, asked_at: int | None = None) -> SearchHandle:
        sound = super().prepare(position, limits, settings, on_info, asked_at)
        return cast(SearchHandle, FaultySearch(self, sound, on_info)) if self.failures else sound


def report(multipv: int, move: str) -> Info:
    return Info(3, 3, multipv, 20, "exact", nodes=5, time_ms=1, hashfull=0, pv=(move,))


@pytest.fixture(scope="module")
def searcher() -> Faulty:
    return Faulty(1, evaluator=MATERIAL)


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


def move_search(searcher: Searcher, position: Position, go: Go, wire: Wire) -> MoveSearch:
    return MoveSearch(searcher, position, go, SETTINGS, ASKED_AT, Reporting(0), 99999, wire)


def free() -> Gate:
    """Assert that nothing holds an answer back."""
    return Gate(Until.FOUND)


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
    do(move_search(faulty, position, Go(limits), wire), wire, free())
    assert sink.getvalue().splitlines()[len(reports):] == [SAID, f"bestmove {answer}"]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Traceback")
    assert "RuntimeError: injected error" in err


@pytest.mark.parametrize(("until", "release"), [
    (Until.STOP, lambda thinking: thinking.end()), (Until.HIT, lambda thinking: thinking.end()),
    (Until.HIT, lambda thinking: thinking.ponderhit(None, ASKED_AT)),
])
@pytest.mark.parametrize("failures", [0, 1])
def test_an_answer_that_must_wait_waits(faulty: Faulty, wire: Wire, sink: io.StringIO, until: Until, failures: int,
                                        monkeypatch: pytest.MonkeyPatch, release: Callable[[Thinking], None]) -> None:
    """The answer of a failed search, and of one with nothing to think about."""
    faulty.failures = failures
    done = threading.Event()
    job = move_search(faulty, MATED, Go(until=until), wire)
    last = "fallback" if failures else "answer"
    work: Callable[[], str] = getattr(job, last)

    def work_to_the_end() -> str:
        answer = work()
        done.set()
        return answer

    monkeypatch.setattr(job, last, work_to_the_end)
    thinking = Thinking(wire)
    thinking.start(job, until)
    assert done.wait(PATIENCE_S)
    assert "bestmove" not in sink.getvalue()
    assert thinking.busy
    release(thinking)
    thinking.end()
    assert sink.getvalue().splitlines()[-1:] == ["bestmove resign"]
    assert sink.getvalue().count("bestmove") == 1


class Noting(Job):
    """Answers at once, and notes the hits that reach it."""

    def __init__(self, guess: Guess | None = None) -> None:
        self.guess = guess
        self.hits: list[TimeLimit | None] = []

    def answer(self) -> str | None:
        return None if self.guess else "bestmove 7g7f"

    def fallback(self) -> str | None:
        return None

    def stop(self) -> None:
        return

    def ponderhit(self, time: TimeLimit | None, asked_at: int) -> None:
        self.hits.append(time)


@pytest.mark.parametrize("guess", [None, Guess(Position(), Go(until=Until.HIT))], ids=["ponder", "stochastic"])
@pytest.mark.parametrize("until", Until)
def test_thinking_alone_knows_what_awaits_a_hit(wire: Wire, until: Until, guess: Guess | None) -> None:
    """Every kind of job gets one ponderhit at most, and none that it does not wait for."""
    thinking = Thinking(wire)
    assert not thinking.awaits_hit
    for hit in (True, False):
        thinking.start(job := Noting(guess), until)
        assert thinking.awaits_hit == (until is Until.HIT)
        assert thinking.guess is (guess if until is Until.HIT else None)
        if hit:
            thinking.ponderhit(300, ASKED_AT)
        else:
            thinking.end()
        assert not thinking.awaits_hit
        assert thinking.guess is None
        thinking.ponderhit(5, ASKED_AT)
        assert job.hits == ([300] if hit and until is Until.HIT else [])
        thinking.end()


def fail(*_arguments: object) -> None:
    raise RuntimeError("injected error")


@pytest.mark.parametrize(("make", "answer"), [
    (lambda faulty, wire: MateSearch(Position(MATE_IN_ONE), 0, ASKED_AT, 1, False, 300, wire), ["checkmate timeout"]),
    (lambda faulty, wire: PonderSearch(faulty, PONDERED, SETTINGS), []),
    (lambda faulty, wire: Perft(Position(), 2, wire), []),
    (lambda faulty, wire: BookAnswer(BookChoice(BookMove("2g2f"), "8c8d", ()), wire), ["bestmove 2g2f ponder 8c8d"]),
], ids=["mate", "ponder", "perft", "book"])
def test_other_jobs_that_fail(faulty: Faulty, wire: Wire, sink: io.StringIO, monkeypatch: pytest.MonkeyPatch,
                              make: Callable[[Searcher, Wire], Job], answer: list[str]) -> None:
    monkeypatch.setattr(jobs, "count_leaves", fail)
    monkeypatch.setattr(jobs, "format_choice", fail)
    monkeypatch.setattr(jobs, "format_mate_info", fail)
    do(make(faulty, wire), wire, free())
    assert sink.getvalue().splitlines() == [SAID, *answer]


def test_without_a_standard_error_nothing_gets_onto_standard_output(
    faulty: Faulty, wire: Wire, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    do(move_search(faulty, Position(), Go(Limits(depth=1)), wire), wire, free())
    assert capsys.readouterr().out == ""


class Gone(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_gui_that_is_gone_needs_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    sink = Gone()
    wire = Wire(io.StringIO(), sink)
    do(move_search(Searcher(1, evaluator=MATERIAL), Position(), Go(Limits(depth=3)), wire), wire, free())
    assert "bestmove" not in sink.getvalue()
    assert capsys.readouterr().err == ""


def test_a_stochastic_ponder_that_fails_is_followed_by_a_sound_search(faulty: Faulty, sink: io.StringIO) -> None:
    faulty.failures = 1
    commands = ("setoption name USI_OwnBook value false", "setoption name Stochastic_Ponder value true",
                "setoption name EvalFile value material", "setoption name USI_Hash value 1",
                "setoption name Threads value 1", "position startpos moves 7g7f", "go ponder", "ponderhit", "stop")
    Session(Wire(io.StringIO("\n".join(commands)), sink), lambda *_: faulty).run()
    said, *_, answer = sink.getvalue().splitlines()
    assert said == SAID
    assert Position.from_usi("startpos moves 7g7f").is_legal(answer.split()[1])


def test_error_amid_a_real_search_of_several_threads(client: Client, monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    def fail_once(info: Info) -> str:
        if info.depth == 3:
            monkeypatch.setattr(jobs, "format_info", format_info)
            raise RuntimeError("injected error")
        return format_info(info)

    monkeypatch.setattr(jobs, "format_info", fail_once)
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
    assert capsys.readouterr().err.endswith("RuntimeError: injected error\n")


@pytest.mark.parametrize(("score", "name"), [(SUPERIOR, "superior"), (-SUPERIOR, "inferior")])
def test_a_superior_position_has_a_name_in_place_of_a_score(faulty: Faulty, wire: Wire, sink: io.StringIO, score: int,
                                                            name: str) -> None:
    faulty.reports = (replace(report(1, "7g7f"), score=score), report(1, "2g2f"))
    do(move_search(faulty, Position(), Go(Limits(depth=1)), wire), wire, free())
    lines = sink.getvalue().splitlines()
    assert lines[0].startswith(f"info string {name} position, line 1: ")
    assert lines[1] == "info depth 3 seldepth 3 multipv 1 nodes 5 nps 5000 hashfull 0 time 1 pv 7g7f"
    assert " score cp 20 " in lines[2]
    assert "28000" not in sink.getvalue()


def test_a_job_is_over_once_its_answer_is_sent(wire: Wire, sink: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread may live a moment longer, in which `isready` must not take it for a running search."""
    answered, may_end = threading.Event(), threading.Event()
    send = wire.send

    def lingering(*lines: str) -> None:
        send(*lines)
        if lines[0].startswith("bestmove"):
            answered.set()
            may_end.wait(PATIENCE_S)

    monkeypatch.setattr(wire, "send", lingering)
    thinking = Thinking(wire)
    thinking.start(BookAnswer(BookChoice(BookMove("2g2f"), None, ()), wire))
    assert answered.wait(PATIENCE_S)
    threading.Timer(0.05, may_end.set).start()
    assert not thinking.busy
    assert "bestmove 2g2f" in sink.getvalue()
