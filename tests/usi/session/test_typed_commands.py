"""What helps people who type USI themselves."""
import re
import sys
from pathlib import Path

import pytest

from tests.usi.commands.running import invoke
from tests.usi.conftest import Client
from usi.cli import main
from usi.words import typed
from usi.words.typed import did_you_mean


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


def test_bench_can_be_stopped(engine: Client) -> None:
    for _ in range(5):
        engine.send("bench 60", "stop")
        engine.raw_until("Nodes searched: ")


@pytest.mark.parametrize(("sent", "meant"), [
    ("isredy", "isready"), ("setoption name USI_Hsh value 3", "USI_Hash"),
    ("setoption name mutlipv value 3", "MultiPV"),
])
def test_what_may_have_been_meant(engine: Client, sent: str, meant: str) -> None:
    engine.send(sent)
    (line,) = engine.settle()
    assert line.endswith(f"; did you mean '{meant}'?")


@pytest.mark.parametrize("sent", ["debug on", "register later", "setoption name USI_Strength value 3"])
def test_what_the_protocol_has_and_we_lack_is_answered_in_one_line(engine: Client, sent: str) -> None:
    engine.send(sent)
    (line,) = engine.settle()
    assert re.search(r"is not (supported|needed)", line)


def test_nothing_is_like_a_word_as_long_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is not compared, which would take seconds for some megabytes."""
    compared: list[str] = []

    def compare(word: str, *_: object, **__: object) -> list[str]:
        compared.append(word)
        return []
    monkeypatch.setattr(typed, "get_close_matches", compare)
    assert did_you_mean("x" * 10_000_000, ["isready", "usinewgame"]) == ""
    assert did_you_mean("usinewgameusinewgame", ["isready", "usinewgame"]) == ""
    assert compared == ["usinewgameusinewgame"]


def test_what_command_may_have_been_meant() -> None:
    said = invoke("anaylze", "game.kif", status=2).output
    assert "No such command 'anaylze'; did you mean 'analyze'?" in said
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
        with pytest.raises(SystemExit):
            main([], prog_name="engine")
    assert said.read_text().endswith("\nusiok\n")
    remarks = capsys.readouterr().err
    assert ("speaks USI" in remarks, "engine play" in remarks) == (is_terminal, is_terminal)
