"""Processes that a test starts and listens to: they end with it, and no wait for one is without an end."""
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Timer

SECONDS = 600       # for what takes a few: the machine may be very busy

# Scripts find their siblings, also where `make debug` forbids it, and say where they were if they are aborted.
ENVIRONMENT = {**os.environ, "PYTHONSAFEPATH": "", "PYTHONFAULTHANDLER": "1"}


@contextmanager
def running(command: Sequence[str], seconds: float = SECONDS) -> "Iterator[subprocess.Popen[str]]":
    """The process for a block, after which it and all that it started have ended. After so many seconds they are
    aborted: who reads from them finds the end of it, and on stderr where each of them hung."""
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
    """What the command printed, once it has ended with this exit status."""
    with running(command) as process:
        stdout, stderr = process.communicate()
    assert process.returncode == status, stderr
    return subprocess.CompletedProcess(command, status, stdout, stderr)
