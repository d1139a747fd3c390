"""A session's commands beyond the protocol, and its help for people who type USI themselves."""
import sys
import threading
from pathlib import Path

import pytest

from engine import Position
from engine.errors import Phrase
from tests.usi.commands.running import invoke
from tests.usi.conftest import PATIENCE_S, Client
from usi.cli import main
from usi.session.jobs import count_leaves
from usi.session.options import OPTIONS
from usi.words import typed
from usi.words.typed import did_you_mean


def test_d_shows_the_position(engine: Client) -> None:
    sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
    engine.send(f"position sfen {sfen}", "d")
    lines = engine.raw_until("sfen: ")
    assert lines[-1] == f"sfen: {Position(sfen).sfen}"
    assert len(lines) == 13


def test_eval_depends_on_the_position_alone(engine: Client) -> None:
    engine.send("position startpos moves 7g7f 3c3d 8h2b+", "eval")
    before = engine.raw_until("eval: ")
    engine.send("go nodes 5000")
    engine.expect("bestmove")
    engine.send("eval")
    assert engine.raw_until("eval: ") == before
    assert int(before[-1].split()[1]) < -300


def test_commands_of_yaneuraou(engine: Client) -> None:
    engine.send("position startpos moves 7g7f", "side", "moves", "key")
    side, moves, key = engine.raw_until("")[0], engine.raw_until("")[0], engine.raw_until("")[0]
    after = Position.from_usi("startpos moves 7g7f")
    assert side == "white"
    assert sorted(moves.split()) == sorted(after.legal_moves())
    assert key == f"{after.key:016x}"
    engine.send("position startpos", "side", "key")
    assert engine.raw_until("")[0] == "black"
    assert engine.raw_until("")[0] != key
    engine.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "moves")
    assert engine.raw_until("") == [""], "who is mated has none"


def test_getoption(engine: Client) -> None:
    for asked, answer in [
        ("usi_hash", "Options[USI_Hash] == 16"), ("USI_Ponder", "Options[USI_Ponder] == false"),
        ("BookFile", "Options[BookFile] == <empty>"), ("ResignValue", "Options[ResignValue] == 99999"),
        ("Nothing", "info string no option is called 'Nothing'"),
        ("Clear_Hash", "info string Clear_Hash is a button and has no value"),
    ]:
        engine.send(f"getoption {asked}")
        assert engine.raw_until("")[0] == answer
    engine.send("setoption name DebugLogFile value absent/log", "getoption DebugLogFile")
    assert engine.raw_until("Options")[-1] == "Options[DebugLogFile] == <empty>", "what was refused is not kept"
    engine.send("getoption", "isready")
    lines = engine.raw_until("readyok")
    assert "Options[Threads] == 1" in lines
    assert len(lines) == len(OPTIONS)       # a button has none, and there is one; readyok


# -- What helps people who type USI themselves -------------------------------------------------------------------------

def test_help_is_said_in_remarks(engine: Client) -> None:
    engine.send("help")
    lines = engine.settle()
    assert lines
    assert all(line.startswith("info string ") for line in lines)
    assert "go movetime 1000" in lines[0]


def test_bench_inside_usi_searches_what_the_command_does(engine: Client) -> None:
    engine.send("bench 2")
    lines = engine.raw_until("Nodes searched: ")
    printed = invoke("bench", "--depth", 2, "--hash", 16).output
    assert lines[-1] in printed.splitlines()
    assert lines[-2].endswith(" nodes a second")
    engine.send("bench 0", "bench x")
    assert all("bench takes a depth from 1 to" in line for line in engine.settle())


def test_perft_and_bench_can_be_stopped(engine: Client) -> None:
    for _ in range(5):
        engine.send("go perft 15", "stop", "isready")
        engine.raw_until("readyok")
        engine.send("bench 60", "stop")
        engine.raw_until("Nodes searched: ")


def test_perft_is_stopped_soon_where_hands_give_hundreds_of_moves() -> None:
    """With 593 moves four plies have 10^11 leaves."""
    position = Position("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")
    assert len(position.legal_moves()) == 593
    assert count_leaves(position, 4, lambda: True) == 0
    assert count_leaves(position, 2, lambda: True) == position.perft(2)


def test_nothing_is_like_a_word_as_long_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long word is not compared with known ones: that would take seconds for some megabytes."""
    compared: list[str] = []

    def compare(word: str, *_: object, **__: object) -> list[str]:
        compared.append(word)
        return []
    monkeypatch.setattr(typed, "get_close_matches", compare)
    fault = Phrase("no such command")
    assert did_you_mean(fault, "x" * 10_000_000, ["isready", "usinewgame"]) is fault
    assert did_you_mean(fault, "usinewgameusinewgame", ["isready", "usinewgame"]) is fault
    assert compared == ["usinewgameusinewgame"]


def test_what_command_may_have_been_meant() -> None:
    said = invoke("anaylze", "game.kif", status=2).output
    assert "no command is called 'anaylze'; did you mean 'analyze'?" in said
    assert "mean" not in invoke("xyzzy", status=2).output


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_is_told_what_this_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str], is_terminal: bool) -> None:
    typed, said = tmp_path / "typed", tmp_path / "said"
    typed.write_text("usi\nquit\n")
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with typed.open() as given, said.open("w") as output:
        monkeypatch.setattr(sys, "stdin", given)
        monkeypatch.setattr(sys, "stdout", output)
        for stream in (given, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
        others = set(threading.enumerate())
        with pytest.raises(SystemExit):
            main([], prog_name="engine")
        for thread in set(threading.enumerate()) - others:      # or the reader would read the next file of this number
            if "(_read)" in thread.name:
                thread.join(PATIENCE_S)
                assert not thread.is_alive()
    assert said.read_text().endswith("\nusiok\n")
    remarks = capsys.readouterr().err
    assert ("speaks USI" in remarks, "engine play" in remarks) == (is_terminal, is_terminal)
