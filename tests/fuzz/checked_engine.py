"""A session with an engine over pipes, in which a model of the protocol checks every line of its output."""
import signal
import time
from collections.abc import Callable

from tests.fuzz.protocol_model import ProtocolModel, Violation
from usi.client import EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault

TIMEOUT_S = 60.0


class CheckedEngine(UsiClient):
    """One engine process, the model of it, and the transcript."""

    def __init__(self, command: list[str], folder: str) -> None:
        super().__init__(command, cwd=folder, strict=True)
        self.model = ProtocolModel()
        self.transcript: list[str] = []

    def tell(self, raw: bytes, cut: int = 0) -> None:
        """Send whole lines, in two pieces if `cut` is not 0."""
        self.hear()
        self.transcript.append(f"< {raw!r}")
        self.model.sent(raw)
        try:
            for piece in filter(None, (raw[:cut], raw[cut:])):
                self.write(piece)
                if piece != raw:
                    time.sleep(0.005)
        except UsiFault as fault:
            raise Violation(str(fault)) from None

    def hear(self, seconds: float = 0.0) -> bool:
        """Check the lines that have come, after waiting at most this long for a first one. False at the end of the
        output."""
        while True:
            try:
                line = self.line(seconds).text
            except EngineSilent:
                return True
            except EngineGone:
                return False
            except ProtocolError as error:
                raise Violation(str(error)) from None
            self.transcript.append(f"> {line!r}")
            self.model.received(line)
            seconds = 0.0

    def settle(self) -> None:
        """Send `stop` and `isready`, wait until no answer is owed, and a little longer for lines that should not
        come."""
        self.tell(b"stop\nisready\n")
        self._hear_until(lambda: self.model.settled)
        self.hear(0.01)

    def last_answer(self) -> str:
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
        """End it by `quit`, the end of the input or a signal. It must end in time, in silence and with the right
        status."""
        self.transcript.append(f"< ({how})")
        self.model.sent(b"quit\n")      # for the model all ends are one
        with_status = 0
        if how == "quit":
            self.write(b"quit\n")
        elif how == "end of input":
            self.close_input()
        else:
            self.process.send_signal(signal.Signals[how])
            with_status = 0 if how == "SIGINT" else -signal.Signals[how]
        try:
            status = self.wait(TIMEOUT_S)
        except EngineSilent:
            raise Violation(f"lives on after {how}") from None
        while self.hear(0.01):
            pass
        if status != with_status:
            raise Violation(f"status {status} after {how}, not {with_status}")
        if self.stderr:
            raise Violation(f"stderr: {self.stderr!r}")

    def check_form(self, text: str) -> None:
        """Do nothing: the model checks the form, because it knows what was asked."""
