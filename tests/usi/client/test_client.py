"""The USI client, with our engine and with engines that misbehave, and its parsers of lines."""
import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

import pytest

from engine import STARTPOS_SFEN, Position
from search import Clock, Limits
from tests.each import each
from tests.faults import refused
from tests.processes import NEEDS_PROC, wait_for_end
from tests.threads import EngineThreads, Work
from tests.usi.conftest import ENGINE
from usi.client import Answer, EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault, async_client, client
from usi.client.async_client import AsyncUsiClient
from usi.client.client import go_words
from usi.client.replies import FORMS, EngineInfo, EngineOption, parse_info, parse_option
from usi.session.protocol import parse_go


def test_our_engine_is_asked_for_moves() -> None:
    with UsiClient(ENGINE, strict=True) as engine:
        engine.usi()
        assert engine.name.startswith("Gakushi")
        engine.set_option("usi_hash", "8")
        engine.set_option("USI_OwnBook", False)
        engine.set_option("Clear_Hash")
        with refused(name="Hash", names=...):
            engine.set_option("Hash", "8")
        engine.isready()
        engine.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        assert engine.options["usi_hash"] == EngineOption("USI_Hash", "spin", "256", 1, 1048576)
        found = engine.go("depth 3")
        assert (found.bestmove, found.ponder, found.pv, found.mate, found.score) == ("G*5b", None, ("G*5b",), 1, 31_999)
        assert None not in (found.depth, found.nodes, found.time_ms, found.nps)
        assert found.lines == (engine.info,)
        engine.set_option("MultiPV", "3")
        assert [line.multipv for line in engine.go("depth 3").lines] == [1, 2, 3]
        mated = engine.go("mate 60000")
        assert (mated.bestmove, mated.pv, mated.mate) == ("G*5b", ("G*5b",), 1)
        engine.send("go infinite")
        with refused(EngineSilent, words="bestmove", seconds=0):
            engine.wait_for("bestmove", 0)
        engine.send("stop")
        assert engine.wait_for("bestmove", 60).text == "bestmove G*5b"
        assert engine.running
    assert engine.process.returncode == 0
    assert engine.stderr == ""


Scripted = Callable[..., UsiClient]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """Starts engines as threads. Each is given as its whole output, or as a function that serves the pipes."""
    engines: list[UsiClient] = []

    def start(work: Work | str, strict: bool = False) -> UsiClient:
        def say(_given: TextIO, said: TextIO, *_: object) -> int:
            said.write(str(work))
            return 0
        monkeypatch.setattr(client, "GROUPS", EngineThreads(lambda _: say if isinstance(work, str) else work))
        engines.append(UsiClient([], strict=strict))
        return engines[-1]
    yield start
    for engine in engines:
        engine.kill()


@NEEDS_PROC
def test_nothing_of_an_engine_is_left_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "QUIT_SECONDS", 0.1)
    with UsiClient(["/bin/sh", "-c", "trap '' TERM HUP; sleep 1000 & echo id name $!; wait; wait"]) as engine:
        pid = int(engine.wait_for("id", 60).text.split()[-1])
    wait_for_end([pid])


def test_an_engine_that_does_not_read_is_not_waited_for(scripted: Scripted) -> None:
    engine = scripted(lambda *ends: bool(ends[-1](1000)))
    with refused(EngineSilent, about="input", seconds=0.2):
        engine.send("x" * 10_000_000, seconds=0.2)


def test_an_engine_that_has_ended() -> None:
    with UsiClient(["/bin/sh", "-c", "echo oh >&2; exit 7"]) as engine:
        for _ in range(2):
            with refused(EngineGone, end=refused(EngineGone, code=7), lines="oh"):
                engine.wait_for("usiok", 60)
            engine.forget()
        with refused(EngineGone, end=refused(EngineGone, code=7), lines="oh"):
            engine.send("usi")


def test_info_is_the_last_line_about_the_best_move(scripted: Scripted) -> None:
    engine = scripted("""info depth 5 score cp 40 nodes 900 pv 7g7f
info depth 6 multipv 1 score cp -30 nodes 1000 pv 2g2f
info depth 6 multipv 2 score cp -50 nodes 1100 pv 2g2f
info depth 7 currmove 3g3f
info string I score depth 9 score cp 1
bestmove 2g2f
""")
    engine.wait_for("bestmove", 60)
    assert engine.info == EngineInfo(-30, 6, 1000, pv=("2g2f",))
    engine.forget()
    assert engine.info == EngineInfo()


