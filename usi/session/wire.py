"""Input from and output to the GUI, and the debug log of both."""
import errno
import os
import queue
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from engine.errors import OutOfMemory, UserError
from search.threads import LONGEST_WAIT_S
from usi.files.writing import broken_pipes_alike
from usi.words.reasons import reason, shortage
from usi.words.visible import visible

CHUNK = 65536               # bytes, what a pipe holds
LONGEST_REMARK = 2000       # characters
KEEP_ALIVE_S = 4.0          # a GUI gives up on an engine that stays silent while it loads
UNREAD_S = 0.5              # the longest that lines may stay unread when the session is to end
BYTE_ORDER_MARK = "\ufeff"  # some editors and shells begin all text with it
KEEP_ALIVE = "info string still getting ready"


def lines_of(source: int, output: int | None = None) -> Iterator[str]:
    """The lines of the input, read without Python's buffers: Python cannot end while a thread waits in one.

    Raises BrokenPipeError as soon as nobody reads `output` any more, on systems that report it.
    """
    pieces: list[bytes] = []        # of a line that has not ended
    while data := _read(source, output):
        first, *others = data.split(b"\n")
        pieces.append(first)
        for begin in others:
            yield text_of(b"".join(pieces))
            pieces = [begin]
    if last := b"".join(pieces):
        yield text_of(last)


def _read(source: int, output: int | None) -> bytes:
    if output is not None and sys.platform != "win32" and hasattr(select, "poll"):
        poll = select.poll()
        poll.register(source, select.POLLIN)
        poll.register(output, 0)        # errors only, which poll always reports
        if output in dict(poll.poll()):
            raise BrokenPipeError(errno.EPIPE, "nobody reads the output")
    return os.read(source, CHUNK)


def text_of(line: bytes) -> str:
    """The text of a line from the GUI. File names in it must reach the file system: as the same bytes, where names are
    bytes; on Windows, where they are letters, decoded from UTF-8 or else from the system's code page (CP932 in
    Japan)."""
    if sys.platform == "win32":
        with suppress(UnicodeDecodeError):
            return line.decode("utf-8")
        return line.decode("mbcs", "replace")
    return line.decode("utf-8", "surrogateescape")


