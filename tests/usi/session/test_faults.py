"""An exception anywhere while a command is carried out is reported once, and all answers that a GUI waits for still
come, in the same order. Each function that a session calls fails in turn."""
import sys
import threading
from collections.abc import Callable, Iterator
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import usi
from engine import Position
from search import MATERIAL, Searcher
from tests.each import each
from tests.usi.conftest import PATIENCE_S
from usi.session.session import Session
from usi.session.wire import Wire

ROOT = Path(usi.__file__).parent
FAULT = "info string an error in the engine, please report it: RuntimeError: injected error"
ANSWERS = ("usiok", "readyok", "bestmove", "checkmate")
# What catches the fault, and so cannot be where it happens.
NET = {"run", "_reporting", "_make_up", "do", "_first", "_send", "wait"}
OF_WIRE = {"info_string", "log_to"}       # in whose other parts a fault is that of the pipe
SET_UP = ("usi", "setoption name USI_Hash value 1", "setoption name Threads value 1",
          "setoption name EvalFile value material", "isready", "usinewgame")
GAME = "position startpos moves 7g7f"


def may_fail(code: CodeType) -> bool:
    """Generators do not fail here: an exception raised while one is closed is lost."""
    path = Path(code.co_filename)
    return (path.parent in (ROOT / "session", ROOT / "book") and code.co_name not in NET
            and not code.co_flags & CO_GENERATOR
            and (path.name != "wire.py" or code.co_name in OF_WIRE))


Call = tuple[str, str]      # the qualified names of the caller and of the function called


class Injector:
    """A profiler that notes the calls in all threads of a session once it is armed, and raises at the first call equal
    to `wanted`."""

    def __init__(self, wanted: Call | None) -> None:
        self.wanted = wanted
        self.armed = False
        self.calls: dict[Call, None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or not self.armed or not may_fail(frame.f_code):
            return
        call = frame.f_back.f_code.co_qualname if frame.f_back else "", frame.f_code.co_qualname
        first = call not in self.calls
        self.calls[call] = None
        if first and call == self.wanted:
            raise RuntimeError("injected error")


class Sink:
    """Takes the lines of a session, and lets another thread wait for answers among them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._came = threading.Condition()

    def write(self, text: str) -> int:
        with self._came:
            self.lines.append(text.rstrip("\n"))
            self._came.notify_all()
        return len(text)

    def flush(self) -> None:
        return

    @property
    def answers(self) -> list[str]:
        return [line for line in self.lines if line.startswith(ANSWERS)]

    def wait_for(self, count: int) -> None:
        with self._came:
            assert self._came.wait_for(lambda: len(self.answers) >= count, PATIENCE_S), self.lines[-5:]


def dialogue(commands: list[str], sink: Sink, injector: Injector, failed: list[BaseException]) -> Iterator[str]:
    """Yield the set-up, then the commands. Each waits until all earlier answers have come."""
    expected = 0
    pondering = False       # a `go` has no answer yet, and is to have none
    try:
        for number, command in enumerate([*SET_UP, *commands]):
            injector.armed = number >= len(SET_UP)
            yield command
            word, *words = command.split()
            if word in ("stop", "ponderhit", "gameover", "go", "usinewgame"):
                expected += pondering
                pondering = word == "go" and not {"infinite", "ponder"}.isdisjoint(words)
            expected += word in ("usi", "isready") or (word == "go" and not pondering and "perft" not in words)
            sink.wait_for(expected)
            assert len(sink.answers) == expected, (command, sink.answers)
    except BaseException as error:      # the wire's thread would only print it
        failed.append(error)
    finally:
        injector.armed = False


def session_of(commands: list[str], wanted: Call | None = None) -> tuple[list[str], dict[Call, None]]:
    """The lines of a session and its calls; the one that is `wanted` fails."""
    sink, injector, failed = Sink(), Injector(wanted), list[BaseException]()
    searchers: list[Searcher] = []

    def make(hash_mb: int, threads: int) -> Searcher:
        searchers.append(Searcher(hash_mb, threads, evaluator=MATERIAL))
        return searchers[-1]

    threading.setprofile(injector)
    sys.setprofile(injector)
    try:
        Session(Wire(dialogue(commands, sink, injector, failed), sink), make).run()  # type: ignore[arg-type]
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        for searcher in searchers:      # of whose search the end may have failed
            searcher.stop()
    if failed:
        raise failed[0]
    return sink.lines, injector.calls


SCENES = {
    "outside a game": (
        "usi", "setoption name MultiPV value 2", "setoption name DebugLogFile value", "setoption name Clear_Hash",
        "setoption name BookFile value no_book", "getoption MultiPV", "getoption", "isready", "usinewgame", "isready",
        "usinewgame", "d", "moves", "side", "key", "eval", "help", "debug on", "register later", "nonsense"),
    "go": (
        "go nodes 200", "position startpos moves 7g7g", "position sfen 9/9 b - 1", GAME, "go btime 1 wtime 1",
        "go depth 2 searchmoves 3c3d 7a7b 9z9z", "go movetime 10", "go rtime 10", "gameover win", "go perft 2",
        "isready", "go mate 100", "go mate infinite"),
    "waiting": (
        "go infinite", "isready", "stop", "go ponder btime 1000 wtime 1000", "isready", "ponderhit",
        "go ponder nodes 100", "stop", "go ponder", "ponderhit btime 1000 wtime 1000 byoyomi 10", "go infinite",
        "gameover draw", "go infinite", "go nodes 100", "go ponder", "usinewgame"),
    "stochastic ponder": (
        "setoption name Stochastic_Ponder value true", "go ponder btime 1000 wtime 1000", "isready", "ponderhit",
        "go ponder", "stop", "go ponder", "gameover win", "go ponder", "go nodes 50"),
    "book": (
        "setoption name BookFile value <empty>", "isready", "go btime 1000 wtime 1000", "go ponder", "ponderhit",
        "setoption name BookFile value absent.db", "isready", "go movetime 10"),
    "weak": ("setoption name SkillLevel value 3", "go movetime 20", "bench x", "go infinite", "stop"),
}


def compare(scene: str, failing: Callable[[Call], bool], capsys: pytest.CaptureFixture[str]) -> None:
    """Play a scene, then again for each of its calls that is to fail: the answers are the same."""
    commands = [GAME, GAME, *SCENES[scene]]     # twice, lest a `go` be about an old position if the first one fails
    sound, calls = session_of(commands)
    assert not any("error in the engine" in line for line in sound)
    expected = [line.split()[0] for line in sound if line.startswith(ANSWERS)]
    legal = set(Position.from_usi(GAME.removeprefix("position ")).legal_moves())
    for call in filter(failing, calls):
        capsys.readouterr()
        lines, happened = session_of(commands, call)
        answers = [line.split() for line in lines if line.startswith(ANSWERS)]
        assert [answer[0] for answer in answers] == expected, call
        assert lines.count(FAULT) == (call in happened), call
        err = capsys.readouterr().err.splitlines()
        assert ("RuntimeError: injected error" in err) == (call in happened), call
        # A search that could not be stopped keeps its searcher, so the next ones fail, too.
        assert err.count("Traceback (most recent call last):") < 3 or call[1].endswith(".stop"), call
        assert not [answer for answer in answers if answer[0] == "bestmove" and answer[1] not in legal], call


@each("scene", SCENES)
def test_a_command_that_fails_leaves_all_answers_in_order(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    compare(scene, lambda call: call[0] == "Session._carry_out", capsys)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_whatever_fails_all_answers_come_in_order(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    compare(scene, lambda call: True, capsys)
