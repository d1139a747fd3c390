"""The pipes of an engine: threads read its output and write its input, so neither side blocks the other."""
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from subprocess import Popen
from threading import Condition, Thread
from typing import IO, NamedTuple

QUEUE_LINES = 10_000        # most lines that are kept, the last ones
LINE_BYTES = 1 << 20        # most bytes of a line
STDERR_LINES = 1000         # most lines of stderr that are kept, the last ones


class RawLine(NamedTuple):
    at: float           # time.monotonic() when it came
    text: bytes         # with its line end, unless it was the last and has none


class EnginePipes:
    """The input and the output of an engine. Its threads do not know the client, so a client that nobody holds any more
    can be collected, which ends the engine."""

    def __init__(self, process: "Popen[bytes]", keeps_all: bool) -> None:
        """With `keeps_all`, no line is dropped, not even a last one that never ended."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stderr: deque[bytes] = deque(maxlen=STDERR_LINES)      # its last lines
        self.input_open = True
        self._keeps_all = keeps_all
        self._lines: deque[RawLine] = deque(maxlen=None if keeps_all else QUEUE_LINES)
        self._changed = Condition()
        self._output_ended = False
        self._outgoing: SimpleQueue[tuple[bytes, Future[None]] | None] = SimpleQueue()
        self._streams = (process.stdout, process.stderr, process.stdin)
        self._threads = [Thread(target=serve, args=(stream,), daemon=True) for serve, stream in
                         zip((self._listen, self._drain, self._write), self._streams, strict=True)]

    def open(self) -> None:
        """Start the threads. If the system has no room for them, closes everything and raises RuntimeError."""
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError:
            for thread, stream in zip(self._threads, self._streams, strict=True):
                if thread.ident is None:    # else it closes its stream itself
                    stream.close()
            raise

    def next_line(self, deadline: float) -> RawLine | None:
        """The next line that arrives before `deadline` (time.monotonic()), even if it is read later; None if none does.
        Raises EOFError at the end of the output."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._output_ended, max(0.0, deadline - time.monotonic()))
            if self._lines and self._lines[0].at <= deadline:   # an engine that floods us must not keep us for ever
                return self._lines.popleft()
            if self._output_ended and not self._lines:
                raise EOFError
            return None

    def forget(self) -> None:
        """Drop lines that were received but not read."""
        with self._changed:
            self._lines.clear()

    def write(self, data: bytes, seconds: float) -> None:
        """Write, and wait until the engine has read it. Raises concurrent.futures' TimeoutError after the timeout,
        OSError if the pipe is broken."""
        taken: Future[None] = Future()
        self._outgoing.put((data, taken))
        taken.result(seconds)

    def close_input(self) -> None:
        """Send the end of the input."""
        if self.input_open:
            self.input_open = False
            self._outgoing.put(None)

    def join_readers(self, seconds: float | None = None) -> None:
        """Wait until all of the output is read."""
        for thread in self._threads[:2]:
            thread.join(seconds)

    def join(self, seconds: float) -> None:
        """Wait for the threads to end, at most `seconds` each."""
        for thread in self._threads:
            thread.join(seconds)

    def _listen(self, stdout: IO[bytes]) -> None:
        for lines in _blocks(stdout):
            self._hear([line for line in lines if self._keeps_all or line.endswith(b"\n")])
        with self._changed:
            self._output_ended = True
            self._changed.notify_all()

    def _hear(self, lines: list[bytes]) -> None:
        now = time.monotonic()
        with self._changed:
            self._lines.extend(RawLine(now, line) for line in lines)
            self._changed.notify_all()

    def _drain(self, stderr: IO[bytes]) -> None:
        for lines in _blocks(stderr):
            self.stderr.extend(line.removesuffix(b"\n") for line in lines)

    def _write(self, stdin: IO[bytes]) -> None:
        with suppress(OSError), stdin:
            while sent := self._outgoing.get():
                data, taken = sent
                try:
                    while data:
                        data = data[stdin.write(data):]
                    taken.set_result(None)
                except OSError as error:
                    taken.set_exception(error)


def _blocks(stream: IO[bytes]) -> Iterator[list[bytes]]:
    """The lines of a stream that end in the same block of bytes; at last, alone, one that never ended."""
    rest = b""
    with stream, suppress(OSError):
        while block := stream.read(1 << 16):
            *lines, rest = (rest + block).split(b"\n")
            rest = rest[:LINE_BYTES]
            yield [line[:LINE_BYTES] + b"\n" for line in lines]
    if rest:
        yield [rest]
