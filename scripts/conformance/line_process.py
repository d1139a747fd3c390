"""A process whose three standard streams are pipes to us, and which never has to wait until we read."""
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any


class LineProcess:
    """A process from its start on. Threads of ours read its output: lines wait for `take`, stderr is kept."""

    def __init__(self, command: Sequence[str], **popen: Any) -> None:
        """`popen` are further arguments of subprocess.Popen; OSError if it cannot be started."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        **popen)
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: list[bytes] = []
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr
        self._errors.extend(self.process.stderr)

    def write(self, raw: bytes) -> None:
        """BrokenPipeError if it has closed its input."""
        assert self.process.stdin
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def take(self, seconds: float) -> bytes | None:
        """The next line of its output, as it came; None at the end. queue.Empty if none comes within `seconds`."""
        line = self._lines.get(timeout=seconds)
        if line is None:
            self._lines.put(None)       # it stays at its end
        return line

    def join(self, seconds: float) -> int:
        """Wait until it has ended, and all that it said can be taken; its exit status. subprocess.TimeoutExpired."""
        status = self.process.wait(seconds)
        for thread in self._threads:
            thread.join()
        return status

    def errors(self) -> bytes:
        """What came on stderr, all of it once the process has been joined."""
        return b"".join(self._errors)

    def close(self) -> None:
        """End it, if it has not ended, and close the pipes."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            with suppress(BrokenPipeError):
                pipe.close()
