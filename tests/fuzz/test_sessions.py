"""Random sessions and games, in which a model of the protocol judges each line. It finds no fault with our engine, and
it finds the faults of others.

GAKUSHI_FUZZ_SECONDS says how long each test lasts, GAKUSHI_TEST_SEED what is drawn, GAKUSHI_FUZZ_ENGINE another engine.
"""
import os
import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from engine import Position
from tests.fuzz.commands import Asked, OptionTable, read_go
from tests.fuzz.protocol_model import ProtocolModel, Violation, check_form
from tests.fuzz.random_sessions import run_sessions
from tests.fuzz.strict_games import play_games

SESSION_SECONDS = 300       # no session begins later


ENGINE = shlex.split(os.environ.get("GAKUSHI_FUZZ_ENGINE", f"{shlex.quote(sys.executable)} -P -m usi"))
SECONDS = float(os.environ.get("GAKUSHI_FUZZ_SECONDS", 0))      # without it one session, and two games
SEED = int(os.environ.get("GAKUSHI_TEST_SEED", 7))


def test_random_sessions() -> None:
    counts = run_sessions(ENGINE, SECONDS or SESSION_SECONDS, SEED, None if SECONDS else 1)
    assert counts["sessions"] >= 1
    assert counts["answers"] > 0


def test_games_are_played_by_the_rules() -> None:
    games = int(SECONDS / 3) or 2       # one takes about three seconds
    ends, parsed = play_games(ENGINE, games, 300 if SECONDS else 100, SEED)
    assert ends.total() == games
    assert parsed["bestmove"] > games


FAULTY = """
    import sys
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "usi": print("usiok")
        elif word == "isready": print("readyok")
        elif word == "go": print("bestmove 5i5a")
        elif word == "quit": break
        sys.stdout.flush()
"""


def test_engine_that_moves_illegally_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(textwrap.dedent(FAULTY))
    with pytest.raises(Violation, match=r"(?s)session 0 of seed 1: 'bestmove 5i5a'.*> 'bestmove 5i5a'"):
        run_sessions([sys.executable, str(path)], SESSION_SECONDS, 1, 1)
    with pytest.raises(Violation, match="game 1: 'bestmove 5i5a'"):
        play_games([sys.executable, str(path)], 1, 100, 1)


