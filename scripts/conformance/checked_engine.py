"""A conversation with an engine over pipes, in which all that it says is held against the model of the protocol."""
import queue
import signal
import subprocess
import time
from collections.abc import Callable

from scripts.conformance.line_process import LineProcess
from scripts.conformance.protocol_model import ProtocolModel, Violation

TIMEOUT_S = 60.0


class CheckedEngine(LineProcess):
    """One engine process, the model of it, and the transcript."""

    def __init__(self, command: list[str], folder: str) -> None:
        super().__init__(command, cwd=folder)
        self.model = ProtocolModel()
        self.transcript: list[str] = []

    def send(self, raw: bytes, cut: int = 0) -> None:
        """Send whole lines, in two pieces if `cut` says where."""
        self.hear()
        self.transcript.append(f"< {raw!r}")
        self.model.sent(raw)
        try:
            for piece in filter(None, (raw[:cut], raw[cut:])):
                self.write(piece)
                if piece != raw:
                    time.sleep(0.005)
        except BrokenPipeError:
            raise Violation("the engine has closed its input") from None

    def hear(self, seconds: float = 0.0) -> bool:
        """Judge what has come, and wait so long for a first line. False at the end of the output."""
        while True:
            try:
                raw = self.take(seconds)
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
        self._hear_until(lambda: self.model.settled)
        self.hear(0.01)

    def answer(self) -> str:
        """Wait for the answer to the last `go`."""
        self._hear_until(lambda: not self.model.searches)
        return self.model.last_answer

    def _hear_until(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not done():
            if not self.hear(1.0):
                raise Violation("the engine has gone")
            if time.monotonic() > deadline:
                raise Violation(f"silent, and owes {self.model.owed}, {list(self.model.replies)} and "
                                f"{len(self.model.searches)} answers")

    def end(self, how: str) -> None:
        """By `quit`, the end of the input or a signal; then it ends in time, in silence and with the right status."""
        assert self.process.stdin
        self.transcript.append(f"< ({how})")
        self.model.sent(b"quit\n")      # for the model all ends are one
        with_status = 0
        if how == "quit":
            self.write(b"quit\n")
        elif how == "end of input":
            self.process.stdin.close()
        else:
            self.process.send_signal(signal.Signals[how])
            with_status = 0 if how == "SIGINT" else -signal.Signals[how]
        try:
            status = self.join(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise Violation(f"lives on after {how}") from None
        while self.hear(0.01):
            pass
        if status != with_status:
            raise Violation(f"status {status} after {how}, not {with_status}")
        if self.errors():
            raise Violation(f"stderr: {self.errors()!r}")