@each(("line", "expected"), [
    ("info depth 3 seldepth 9 score cp -12 nodes 345 time 6 pv 7g7f 3c3d",
     EngineInfo(-12, 3, 345, 6, pv=("7g7f", "3c3d"), seldepth=9)),
    ("info depth 9 multipv 2 score cp 5 lowerbound nps 70 hashfull 3 time 8 pv 7g7f",
     EngineInfo(5, 9, None, 8, 70, None, "lower", 2, ("7g7f",), None, 3)),
    ("info score cp 12 upperbound depth 3", EngineInfo(12, 3, None, bound="upper")),
    ("info score mate 5 nodes 1", EngineInfo(31995, None, 1, mate=5)),
    ("info score mate -4", EngineInfo(-31996, mate=-4)), ("info score mate 0", EngineInfo(-32000, mate=0)),
    ("info score mate +", EngineInfo(31754)), ("info score mate -", EngineInfo(-31754)),
    ("info score cp 99999", EngineInfo(31753)),
    ("info score cp", EngineInfo()), ("info score cp many nodes x depth", EngineInfo()),
    ("info pv 7g7f score cp 5", EngineInfo(pv=("7g7f", "score", "cp", "5"))),
])
def test_info_lines(line: str, expected: EngineInfo) -> None:
    assert parse_info(line) == expected


def test_lines_after_the_deadline_are_not_read(scripted: Scripted) -> None:
    """After the deadline no more lines are read; otherwise an engine that floods us would be read for ever."""
    engine = scripted("id name Late\nusiok\n")
    engine.line(60)
    with refused(EngineSilent, words="usiok", seconds=...):
        engine.wait_for("usiok", -60)
    assert engine.wait_for("usiok", 0)


def test_a_search_that_takes_too_long_is_stopped(scripted: Scripted) -> None:
    told: list[str] = []
    engine = scripted(searcher(told))
    with pytest.raises(EngineSilent):
        engine.go("infinite", 0.05)
    assert engine.go().bestmove == "7g7f", "the answer to the stopped search"
    assert told == ["go infinite", "stop", "go"]


def endless(told: list[str]) -> Work:
    """Reports a line at each `go` and `ponderhit`, answers `go nodes` and `ponderhit` at once, other searches at
    `stop`."""
    def serve(given: TextIO, said: TextIO, *_: object) -> int:
        for line in given:
            told.append(line.strip())
            if line == "quit\n":
                break
            if line.startswith(("go", "ponderhit")):
                said.write(f"info depth {len(told)} score cp 5 pv 7g7f\n")
            if line.startswith(("go nodes", "ponderhit", "stop")):
                said.write("bestmove 7g7f ponder 3c3d\n")
            said.flush()
        return 0
    return serve


def test_reports_arrive_while_the_engine_thinks(scripted: Scripted) -> None:
    told: list[str] = []
    engine, heard = scripted(endless(told)), list[EngineInfo]()
    answer = engine.go(Limits(nodes=100), on_info=heard.append)
    assert heard == [answer.info] == [EngineInfo(5, 1, pv=("7g7f",))]

    def refuse(_info: EngineInfo) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.go(Limits(), on_info=refuse)
    assert engine.go(Limits(nodes=1)).bestmove == "7g7f", "not the answer that it owed"
    assert told == ["go nodes 100", "go infinite", "stop", "go nodes 1"]


def test_pondering(scripted: Scripted) -> None:
    told: list[str] = []
    engine = scripted(endless(told))
    engine.begin(Clock((5000, 6000), byoyomi=1000), ponder=True)
    engine.ponderhit()
    assert engine.answer().ponder == "3c3d"
    engine.begin("", ponder=True)
    engine.stop()
    assert told == ["go ponder btime 5000 wtime 6000 byoyomi 1000", "ponderhit", "go ponder", "stop"]


