"""Input carries its time of arrival, output consists of whole ASCII lines, and the log has both."""
import io
import os
import re
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import pytest

from tests.each import each
from tests.faults import refused
from usi.session import wire
from usi.session.session import Session
from usi.session.wire import Wire, lines_of

PATIENCE_S = 60     # only a broken engine takes so long


@contextmanager
def in_a_thread(work: Callable[[], object]) -> Iterator[None]:
    """Run work in a thread during the block, and wait for it at the end."""
    thread = threading.Thread(target=work)
    thread.start()
    yield
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@contextmanager
def pipe_that_nobody_reads() -> Iterator[tuple[int, TextIO]]:
    """A pipe's read end, which the block closes, and its write end."""
    read, write = os.pipe()
    with open(write, "w", encoding="ascii") as sink:
        yield read, sink
        os.dup2(os.open(os.devnull, os.O_WRONLY), write)        # what is left in the buffer goes there


@each(("remark", "shown"), [
    ("先手\nusiok", r"\\u5148\\u624b usiok"),
    ("first" + "x" * 1_000_000 + "last", r"firstx{1,1400} ... x{1,1400}last")])
def test_a_remark_is_one_line_in_ascii_and_a_monster_keeps_its_ends(remark: str, shown: str) -> None:
    sink = io.StringIO()
    Wire(io.StringIO(), sink).info_string(remark)
    assert re.fullmatch(f"info string {shown}\n", sink.getvalue())


@each(("given", "lines"), [
    ("usi\r\n\n  go depth 1\t\n", ["usi", "", "go depth 1"]), ("\ufeffusi\n\ufeffquit\n", ["usi", "\ufeffquit"])])
def test_line_ends_and_the_byte_order_mark_of_a_file_are_no_part_of_a_command(given: str, lines: list[str]) -> None:
    assert list(Wire(io.StringIO(given), io.StringIO()).lines()) == lines


def test_an_interrupt_lets_the_command_at_hand_finish() -> None:
    pipe = Wire(io.StringIO("isready\ngo\n"), io.StringIO())
    obeyed = []
    for line in pipe.lines():
        pipe.interrupt()
        obeyed.append(line)
    assert obeyed == ["isready"]


def test_an_interrupt_ends_the_wait_for_a_line() -> None:
    reading, over = threading.Event(), threading.Event()

    def nothing() -> Iterator[str]:
        reading.set()
        over.wait(PATIENCE_S)
        yield "usi"

    quiet = Wire(nothing(), io.StringIO())
    obeyed: list[str] = []
    with in_a_thread(lambda: obeyed.extend(quiet.lines())):
        assert reading.wait(PATIENCE_S)
        quiet.interrupt()
    over.set()
    assert obeyed == []


@pytest.mark.parametrize("tells", [True, False])
def test_an_output_that_nobody_reads_ends_the_wait_for_a_line(tells: bool) -> None:
    """The session ends at once if the system reports the closed pipe, otherwise at the next output."""
    if tells and not hasattr(select, "poll"):
        pytest.skip("this system does not tell")
    source, typed = os.pipe()
    over = threading.Event()
    failures: list[BaseException] = []

    def lines(write: int) -> Iterator[str]:
        try:
            yield from lines_of(source, write if tells else None)
        finally:
            over.set()

    def obey(pipe: Wire) -> None:
        try:
            list(pipe.lines())
        except BrokenPipeError as failure:
            failures.append(failure)

    with open(source, "rb"), open(typed, "wb") as typing, pipe_that_nobody_reads() as (read, sink):
        pipe = Wire(lines(sink.fileno()), sink)
        with in_a_thread(lambda: obey(pipe)):
            os.close(read)
            if not tells:
                with pytest.raises(BrokenPipeError):
                    pipe.send("usiok")
        assert len(failures) == 1
        typing.close()
        assert over.wait(PATIENCE_S)        # the source may be closed only when nobody reads it any more


@pytest.mark.parametrize("chunk", [1, 2, 5, 1000])
def test_lines_however_they_are_cut(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(wire, "CHUNK", chunk)
    read, write = os.pipe()
    with open(read, "rb"), open(write, "wb") as end:
        end.write("isready\n\nsetoption name EvalFile value 将\n".encode() + b"\xff\r\nquit")
        end.close()
        assert list(lines_of(read)) == ["isready", "", "setoption name EvalFile value 将", "\udcff\r", "quit"]


def test_a_source_that_breaks_ends_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: list[object] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)

    def fail() -> Iterator[str]:
        yield "usi"
        raise OSError("the terminal is gone")

    assert list(Wire(fail(), io.StringIO()).lines()) == ["usi"]
    assert len(broken) == 1


def test_lines_of_two_threads_do_not_mix() -> None:
    sink = io.StringIO()
    pipe = Wire(io.StringIO(), sink)

    def talk(name: int) -> None:
        for _ in range(500):
            pipe.send(f"{name}a", f"{name}b")

    threads = [threading.Thread(target=talk, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = sink.getvalue().splitlines()
    assert len(lines) == 4000
    assert all(second == first[0] + "b" for first, second in zip(lines[::2], lines[1::2], strict=True))


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)


@pytest.mark.usefixtures("no_threads")
def test_without_memory_for_a_thread_a_long_command_has_no_sign_of_life() -> None:
    sink = io.StringIO()
    pipe = Wire(io.StringIO(), sink)
    with pipe.keep_alive():
        pipe.send("readyok")
    assert sink.getvalue() == "readyok\n"


@pytest.mark.usefixtures("no_threads")
def test_without_a_thread_nothing_is_read_and_that_is_said_in_words() -> None:
    sink = io.StringIO()
    pipe = Wire(io.StringIO("usi\n"), sink)
    with pytest.raises(MemoryError, match="no room for the thread that reads the commands"):
        Session(pipe).run()
    assert sink.getvalue().startswith("info string there is no room for the thread that reads the commands")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with refused(path=tmp_path / "pipe"):
        Wire(io.StringIO(), io.StringIO()).log_to(str(tmp_path / "pipe"))


@pytest.mark.parametrize("end", ["quit\n", "", "interrupt"])
def test_a_session_ends_even_if_nobody_reads_its_output(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipe is full, so output blocks for ever."""
    monkeypatch.setattr(wire, "UNREAD_S", 0.02)
    over, given_up = threading.Event(), threading.Event()

    def commands() -> Iterator[str]:
        yield "usi\n"
        over.wait(PATIENCE_S)
        if end != "interrupt":
            yield end
            return
        given_up.wait(PATIENCE_S)

    def abandon() -> None:
        given_up.set()
        os.close(read)                  # in place of the process's end

    def obey() -> None:
        with suppress(BrokenPipeError):
            for _ in pipe.lines():
                pipe.send("x" * 1_000_000)

    with pipe_that_nobody_reads() as (read, sink):
        pipe = Wire(commands(), sink, abandon)
        with in_a_thread(obey):
            while not pipe._writing_since:
                time.sleep(0.001)
            assert not given_up.wait(0.1), "nobody has asked for the end"
            over.set()
            if end == "interrupt":
                pipe.interrupt()
            assert given_up.wait(PATIENCE_S)
