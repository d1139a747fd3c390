"""Engines that are threads of this process, behind pipes as real ones are: a client sees no difference, and a test does
not wait for an interpreter to start."""
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any, TextIO

from usi.client.groups import GROUPS

# An engine: its input, output and errors, and what it sleeps by. It returns the exit status.
Work = Callable[[TextIO, TextIO, TextIO, Callable[[float], object]], int]


class EngineThread:
    """The part of subprocess.Popen that a client uses."""

    def __init__(self, work: Work) -> None:
        (given, to), (out, said), (err, complained) = (os.pipe() for _ in range(3))
        self.stdin = os.fdopen(to, "wb", buffering=0)
        self.stdout = os.fdopen(out, "rb", buffering=0)
        self.stderr = os.fdopen(err, "rb", buffering=0)
        self.returncode: int | None = None
        self._ended = Event()
        own = [os.fdopen(end, mode, encoding="utf-8") for end, mode in ((given, "r"), (said, "w"), (complained, "w"))]
        Thread(target=self._run, args=(work, own), daemon=True).start()

    def _run(self, work: Work, files: Sequence[TextIO]) -> None:
        status = 1
        given, said, complained = files
        try:
            with given, said, complained:
                status = work(given, said, complained, self._ended.wait)
        finally:
            self._end(status)

    def _end(self, status: int) -> None:
        if self.returncode is None:
            self.returncode = status
        self._ended.set()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("a thread", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        """Close the input. The engine counts as ended at once; its thread ends when it next reads or sleeps."""
        self._end(-signal.SIGKILL)


class EngineThreads:
    """In place of usi.client.GROUPS: threads for those commands that `find` knows, and processes for all others."""

    def __init__(self, find: Callable[[Sequence[str]], Work | None]) -> None:
        self._find = find

    def start(self, command: Sequence[str], **popen: Any) -> "EngineThread | subprocess.Popen[bytes]":
        work = self._find(command)
        return EngineThread(work) if work else GROUPS.start(command, **popen)

    def kill(self, process: "EngineThread | subprocess.Popen[bytes]") -> None:
        if isinstance(process, EngineThread):
            process.kill()
        else:
            GROUPS.kill(process)