@each(("limits", "words"), [
    (Limits(nodes=100), "nodes 100"), (Limits(3, 5, 7), "movetime 7 nodes 5 depth 3"), (Limits(), "infinite"),
    (Limits(movetime=1), "movetime 1"), (Limits(1, searchmoves=("7g7f", "2g2f")), "depth 1 searchmoves 7g7f 2g2f"),
    (Clock((1, 2), (3, 4)), "btime 1 wtime 2 binc 3 winc 4"), (Clock((1, 2)), "btime 1 wtime 2 byoyomi 0"),
    (Limits(clock=Clock((1, 2), (3, 0), 5), nodes=9), "btime 1 wtime 2 binc 3 winc 0 byoyomi 5 nodes 9"),
    ("mate infinite", "mate infinite"), ("", ""),
])
def test_limits_as_words_of_go(limits: Limits | Clock | str, words: str) -> None:
    assert go_words(limits) == words
    limited = limits if isinstance(limits, Limits) else Limits(clock=limits) if isinstance(limits, Clock) else None
    if limited and words != "infinite":
        assert parse_go(words).limits == limited, "as our engine reads them"


@each("limits", [100, None, {"nodes": 100}, b"nodes 100", (1, 2), Position(), 1.5])
def test_other_limits_are_refused(scripted: Scripted, limits: Any) -> None:
    engine = scripted("")
    for ask in (engine.go, engine.begin):
        with pytest.raises(TypeError, match=f"limits=.*: give Limits, a Clock, or .* {type(limits).__name__}"):
            ask(limits)


def test_what_would_be_two_commands_is_refused(scripted: Scripted) -> None:
    engine = scripted(answering("usi", "option name USI_Hash type spin default 1 min 1 max 9\nusiok"))
    engine.usi()
    with refused(name="limits", value="nodes 1\nquit"):
        engine.go("nodes 1\nquit")
    with refused(name="value", value="1\rquit"):
        engine.set_option("USI_Hash", "1\rquit")


@NEEDS_PROC
def test_a_dropped_client_ends_its_engine() -> None:
    engine = UsiClient(["/bin/sh", "-c", "sleep 1000 & echo id name $!; wait"])
    pids = [int(engine.wait_for("id", 60).text.split()[-1]), engine.process.pid]
    threads = threading.active_count()
    del engine
    gc.collect()
    wait_for_end(pids[:1])
    with pytest.raises(ProcessLookupError):     # it was waited for, too, and leaves no zombie
        os.kill(pids[1], 0)
    while threading.active_count() > threads - 3:
        time.sleep(0.001)


@NEEDS_PROC
def test_an_engine_ends_with_the_program_that_started_it() -> None:
    program = ("from gakushi import UsiClient\n"
               "client = UsiClient(['/bin/sh', '-c', 'sleep 1000 & echo id name $!; wait'])\n"
               "print(client.wait_for('id', 60).text.split()[-1])")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    wait_for_end([int(done.stdout)])
    assert done.stderr == ""


def test_a_command_is_a_list() -> None:
    with pytest.raises(TypeError, match=r"command='engine': give a list of words, as \['engine'\]"):
        UsiClient("engine")


def test_input_that_is_closed(scripted: Scripted) -> None:
    engine = scripted(lambda given, *_: len(given.readlines()) + 2)
    engine.send("one")
    engine.close_input()
    assert engine.wait(60) == 3
    with refused(EngineGone, about="input"):
        engine.send("two")


@each(("said", "fault"), [
    ("info depth x\n", refused(ProtocolError, text="info depth x")),
    ("hello \n", refused(ProtocolError, text="hello ")), ("usiok", refused(ProtocolError, raw=b"usiok")),
    ("usi\xf6k\n", refused(ProtocolError, raw="usi\xf6k\n".encode())),
])
def test_strict_mode_refuses_what_no_engine_may_say(scripted: Scripted, said: str, fault: refused) -> None:
    engine = scripted(f"bestmove 7g7f\n{said}", strict=True)
    assert engine.line(60).text == "bestmove 7g7f"
    with fault:
        engine.line(60)
    with pytest.raises(EngineGone):
        scripted(f"bestmove 7g7f\n{said}").wait_for("readyok", 60)


@each("line", [
    "usiok", "readyok", "", "id name Some engine 1.0", "option name USI_Hash type spin default 16 min 1 max 99",
    "option name With Space type button", "info string what it likes", "info depth 3 currmove 7g7f currmovenumber 2",
    "info depth 3 seldepth 9 score cp -12 upperbound nodes 345 time 6 pv 7g7f P*5e 2b3c+", "info score mate +",
    "info score mate -3 nodes 1", "bestmove resign", "bestmove win", "bestmove 7g7f ponder 3c3d", "checkmate nomate",
    "checkmate G*5b 5a4a 4c4b",
])
def test_forms(line: str) -> None:
    assert FORMS.fullmatch(line)


