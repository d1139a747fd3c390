"""The client: an engine of ours, engines that misbehave, and what lines say."""
import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import TextIO

import pytest

from engine import STARTPOS_SFEN, Position
from tests.each import each
from tests.processes import NEEDS_PROC, wait_for_end
from tests.threads import EngineThreads, Work
from tests.usi.conftest import ENGINE
from usi.client import Answer, EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault, async_client, client
from usi.client.async_client import AsyncUsiClient
from usi.client.replies import FORMS, EngineOption, LastInfo, parse_info, parse_option


def test_our_engine_is_asked_for_moves() -> None:
    with UsiClient(ENGINE, strict=True) as engine:
        engine.usi()
        assert engine.name.startswith("Gakushi")
        engine.set_option("usi_hash", "8")
        engine.set_option("USI_OwnBook", False)
        engine.set_option("Clear_Hash")
        with pytest.raises(ValueError, match="no option 'Hash'; it has Threads, USI_Hash, "):
            engine.set_option("Hash", "8")
        engine.isready()
        engine.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        assert engine.options["usi_hash"] == EngineOption("USI_Hash", "spin", "256", 1, 1048576)
        found = engine.go("depth 3")
        assert (found.move, found.ponder, found.pv, found.mate, found.score) == ("G*5b", None, ("G*5b",), 1, 31_999)
        assert None not in (found.depth, found.nodes, found.time_ms, found.nps)
        assert found.lines == (engine.info,)
        engine.set_option("MultiPV", "3")
        assert [line.multipv for line in engine.go("depth 3").lines] == [1, 2, 3]
        mated = engine.go("mate 60000")
        assert (mated.move, mated.pv, mated.mate) == ("G*5b", ("G*5b",), 1)
        engine.send("go infinite")
        with pytest.raises(EngineSilent, match=r"no bestmove within 0\.0 s"):
            engine.wait_for("bestmove", 0)
        engine.send("stop")
        assert engine.wait_for("bestmove", 60).text == "bestmove G*5b"
        assert engine.running
    assert engine.process.returncode == 0
    assert engine.stderr == ""


Scripted = Callable[..., UsiClient]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """Starts engines in threads: what they say at once, or do."""
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
    with pytest.raises(EngineSilent, match="input not read for 0 s"):
        engine.send("x" * 10_000_000, seconds=0.2)


def test_an_engine_that_has_ended() -> None:
    with UsiClient(["/bin/sh", "-c", "echo oh >&2; exit 7"]) as engine:
        for _ in range(2):
            with pytest.raises(EngineGone, match="ended with exit code 7; stderr: oh"):
                engine.wait_for("usiok", 60)
            engine.forget()
        with pytest.raises(EngineGone, match="exit code 7"):
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
    assert engine.info == LastInfo(-30, 6, 1000, pv=("2g2f",))
    engine.forget()
    assert engine.info == LastInfo()


@each(("line", "expected"), [
    ("info depth 3 seldepth 9 score cp -12 nodes 345 time 6 pv 7g7f 3c3d",
     LastInfo(-12, 3, 345, 6, pv=("7g7f", "3c3d"))),
    ("info depth 9 multipv 2 score cp 5 lowerbound nps 70 hashfull 3 time 8 pv 7g7f",
     LastInfo(5, 9, None, 8, 70, None, "lower", 2, ("7g7f",))),
    ("info score cp 12 upperbound depth 3", LastInfo(12, 3, None, bound="upper")),
    ("info score mate 5 nodes 1", LastInfo(31995, None, 1, mate=5)),
    ("info score mate -4", LastInfo(-31996, mate=-4)), ("info score mate 0", LastInfo(-32000, mate=0)),
    ("info score mate +", LastInfo(31754)), ("info score mate -", LastInfo(-31754)),
    ("info score cp 99999", LastInfo(31753)),
    ("info score cp", LastInfo()), ("info score cp many nodes x depth", LastInfo()),
    ("info pv 7g7f score cp 5", LastInfo(pv=("7g7f", "score", "cp", "5"))),
])
def test_info_lines(line: str, expected: LastInfo) -> None:
    assert parse_info(line) == expected


def test_what_came_too_late_is_not_heard(scripted: Scripted) -> None:
    """Though it is there: one that floods us would be heard for ever."""
    engine = scripted("id name Late\nusiok\n")
    engine.line(60)
    with pytest.raises(EngineSilent, match="no usiok within"):
        engine.wait_for("usiok", -60)
    assert engine.wait_for("usiok", 0)


def test_a_search_that_takes_too_long_is_stopped(scripted: Scripted) -> None:
    told: list[str] = []
    engine = scripted(searcher(told))
    with pytest.raises(EngineSilent):
        engine.go("infinite", 0.05)
    assert engine.go().move == "7g7f", "not the answer that it owed"
    assert told == ["go infinite", "stop", "go"]


def test_a_command_is_a_list() -> None:
    with pytest.raises(TypeError, match=r"command='engine': give a list of words, as \['engine'\]"):
        UsiClient("engine")


def test_input_that_is_closed(scripted: Scripted) -> None:
    engine = scripted(lambda given, *_: len(given.readlines()) + 2)
    engine.send("one")
    engine.close_input()
    assert engine.wait(60) == 3
    with pytest.raises(EngineGone, match="its input was closed"):
        engine.send("two")


@each(("said", "complaint"), [
    ("info depth x\n", "'info depth x' has no form"), ("hello \n", "'hello ' has no form"),
    ("usiok", "b'usiok' is no whole line"), ("usi\xf6k\n", "is no whole line of ASCII"),
])
def test_strict_mode_refuses_what_no_engine_may_say(scripted: Scripted, said: str, complaint: str) -> None:
    engine = scripted(f"bestmove 7g7f\n{said}", strict=True)
    assert engine.line(60).text == "bestmove 7g7f"
    with pytest.raises(ProtocolError, match=complaint):
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
    """Says so once it is asked for that; it is asked for nothing else."""
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
    first, second = LastInfo(5, 2, pv=("3c3d", "2g2f")), LastInfo(4, 2, multipv=2, pv=("8c8d",))
    assert engine.go("nodes 1") == Answer("3c3d", "2g2f", first, ("3c3d", "2g2f"), (first, second))
    position.push_null()
    with pytest.raises(ValueError, match="USI has no null move"):
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
    assert (answer.move, answer.pv, answer.mate) == (move, pv, mate)


@each("said", ["bestmove", "checkmate "])
def test_an_answer_without_a_move_is_a_fault(scripted: Scripted, said: str) -> None:
    with pytest.raises(ProtocolError, match=f"'{said.strip()}' names no move"):
        scripted(answering("go", said)).go()


@each(("number", "name"), [(9, "SIGKILL"), (34, "SIGRTMIN"), (35, "signal 35"), (50, "signal 50")])
def test_an_engine_that_a_signal_ends(scripted: Scripted, number: int, name: str) -> None:
    with pytest.raises(EngineGone, match=f"ended by {name}"):
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
            said.write(replies.get(line, ""))
            said.flush()
            told.append(line.strip())
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
            return first.move, second.move, third.move

    async def talk_late() -> str:
        engine = AsyncUsiClient([])
        for _ in range(2):      # it can be used again
            async with engine:
                with pytest.raises(EngineSilent):
                    await engine.go("infinite", 0.05)
                answer = await engine.go()
        return answer.move

    scripted(searcher(told))    # and so are all that are started from now on
    assert asyncio.run(talk()) == ("7g7f", "2g2f", "7g7f")
    assert asyncio.run(talk_late()) == "7g7f"
    assert told.count("go infinite") == told.count("stop") > 1


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
