"""A conversation with an engine over pipes, in which all that it says is held against the model of the protocol."""
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress

from usi_judge import Model, Violation

PATIENCE_S = 60.0


class Talk:
    """One engine process, the model of it, and the transcript."""

    def __init__(self, command: list[str], folder: str) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=folder)
        self.model = Model()
        self.transcript: list[str] = []
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

    def send(self, raw: bytes, cut: int = 0) -> None:
        """Send whole lines, in two pieces if `cut` says where."""
        self.hear()
        self.transcript.append(f"< {raw!r}")
        self.model.sent(raw)
        assert self.process.stdin
        try:
            for piece in filter(None, (raw[:cut], raw[cut:])):
                self.process.stdin.write(piece)
                self.process.stdin.flush()
                if piece != raw:
                    time.sleep(0.005)
        except BrokenPipeError:
            raise Violation("the engine has closed its input") from None

    def hear(self, seconds: float = 0.0) -> bool:
        """Judge what has come, and wait so long for a first line. False at the end of the output."""
        while True:
            try:
                raw = self._lines.get(timeout=seconds) if seconds else self._lines.get_nowait()
            except queue.Empty:
                return True
            if raw is None:
                return False
            self.transcript.append(f"> {raw!r}")
            if not raw.isascii() or not raw.endswith(b"\n"):
                raise Violation(f"{raw!r} is no line of ASCII")
            self.model.received(raw[:-1].decode("ascii"))
            seconds = 0.0

    def settle(self) -> None:
        """After `stop` and `isready`, until nothing is owed; a little longer, for what should not come."""
        self.send(b"stop\nisready\n")
        deadline = time.monotonic() + PATIENCE_S
        while not self.model.settled:
            if not self.hear(1.0):
                raise Violation("the engine has gone")
            if time.monotonic() > deadline:
                raise Violation(f"silent, and owes {self.model.owed} and {len(self.model.searches)} answers")
        self.hear(0.01)

    def answer(self) -> str:
        """Wait for the answer to the last `go`."""
        deadline = time.monotonic() + PATIENCE_S
        while self.model.searches:
            if not self.hear(1.0):
                raise Violation("the engine has gone")
            if time.monotonic() > deadline:
                raise Violation("no answer")
        return self.model.last_answer

    def end(self, how: str) -> None:
        """By `quit`, the end of the input or a signal; then it ends in time, in silence and with the right status."""
        assert self.process.stdin
        self.transcript.append(f"< ({how})")
        self.model.sent(b"quit\n")      # for the model all ends are one
        with_status = 0
        if how == "quit":
            self.process.stdin.write(b"quit\n")
            self.process.stdin.flush()
        elif how == "end of input":
            self.process.stdin.close()
        else:
            self.process.send_signal(signal.Signals[how])
            with_status = 0 if how == "SIGINT" else -signal.Signals[how]
        try:
            status = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Violation(f"lives on after {how}") from None
        for thread in self._threads:
            thread.join()
        while self.hear(0.01):
            pass
        if status != with_status:
            raise Violation(f"status {status} after {how}, not {with_status}")
        if self._errors:
            raise Violation(f"stderr: {b''.join(self._errors)!r}")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            with suppress(BrokenPipeError):
                pipe.close()

    @property
    def errors(self) -> bytes:
        return b"".join(self._errors)