@each("line", [
    "usiok ", "bestmove", "bestmove (none)", "bestmove 7g7f 3c3d", "bestmove 7j7f", "checkmate", "info score cp",
    "info pv 7g7f depth 3", "info depth", "option name USI_Hash default 16", "Error: no memory",
])
def test_what_has_no_form(line: str) -> None:
    assert not FORMS.fullmatch(line)


def answering(asked: str, said: str) -> Work:
    """An engine that answers one command, and gets no other."""
    def serve(given: TextIO, to: TextIO, *_: object) -> int:
        assert given.readline() == f"{asked}\n"
        to.write(f"{said}\n")
        return 0
    return serve


def test_a_position_is_sent_with_its_moves_and_the_best_line_comes_back(scripted: Scripted) -> None:
    def serve(given: TextIO, said: TextIO, *_: object) -> int:
        said.write(f"id name {given.readline()}")
        said.flush()
        return found(given, said, said, print)

    found = answering("go nodes 1", "info depth 2 multipv 1 score cp 5 pv 3c3d 2g2f\n"
                                    "info depth 2 multipv 2 score cp 4 pv 8c8d\nbestmove 3c3d ponder 2g2f")
    engine = scripted(serve)
    position = Position.from_usi("startpos moves 7g7f")
    engine.set_position(position)
    assert engine.wait_for("id", 60).text == f"id name position sfen {STARTPOS_SFEN} moves 7g7f"
    first, second = EngineInfo(5, 2, pv=("3c3d", "2g2f")), EngineInfo(4, 2, multipv=2, pv=("8c8d",))
    assert engine.go("nodes 1") == Answer("3c3d", "2g2f", first, ("3c3d", "2g2f"), (first, second))
    position.push_null()
    with refused(sfen=position.sfen):
        engine.set_position(position)


# -- What answers a `go` -----------------------------------------------------------------------------------------------

@each(("said", "move", "pv", "mate"), [
    ("checkmate G*5b 5a4a 4c4b", "G*5b", ("G*5b", "5a4a", "4c4b"), 3),
    ("checkmate nomate", "nomate", (), None),
    ("checkmate timeout", "timeout", (), None),
    ("checkmate notimplemented", "notimplemented", (), None),
    ("info score mate 5 pv 7g7f\nbestmove 7g7f", "7g7f", ("7g7f",), 5),
])
def test_a_mate_is_asked_for(scripted: Scripted, said: str, move: str, pv: tuple[str, ...], mate: int | None) -> None:
    answer = scripted(answering("go mate 5000", said)).go("mate 5000")
    assert (answer.bestmove, answer.pv, answer.mate) == (move, pv, mate)


@each("said", ["bestmove", "checkmate "])
def test_an_answer_without_a_move_is_a_fault(scripted: Scripted, said: str) -> None:
    with refused(ProtocolError, line=said.strip()):
        scripted(answering("go", said)).go()


@each(("number", "name"), [(9, "SIGKILL"), (34, "SIGRTMIN"), (35, "signal 35"), (50, "signal 50")])
def test_an_engine_that_a_signal_ends(scripted: Scripted, number: int, name: str) -> None:
    with refused(EngineGone, signal=name):
        scripted(lambda *_: -number).go()


@each(("line", "option"), [
    ("option name A type check default true", EngineOption("A", "check", "true")),
    ("option name B c type spin default -2 min -5 max 5", EngineOption("B c", "spin", "-2", -5, 5)),
    ("option name C type combo default two words var one var two words",
     EngineOption("C", "combo", "two words", choices=("one", "two words"))),
    ("option name D type string default max 3 min", EngineOption("D", "string", "max 3 min")),
    ("option name E type string", EngineOption("E", "string")),
    ("option name F type button", EngineOption("F", "button")),
    ("option name G type filename default <empty>", EngineOption("G", "filename", "<empty>")),
    ("option name H type spin min x max", EngineOption("H", "spin")),
    ("option name type spin", None), ("info option name A type check", None),
])
def test_options(line: str, option: EngineOption | None) -> None:
    assert parse_option(line) == option


def test_without_a_thread_the_engine_is_not_started(monkeypatch: pytest.MonkeyPatch, scripted: Scripted) -> None:
    ended: list[object] = []

    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    scripted("")
    groups = vars(client)["GROUPS"]
    process = groups.start([])
    monkeypatch.setattr(groups, "start", lambda *_, **__: process)
    monkeypatch.setattr(groups, "kill", ended.append)
    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(OSError, match="no room for the threads"):
        UsiClient([])
    assert ended == [process]