class Wire:
    """The connection to the GUI. One thread reads lines; any thread may send them, each whole, in ASCII, and at once.

    A GUI that does not read blocks the threads that send, so `quit`, the end of the input and `interrupt` might never
    be obeyed. Then `abandon` is called, which has to end the process; without it they wait.
    """

    def __init__(self, source: Iterable[str], sink: TextIO, abandon: Callable[[], object] | None = None) -> None:
        self._source = source
        self._sink = sink
        self._abandon = abandon
        self._writing_since: float | None = None    # when the sending of the present lines began
        self._watched = False           # a thread watches for unread lines
        self._start = time.monotonic()
        self._log: TextIO | None = None
        self._lock = threading.Lock()
        self._arrived: queue.SimpleQueue[tuple[str, int] | None] = queue.SimpleQueue()
        self._interrupted = False
        self._broken = False            # nobody reads our output any more
        self.failure: OSError | None = None     # of the output
        self.received_at = 0            # when the last line came in: time.perf_counter_ns()

    def lines(self) -> Iterator[str]:
        """The commands, stripped of white space, until the input ends or `interrupt` is called. Raises BrokenPipeError
        as soon as the output is closed. Raises MemoryError if the system has no thread for reading."""
        try:
            threading.Thread(target=self._read, daemon=True).start()
        except RuntimeError:
            raise OutOfMemory("there is no room for the thread that reads the commands") from None
        mark = BYTE_ORDER_MARK      # of the first line
        while (arrival := self._next()) and not self._interrupted:
            line, self.received_at = arrival
            command = line.removeprefix(mark).strip()
            mark = ""
            with self._lock:
                self._note("<", command)
            yield command
        if self._broken:
            raise BrokenPipeError(errno.EPIPE, "nobody reads the output")

    def _next(self) -> tuple[str, int] | None:
        while True:
            with suppress(queue.Empty):
                return self._arrived.get(timeout=LONGEST_WAIT_S)

    def _read(self) -> None:
        """Read lines in a thread of its own, so that each has the time of its arrival, even while another is being
        obeyed."""
        try:
            for line in self._source:
                self._arrived.put((line, time.perf_counter_ns()))
                if line.split(maxsplit=1)[:1] == ["quit"]:
                    self._watch()
        except BrokenPipeError:
            self._broken = True
        finally:
            self._arrived.put(None)
            self._watch()

    def interrupt(self, *_signal: object) -> None:
        """End `lines`: at once if it waits for input, else once the last line has been obeyed. A signal handler."""
        self._interrupted = True
        self._arrived.put(None)
        self._watch()

    def _watch(self) -> None:
        """Start a thread that calls `abandon` if lines stay unread for UNREAD_S."""
        if self._abandon and not self._watched:
            self._watched = True
            with suppress(RuntimeError):        # the system has no thread for it
                threading.Thread(target=self._give_up_when_unread, args=(self._abandon,), daemon=True).start()

    def _give_up_when_unread(self, abandon: Callable[[], object]) -> None:
        began = time.monotonic()
        while True:
            time.sleep(UNREAD_S / 10)
            since = self._writing_since
            if since is not None and time.monotonic() - max(since, began) > UNREAD_S:
                abandon()
                return

    def send(self, *lines: str) -> None:
        """Send lines that belong together; no other thread's lines come between them. Raises BrokenPipeError if there
        is no GUI any more, which also ends the lines that come in. Raises OSError if the output
        cannot be written. `failure` keeps either error."""
        try:
            with self._lock, broken_pipes_alike():
                self._writing_since = time.monotonic()
                try:
                    for line in lines:
                        self._put(line)
                    self._sink.flush()
                finally:
                    self._writing_since = None
        except OSError as fault:
            self.failure = fault
            if isinstance(fault, BrokenPipeError):
                self._broken = True
                self.interrupt()
            raise

    def _put(self, line: str) -> None:
        text = visible(" ".join(line.splitlines())).encode("ascii", "backslashreplace").decode("ascii")
        self._note(">", text)
        self._sink.write(text + "\n")

    def info_string(self, text: str) -> None:
        """Send a remark for the user as `info string`, which no GUI takes for anything else. Very long remarks lose
        their middle."""
        if len(text) > LONGEST_REMARK:
            text = f"{text[:LONGEST_REMARK // 2]} ... {text[-LONGEST_REMARK // 2:]}"
        self.send(f"info string {text}")

    def report(self, fault: Exception) -> None:
        """Report an exception that would otherwise end the session. Unless memory is short, its traceback goes to
        standard error and to the log."""
        if isinstance(fault, MemoryError):
            self.info_string(str(shortage(fault)))
            return
        lines = "".join(traceback.format_exception(fault)).splitlines()
        if sys.stderr:      # a closed one is None, and `print` would take that for standard output
            with suppress(OSError, ValueError):
                print(*lines, sep="\n", file=sys.stderr)
        with self._lock:
            for line in lines:
                self._note("!", line)
        self.info_string(f"an error in the engine, please report it: {type(fault).__name__}: {fault}")

    @contextmanager
    def keep_alive(self) -> Iterator[None]:
        """Send a line every few seconds while the block runs; none if memory is too short for another thread."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(KEEP_ALIVE_S):
                self.send(KEEP_ALIVE)

        pulse = threading.Thread(target=beat, daemon=True)
        with suppress(RuntimeError):
            pulse.start()
        try:
            yield
        finally:
            done.set()
            if pulse.is_alive():
                pulse.join()

    def log_to(self, path: str) -> None:
        """Log every line, in and out, to this file, with the seconds since the start; "" ends the log.

        Raises OSError if the file cannot be opened, UserError if it is a pipe; then the old log goes on.
        """
        log: TextIO | None = None
        if path:
            if Path(path).is_fifo():        # to open it, or to write to it, may take for ever
                raise UserError("DebugLogFile '{path}' is a pipe, and the engine would wait for its reader; name a "
                                "file", path=path)
            # The absolute path, so that an error shows where a relative one was looked for.
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
        except (OSError, ValueError) as error:
            log, self._log = self._log, None
            with suppress(OSError):     # closing tries to write the rest once more
                log.close()
            self._put(f"info string DebugLogFile '{log.name}' is given up: {reason(error)}")
