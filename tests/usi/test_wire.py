"""What goes out is whole ASCII lines; what went through is in the log."""
import io
import re
import threading
from pathlib import Path

import pytest

from usi.wire import Wire


def test_output_is_ascii_and_one_line_each() -> None:
    sink = io.StringIO()
    Wire(io.StringIO(), sink).info_string("先手\nusiok")
    assert sink.getvalue() == "info string \\u5148\\u624b usiok\n"


def test_remark_on_a_monster_keeps_its_ends() -> None:
    sink = io.StringIO()
    Wire(io.StringIO(), sink).info_string("first" + "x" * 1_000_000 + "last")
    assert len(sink.getvalue()) < 3000
    assert re.fullmatch("info string firstx+ ... x+last\n", sink.getvalue())


def test_input_is_stripped_of_its_line_ends() -> None:
    assert list(Wire(io.StringIO("usi\r\n\n  go depth 1\t\n"), io.StringIO()).lines()) == ["usi", "", "go depth 1"]


def test_an_interrupt_lets_the_command_at_hand_finish() -> None:
    wire = Wire(io.StringIO("isready\ngo\n"), io.StringIO())
    obeyed = []
    for line in wire.lines():
        wire.interrupt()
        obeyed.append(line)
    assert obeyed == ["isready"]


def test_lines_of_two_threads_do_not_mix() -> None:
    sink = io.StringIO()
    wire = Wire(io.StringIO(), sink)

    def talk(name: int) -> None:
        for _ in range(500):
            wire.send(f"{name}a", f"{name}b")

    threads = [threading.Thread(target=talk, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = sink.getvalue().splitlines()
    assert len(lines) == 4000
    assert all(second == first[0] + "b" for first, second in zip(lines[::2], lines[1::2], strict=True))


def logged(path: Path) -> list[str]:
    """The lines of a log without the time in front."""
    return [re.sub(r"^ *\d+\.\d{3} ", "", line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_log_holds_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "a 棋譜.log"
    wire = Wire(io.StringIO("usi\nquit\n"), io.StringIO())
    wire.log_to(str(path))
    assert list(wire.lines()) == ["usi", "quit"]
    wire.send("usiok")
    wire.log_to("")
    wire.send("unheard")
    assert logged(path) == ["< usi", "< quit", "> usiok"]


def test_log_that_cannot_be_opened_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=str(tmp_path / "missing" / "log")):
        Wire(io.StringIO(), io.StringIO()).log_to("missing/log")


def test_log_that_cannot_be_opened_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "log"
    wire = Wire(io.StringIO(), io.StringIO())
    wire.log_to(str(path))
    with pytest.raises(OSError, match="missing"):
        wire.log_to(str(tmp_path / "missing" / "log"))
    wire.send("readyok")
    wire.log_to("")
    assert logged(path) == ["> readyok"]