@pytest.mark.parametrize("line", [
    "info depth 3 seldepth 3 multipv 1 score mate 0 nodes 5 nps 5 hashfull 0 time 1 pv 7g7f",
    "info depth 3 seldepth 3 multipv 1 score cp 3 nodes 5 nps 5 hashfull 0 time 1 lowerbound pv 7g7f",
    "info depth 3 seldepth 3 multipv 1 score cp 3 nodes 5 nps 5 hashfull 0 time 1 pv",
    "info depth 3 seldepth 3 multipv 1 score cp 3 nodes 5 nps 5 hashfull 0 time 1 pv 7g7j",
    "bestmove (none)", "bestmove 7g7f 3c3d", "Error: no memory", "hello",
])
def test_lines_of_no_known_form(line: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check_form(line)


PV = "info depth 1 seldepth 1 multipv 1 score cp 3 nodes 5 nps 5 hashfull 0 time 1 pv"


@pytest.mark.parametrize(("sent", "received", "complaint"), [
    ("", ["bestmove 7g7f"], "answers nothing"),
    ("go depth 1", [f"{PV} 7g7f", "bestmove 7g7f", "bestmove 7g7f"], "answers nothing"),
    ("go depth 1", ["bestmove 7g7e"], "7g7e"),
    ("go depth 1", ["bestmove 7g7f"], "nobody has searched"),
    ("go depth 1", ["info depth 1 seldepth 1 nodes 5 nps 5 hashfull 0 time 1", "bestmove 7g7f"], "nobody has searched"),
    ("go depth 1\ngo depth 1", [f"{PV} 7g7f", "bestmove 7g7f", "bestmove 7g7f"], "nobody has searched"),
    ("go depth 1", ["bestmove 7g7f ponder 7f7e"], "7f7e"),
    ("go depth 1", ["checkmate nomate"], "bestmove is due"),
    ("go depth 1", ["bestmove win"], "win"),
    ("go infinite", ["bestmove 7g7f"], "before"),
    ("go ponder", ["bestmove 7g7f"], "before"),
    ("go ponder infinite\nponderhit", ["bestmove 7g7f"], "before"),
    ("go mate 100", ["checkmate 7g7f"], "no mate"),
    ("go depth 1", [f"{PV} 7g7f 7f7e"], "7f7e"),
    ("position startpos moves 7g7f\ngo depth 1", [f"{PV} 7g7f"], "7g7f"),
    ("", [f"{PV} 7g7f"], "outside any search"),
    ("isready", ["readyok", "readyok"], "not asked for"),
    ("usi", ["readyok"], "not asked for"),
    ("side", ["white"], "'black' is due"),
    ("side", ["black", "black"], "no form"),
    ("position startpos moves 7g7f\nmoves", ["7g7f"], "is due"),
    ("key", ["0123456789abcdef"], "is due"),
    ("d", ["white"], "is due"),
    ("getoption MultiPV", ["Options[MultiPV] == 2"], r"'Options\[MultiPV\] == 1' is due"),
    ("getoption no", ["Options[no] == 1"], "no form"),
    ("key\nside", ["black"], "is due"),
])
def test_model_finds_fault(sent: str, received: list[str], complaint: str) -> None:
    model = ProtocolModel()
    model.sent(f"{sent}\n".encode())
    for line in received[:-1]:
        model.received(line)
    with pytest.raises(Violation, match=complaint):
        model.received(received[-1])


@pytest.mark.parametrize(("arguments", "asked"), [
    ("", Asked("bestmove", False, False)),
    ("btime 0 wtime 0 byoyomi 100 searchmoves 7g7f", Asked("bestmove", False, False)),
    ("infinite depth 3", Asked("bestmove", True, False)),
    ("ponder btime 1 wtime 1", Asked("bestmove", False, True)),
    ("ponder infinite", Asked("bestmove", True, True)),
    ("mate infinite", Asked("checkmate", False, False)),
    ("ponder mate 50", Asked("checkmate", False, False)),
    ("perft 3", Asked("", False, False)),
    ("perft", Asked("bestmove", False, False)),
    ("perft three", Asked("bestmove", False, False)),
])
def test_the_model_reads_a_go(arguments: str, asked: Asked) -> None:
    assert read_go(arguments) == asked


ANNOUNCED = ["option name Hash type spin default 16 min 1 max 64", "option name Own type check default true",
             "option name Rule type combo default A var A var B", "option name File type string default <empty>",
             "option name Clear type button"]


@pytest.mark.parametrize(("arguments", "shown"), [
    ("name hash value 20", "Hash] == 20"), ("name HASH value 999", "Hash] == 64"), ("name Hash value -1", "Hash] == 1"),
    ("name Hash value many", "Hash] == 16"), ("name Hash", "Hash] == 16"), ("Hash value 20", "Hash] == 16"),
    ("name\tOwn  value\t0", "Own] == false"), ("name Own value FALSE", "Own] == false"),
    ("name Own value no", "Own] == true"), ("name Rule value b", "Rule] == B"), ("name Rule value C", "Rule] == A"),
    ("name File value /a  b/value of c", "File] == /a  b/value of c"), ("name File value", "File] == <empty>"),
    ("name Clear", "Clear"),
])
def test_the_model_reads_a_setoption(arguments: str, shown: str) -> None:
    options = OptionTable(ANNOUNCED)
    options.obey(arguments)
    assert options.shown(shown.partition("]")[0]) == ([f"Options[{shown}"] if "]" in shown else [])
    assert len(options.shown("")) == 4      # a button has nothing to show
    assert options.shown("no") == []


def test_model_follows_a_session() -> None:
    model = ProtocolModel()
    model.sent(b"usi\nisready\nposition startpos moves 7g7f\r\ngo ponder btime 0 wtime 0 byoyomi 100\n")
    for line in ("usiok", "readyok", f"{PV} 3c3d 2g2f"):
        model.received(line)
    assert not model.settled
    model.sent(b"ponderhit\n")
    model.received("bestmove 3c3d ponder 2g2f")
    assert model.settled
    model.sent(b"position startpos\ngo infinite\nposition startpos moves 2g2f\ngo depth 1\n")
    for line in (f"{PV} 7g7f", "bestmove 7g7f", "info string book: 3c3d", "bestmove 3c3d"):
        model.received(line)
    assert model.settled
    assert model.position.moves == ["2g2f"]
    assert model.parsed["bestmove"] == 3
    assert isinstance(model.position, Position)


def test_model_follows_questions() -> None:
    model = ProtocolModel()
    model.sent(b"position startpos moves 7g7f\nside\nsetoption name MultiPV value 3\ngetoption multipv\ngetoption no\n"
               b"position startpos\nside\n")
    for line in ("white", "Options[MultiPV] == 3", "info string no option 'no'"):
        model.received(line)
        assert not model.settled
    model.received("black")
    assert model.settled
