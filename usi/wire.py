"""The two ends of the pipe to the GUI, and the debug log of what went through it."""
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LONGEST_REMARK = 2000       # characters
KEEP_ALIVE_S = 4.0          # a GUI gives up on an engine that stays silent while it loads


class Wire:
    """Lines in from one thread, lines out from any: each goes out whole, in ASCII, and at once."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        self._start = time.monotonic()
        self._log: TextIO | None = None
        self._lock = threading.Lock()
        self._waiting = False           # for a line
        self._interrupted = False
        self.received_at = 0            # when the last line came in: time.monotonic_ns()

    def lines(self) -> Iterator[str]:
        """The commands until the input ends or `interrupt`, without the white space around them."""
        with suppress(KeyboardInterrupt):       # comes from `interrupt`, and only from within `_next`
            while line := self._next():
                command = line.strip()
                with self._lock:
                    self._note("<", command)
                yield command

    def _next(self) -> str:
        self._waiting = not self._interrupted
        line = self._source.readline() if self._waiting else ""
        self.received_at = time.monotonic_ns()
        self._waiting = False
        return line

    def interrupt(self, *_signal: object) -> None:
        """End the lines: at once if one is waited for, else once the last one has been obeyed. A signal's handler, for
        an exception out of nowhere could leave a command half obeyed and a lock held."""
        self._interrupted = True
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt

    def send(self, *lines: str) -> None:
        """Lines that belong together reach the GUI with none of another thread's between them."""
        with self._lock:
            for line in lines:
                self._put(line)
            self._sink.flush()

    def _put(self, line: str) -> None:
        text = " ".join(line.splitlines()).encode("ascii", "backslashreplace").decode("ascii")
        self._note(">", text)
        self._sink.write(text + "\n")

    def info_string(self, text: str) -> None:
        """A remark for the user, in the one form that no GUI takes for anything else. What quotes a monster of a line
        loses its middle."""
        if len(text) > LONGEST_REMARK:
            text = f"{text[:LONGEST_REMARK // 2]} ... {text[-LONGEST_REMARK // 2:]}"
        self.send(f"info string {text}")

    @contextmanager
    def keep_alive(self) -> Iterator[None]:
        """Blank lines go out while the block runs."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(KEEP_ALIVE_S):
                self.send("")

        pulse = threading.Thread(target=beat, daemon=True)
        pulse.start()
        try:
            yield
        finally:
            done.set()
            pulse.join()

    def log_to(self, path: str) -> None:
        """Add every line, in and out, to this file as well, with the seconds since the start; "" ends that.

        OSError if the file cannot be opened; the old one is kept then.
        """
        log: TextIO | None = None
        if path:
            # The whole path, so that an error tells where a relative one was looked for.
            log = open(Path(path).absolute(), "a", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
        with self._lock:
            if self._log:
                self._log.close()
            self._log = log

    def _note(self, direction: str, line: str) -> None:
        if not self._log:
            return
        try:
            print(f"{time.monotonic() - self._start:9.3f} {direction} {line}", file=self._log, flush=True)
        except OSError as error:
            log, self._log = self._log, None
            with suppress(OSError):     # it tries once more to write what is left
                log.close()
            self._put(f"info string DebugLogFile '{log.name}' is given up: {error}")