# -- For asyncio -------------------------------------------------------------------------------------------------------

def searcher(told: list[str]) -> Work:
    """Answers `go` at once, but `go infinite` after `stop`; keeps the commands it gets."""
    def serve(given: TextIO, said: TextIO, *_: object) -> int:
        searching = False
        for line in given:
            if line == "quit\n":
                break
            replies = {"usi\n": "option name USI_Hash type spin default 1 min 1 max 9\nusiok\n",
                       "isready\n": "readyok\n", "go\n": "bestmove 7g7f\n", "stop\n": "bestmove 2g2f\n" * searching}
            searching = line == "go infinite\n"
            told.append(line.strip())       # first, because the test looks at it once it has the answer
            said.write(replies.get(line, ""))
            said.flush()
        return 0
    return serve


def test_to_be_awaited(scripted: Scripted) -> None:
    told: list[str] = []

    async def talk() -> tuple[str, str, str]:
        async with AsyncUsiClient([]) as engine:
            await engine.usi()
            await engine.set_option("USI_Hash", "3")
            await engine.isready()
            await engine.set_position(Position())
            first = await engine.go()
            endless = asyncio.ensure_future(engine.go("infinite"))
            while "go infinite" not in told:
                await asyncio.sleep(0.001)
            await engine.stop()
            second = await endless
            for seconds in (0.0, 0.05):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(engine.go("infinite"), seconds)
            third = await engine.go()       # and not what the searches before have owed
            return first.bestmove, second.bestmove, third.bestmove

    async def talk_late() -> str:
        engine = AsyncUsiClient([])
        for _ in range(2):      # it can be used again
            async with engine:
                with pytest.raises(EngineSilent):
                    await engine.go("infinite", 0.05)
                answer = await engine.go()
        return answer.bestmove

    scripted(searcher(told))    # and so are all that are started from now on
    assert asyncio.run(talk()) == ("7g7f", "2g2f", "7g7f")
    assert asyncio.run(talk_late()) == "7g7f"
    assert told.count("go infinite") == told.count("stop") > 1


def test_reports_and_pondering_to_be_awaited(scripted: Scripted) -> None:
    told: list[str] = []

    async def talk() -> None:
        engine = AsyncUsiClient([])
        with pytest.raises(RuntimeError, match="has not been started"):
            await engine.usi()
        await engine.start()
        with pytest.raises(RuntimeError, match="the engine runs already"):
            await engine.start()
        async with engine.search(Limits(nodes=1)) as search:
            heard = [info async for info in search]
            answer = await search.answer()
        assert [heard[-1]] == heard == [answer.info]
        async with engine.search(Limits()) as left:
            async for info in left:
                assert info.pv == ("7g7f",)
                with pytest.raises(RuntimeError, match="this task has a search under way"):
                    await engine.go()
                break       # the block ends, and with it the search
        assert (await left.answer()).bestmove == "7g7f"
        assert [info async for info in left] == []
        pondering = asyncio.create_task(engine.go(Clock(byoyomi=9), ponder=True))
        while told[-1] != "go ponder btime 0 wtime 0 byoyomi 9":
            await asyncio.sleep(0.001)
        await engine.ponderhit()
        assert (await pondering).ponder == "3c3d"
        for limits in (100, None):
            with pytest.raises(TypeError, match=f"limits={limits}: give Limits"):
                await engine.go(limits)     # type: ignore[arg-type]
        with pytest.raises(TypeError, match="position='startpos': give a Position, not str"):
            await engine.set_position("startpos")       # type: ignore[arg-type]
        await engine.close()
        await engine.close()
        with pytest.raises(RuntimeError, match="has not been started"):
            await engine.go()

    scripted(endless(told))
    asyncio.run(talk())
    assert told == ["go nodes 1", "go infinite", "stop", "go ponder btime 0 wtime 0 byoyomi 9", "ponderhit", "quit"]


def test_an_engine_that_does_not_stop_is_ended(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(async_client, "STOP_SECONDS", 0.05)

    async def cancel() -> None:
        async with AsyncUsiClient([]) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.go("infinite"), 0.01)
            with pytest.raises(UsiFault):
                await engine.go()

    scripted(lambda *ends: len(ends[0].readlines()))
    asyncio.run(cancel())
