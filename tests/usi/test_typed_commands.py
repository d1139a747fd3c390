"""What helps people who type USI themselves."""
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tests.usi.conftest import ENGINE, PATIENCE_S, Client
from usi.cli import main


def test_help_is_said_in_remarks(engine: Client) -> None:
    engine.send("help")
    lines = engine.settle()
    assert lines
    assert all(line.startswith("info string ") for line in lines)
    assert "go movetime 1000" in lines[0]


def test_bench_inside_usi_searches_what_the_command_does(engine: Client) -> None:
    engine.send("bench 2")
    lines = engine.raw_until("Nodes searched: ")
    printed = CliRunner().invoke(main, ["bench", "--depth", "2", "--hash", "16"]).output
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


def test_what_command_may_have_been_meant() -> None:
    done = CliRunner().invoke(main, ["anaylze", "game.kif"])
    assert done.exit_code == 2
    assert "No such command 'anaylze'; did you mean 'analyze'?" in done.output
    assert "mean" not in CliRunner().invoke(main, ["xyzzy"]).output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudoterminal")
def test_a_terminal_is_told_what_this_is() -> None:
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(ENGINE, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, b"quit\n")
        process.wait(PATIENCE_S)
        said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "speaks USI" in said or "USI で GUI" in said
    assert "engine play" in said
    piped = subprocess.run(ENGINE, input="quit\n", capture_output=True, text=True, check=True)
    assert piped.stdout + piped.stderr == ""
