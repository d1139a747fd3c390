"""How commands end when something outside goes wrong: Ctrl-C, an output that takes nothing, files, positions."""
import _thread
import re
import shlex
import signal
import subprocess
import threading
from pathlib import Path

import pytest

import usi.commands.bench.command
import usi.commands.explain.command
import usi.commands.ttstats
from engine import Position
from search import Limits, Searcher
from search.bench import Measurement, measure
from tests.processes import SECONDS
from tests.usi.commands.running import invoke
from tests.usi.conftest import ENGINE
from usi.console.terminal import in_background
from usi.words.reasons import reason

FULL = Path("/dev/full")
LONG = 5_000_000        # nodes that take many seconds


def ended(*arguments: str, status: int) -> str:
    return invoke(*arguments, status=status).output


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("module", "name", "command"), [
    (usi.commands.bench.command, "in_background", ("perft", "1")),
    (usi.commands.ttstats, "in_background", ("ttstats", "--eval-file", "material")),
    (usi.commands.explain.command, "load_evaluator", ("eval", "--eval-file", "material")),
])
def test_a_command_that_ctrl_c_ends(module: object, name: str, command: tuple[str, ...],
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, name, interrupted)
    assert ended(*command, status=130).endswith("interrupted\n")


def test_bench_ends_in_the_midst_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Measurement] = []
    typist = threading.get_ident()      # a terminal interrupts this thread, and its wait

    def measure_and_interrupt(searcher: Searcher, sfen: str, limits: Limits, *_: object) -> Measurement:
        found.append(measure(searcher, sfen, limits, lambda _: signal.pthread_kill(typist, signal.SIGINT)))
        return found[-1]

    monkeypatch.setattr(usi.commands.bench.command, "measure", measure_and_interrupt)
    command = ("bench", "--nodes", str(LONG), "--hash", "1", "--eval-file", "material")
    assert ended(*command, status=130) == "interrupted\n"
    (only,) = found
    assert only.nodes < LONG


def test_what_hears_of_no_signal_is_left_alone() -> None:
    done = threading.Event()

    def work() -> None:
        _thread.interrupt_main()
        done.wait(SECONDS)

    with pytest.raises(KeyboardInterrupt):
        in_background(work)
    assert not done.is_set()
    done.set()


def test_what_is_done_in_the_background_is_handed_over() -> None:
    assert in_background(lambda: Position().perft(2)) == 900
    with pytest.raises(ValueError, match="depth=-1: 0 is the least"):
        in_background(lambda: Position().perft(-1))


# -- Standard output ---------------------------------------------------------------------------------------------------

def test_an_output_that_nobody_reads_any_more_is_no_fault_of_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("usi.commands.book.command.click.echo", unread)
    assert ended("book", "show", "packaged", status=1) == ""


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("commands", "output", "said"), [
    (["perft 1", "usi"], "> /dev/full", "Error: .*No space left on device.*\n"),
    (["bench --depth 1 --hash 1"], "| true", ""),       # who reads it has seen enough
    pytest.param(["bench --depth 1", "eval", "ttstats --depth 1", "--help", "doctor", "foldstats", "completion bash",
                  "book show packaged", "book show packaged startpos", "play", "analyze -"], "> /dev/full",
                 "Error: .*No space left on device.*\n", marks=pytest.mark.slow),
])
def test_an_output_that_takes_nothing(commands: list[str], output: str, said: str) -> None:
    for command in commands:
        done = subprocess.run(["/bin/bash", "-c", f"set -o pipefail; {shlex.join(ENGINE)} {command} {output}"],
                              input="usi\n" if command == "usi" else "7g7f\n", capture_output=True, text=True,
                              timeout=SECONDS)
        assert done.returncode == 1, command
        assert re.fullmatch(said, done.stderr), command


# -- Files and positions -----------------------------------------------------------------------------------------------

def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for arguments in (["analyze"], ["book", "show"], ["eval", "--eval-file"]):
        assert ended(*arguments, "nofile.kif", status=1) == (
            "Error: 'nofile.kif': there is no such file or folder; look at the name\n")
    assert ended("mate", str(tmp_path), status=1) == f"Error: '{tmp_path}': this is a folder; name a file\n"
    assert ended("analyze", str(tmp_path), status=1) == f"Error: there is no game to analyse in {tmp_path}\n"
    (tmp_path / "x").write_bytes(b"")
    assert "this is a file where a folder is needed" in ended("play", "--save", str(tmp_path / "x" / "a.kif"), status=1)


def test_every_message_names_the_file_and_says_what_is_wrong(tmp_path: Path) -> None:
    for name, data, words in (
        ("empty.kif", b"", "there is no record: the file is empty"),
        ("picture.kif", b"\xbd\xf1\xff\xfe\x80\x90" * 9, "this is no text in UTF-8"),
        ("broken.jkf", b'{"moves": [', "read as JKF in UTF-8: JKF is JSON, which this is not from line 1"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        for arguments in (["mate", str(path)], ["analyze", str(path)]):
            said = ended(*arguments, status=1)
            assert str(path) in said
            assert words in said
            assert said.isascii()
    (tmp_path / "empty.weights").write_bytes(b"")
    said = ended("eval", "--eval-file", str(tmp_path / "empty.weights"), status=1)
    assert f"'{tmp_path / 'empty.weights'}': no weights file: it is empty; copy it again" in said


def test_words_for_errors_of_the_system() -> None:
    assert reason(PermissionError(13, "Permission denied", "a")) == (
        "'a': you may not open this; look at its permissions, or name another")
    assert reason(OSError(28, "No space left on device")) == "No space left on device"
    assert reason(OSError(28, "No space left on device", "a")) == (
        "'a': there is no room left on the disk; free some space, or name a file elsewhere")
    assert reason(ValueError("just so")) == "just so"
    assert reason(MemoryError()).startswith("there is not enough memory")
