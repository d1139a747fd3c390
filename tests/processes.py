"""Processes that a test starts and reads. They end with the test, and every wait for one is limited."""
import os
import select
import signal
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

import pytest

import engine

SECONDS = 600       # for what takes a few: the machine may be very busy

ROOT = Path(__file__).parents[1]
BUILD = Path(engine.__file__).parents[1]

# Processes find the build that is tested, and behind it `scripts`. They say where they were if they are aborted.
ENVIRONMENT = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONFAULTHANDLER": "1",
               "PYTHONPATH": os.pathsep.join([str(BUILD), *filter(None, [os.environ.get("PYTHONPATH")]), str(ROOT)])}

NEEDS_PROC = pytest.mark.skipif(not (Path("/proc/self/task").exists() and hasattr(os, "pidfd_open")),
                                reason="needs /proc to find child processes, and pidfds to see them end")
NO_TSAN = pytest.mark.skipif("libtsan" in os.environ.get("LD_PRELOAD", ""), reason=(
    "ThreadSanitizer takes memory and addresses of its own, and allows no new threads after a fork"))


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def workers_of(pid: int) -> list[int]:
    """The children that multiprocessing has spawned as workers."""
    return [child for child in children_of(pid) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_for_end(pids: Iterable[int]) -> None:
    """Wait until all of these processes have ended, whatever their parents."""
    for pid in pids:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(pid)
            ended = select.select([descriptor], [], [], SECONDS)[0]
            os.close(descriptor)
            assert ended, f"process {pid} runs on"


@contextmanager
def running(command: Sequence[str], seconds: float = SECONDS) -> "Iterator[subprocess.Popen[str]]":
    """Run the process during the block. At its end the process and its children have ended. After `seconds` they are
    aborted, and stderr shows where each of them hung."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
                               start_new_session=True)

    def end(number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    timer = Timer(seconds, end, [signal.SIGABRT])
    timer.start()
    with process:
        try:
            yield process
        finally:
            timer.cancel()
            end(signal.SIGKILL)


def until(process: "subprocess.Popen[str]", text: str) -> None:
    """Read its stderr up to the line that has this text."""
    assert process.stderr
    heard = []
    while text not in (line := process.stderr.readline()):
        heard.append(line)
        assert line, f"it ended, or was aborted after a long time, before it said {text!r}: {''.join(heard)}"


def finished(command: Sequence[str], status: int = 0) -> "subprocess.CompletedProcess[str]":
    """The command's output, after it has ended with this exit status."""
    with running(command) as process:
        stdout, stderr = process.communicate()
    assert process.returncode == status, stderr
    return subprocess.CompletedProcess(command, status, stdout, stderr)
