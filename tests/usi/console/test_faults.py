"""The ends of commands when something outside goes wrong: Ctrl-C, a closed or full output, files, positions."""
import _thread
import io
import re
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest

import usi.commands.bench.command
import usi.commands.explain.command
import usi.commands.ttstats.command
from engine import Position
from search import Limits, Searcher
from search.bench import Measurement, measure
from tests.each import each
from tests.faults import refused
from tests.processes import SECONDS
from tests.usi.commands.running import invoke
from tests.usi.commands.test_cli import commands
from tests.usi.conftest import ENGINE
from usi.cli import main
from usi.console.terminal import in_background
from usi.words.reasons import reason

FULL = Path("/dev/full")
LONG = 5_000_000        # nodes that take many seconds

QUICK = "--eval-file material"
# Every command, with what it needs to print something, and its status without standard input and output.
FOR_CLOSED_STREAMS = {
    ("analyze",): (f"game.usi --nodes 1 {QUICK}", 0), ("bench",): (f"--depth 1 --hash 1 {QUICK}", 0),
    ("book", "build"): ("game.usi --out new.db", 0), ("book", "merge"): ("small.db --out new.db", 0),
    ("book", "show"): ("small.db", 0), ("book", "think"): (f"--out new.db --positions 1 --nodes 9 {QUICK}", 0),
    ("book", "tree"): ("small.db", 0), ("completion",): ("bash", 0), ("convert",): ("- new.csa", 1),
    ("diagram",): ("startpos --out new.svg", 0), ("doctor",): (QUICK, 0), ("eval",): (QUICK, 0),
    ("foldstats",): ("", 0), ("mate",): ("-", 1), ("perft",): ("1", 0), ("play",): (f"--nodes 1 {QUICK}", 0),
    ("serve",): ("small.db --no-browser", 1),
    ("ttstats",): (f"--depth 1 {QUICK}", 0), ("usi",): ("", 1),
}


def ended(*arguments: str, status: int) -> str:
    return invoke(*arguments, status=status).output


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("module", "name", "command"), [
    (usi.commands.bench.command, "in_background", ("perft", "1")),
    (usi.commands.ttstats.command, "in_background", ("ttstats", "--eval-file", "material")),
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


def test_work_that_ignores_signals_is_left_running() -> None:
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
    with refused(name="depth", number=-1, least=0):
        in_background(lambda: Position().perft(-1))


# -- Standard output ---------------------------------------------------------------------------------------------------

def test_a_closed_output_is_not_reported_as_a_fault_of_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("hears", [True, False])
@pytest.mark.parametrize("path", [path for path, command in commands() if not isinstance(command, click.Group)])
def test_closed_streams_end_no_command_with_a_traceback(path: tuple[str, ...], hears: bool, tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed input reads as empty, and output goes nowhere. Standard error, if open, gets one line at most."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.usi").write_text("startpos moves 7g7f")
    invoke("book", "build", "game.usi", "--out", "small.db")
    errors = io.StringIO()
    for name, stream in (("stdin", None), ("stdout", None), ("stderr", errors if hears else None)):
        for variable in (f"sys.{name}", f"sys.__{name}__"):
            monkeypatch.setattr(variable, stream)
    given, status = FOR_CLOSED_STREAMS[path]
    with pytest.raises(SystemExit) as ended:
        main([*path, *given.split()])
    for opened in {sys.stdin, sys.stdout, sys.stderr} - {errors}:
        opened.close()
    assert (ended.value.code, len(errors.getvalue().splitlines())) == (status, int(hears and status == 1))


def test_no_file_takes_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    (tmp_path / "game.usi").write_text("startpos moves 7g7f")
    command = f"{shlex.join(ENGINE)} convert game.usi new.kifu <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, timeout=SECONDS).returncode == 0
    assert "７六歩(77)" in (tmp_path / "new.kifu").read_text(encoding="utf-8")


# -- Files and positions -----------------------------------------------------------------------------------------------

def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for arguments in (["analyze"], ["book", "show"], ["eval", "--eval-file"]):
        assert ended(*arguments, "nofile.kif", status=1) == (
            "Error: 'nofile.kif': there is no such file or folder; look at the name\n")
    assert ended("mate", str(tmp_path), status=1) == f"Error: '{tmp_path}': this is a folder; name a file\n"
    assert ended("analyze", str(tmp_path), status=1) == f"Error: there is no game to analyse in {tmp_path}\n"
    (tmp_path / "x").write_bytes(b"")
    assert "this is a file where a folder is needed" in ended("play", "--save", str(tmp_path / "x" / "a.kif"), status=1)


@each("command", ["mate --nodes 9", f"eval {QUICK}", "diagram --out new.svg", "book show packaged"])
def test_a_position_after_many_moves_is_no_name_of_a_file(command: str, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    position = "startpos moves" + " 4i4h 4a4b 4h4i 4b4a" * 25
    assert "too long" not in ended(*command.split(), position, status=3 if command.startswith("mate") else 0)


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
    assert str(reason(PermissionError(13, "Permission denied", "a"))) == (
        "'a': you may not open this; look at its permissions, or name another")
    assert str(reason(OSError(28, "No space left on device"))) == "No space left on device"
    assert str(reason(OSError(28, "No space left on device", "a"))) == (
        "'a': there is no room left on the disk; free some space, or name a file elsewhere")
    assert str(reason(ValueError("just so"))) == "just so"
    assert str(reason(MemoryError())).startswith("there is not enough memory")
