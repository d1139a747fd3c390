"""What watches an engine talk: it finds no fault with ours, and it finds the faults of others."""
import sys
import textwrap
from pathlib import Path

import pytest

from engine import Position
from scripts import fuzz
from scripts.conformance.commands import Asked, OptionTable, read_go
from scripts.conformance.protocol_model import ProtocolModel, Violation, check_form
from tests.scripts.commands import invoke


def test_some_sessions() -> None:
    assert "no violation" in invoke(fuzz, "sessions", "--sessions", 1, "--seconds", 300, "--seed", 7).output


def test_some_games() -> None:
    assert invoke(fuzz, "games", "--games", 2, "--nodes", 100).output.startswith("2 games without a fault")


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


@pytest.mark.parametrize("how", ["sessions", "games"])
def test_engine_that_moves_illegally_is_found_out(how: str, tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(textwrap.dedent(FAULTY))
    assert "5i5a" in invoke(fuzz, how, "--seed", 1, sys.executable, path, status=1).output


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
