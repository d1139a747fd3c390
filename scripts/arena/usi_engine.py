"""A USI engine as a process: started, talked to, and put an end to, whatever it does."""
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from typing import IO, NamedTuple

from engine import MATE, MATE_IN_MAX_PLY
from usi.groups import GROUPS

HEEDED = frozenset({"id", "option", "usiok", "readyok", "bestmove"})    # `info` apart; all else is passed over
QUEUE_LINES = 10_000        # an engine that floods us loses what does not fit
LINE_BYTES = 1 << 20        # … and what of a line is longer
STDERR_TAIL = 5             # lines of it that are kept
QUIT_SECONDS = 2            # between `quit` and force
EXIT_SECONDS = 1            # for an engine that has closed its output to end


class EngineGone(Exception):
    """The engine has ended, or closed its output."""


class EngineSilent(Exception):
    """The engine did not say what it was waited for."""


class Line(NamedTuple):
    at: float           # time.monotonic() when it came
    text: str


class Thinking(NamedTuple):
    """What an engine last said of its search. The score is in centipawns for itself; from MATE_IN_MAX_PLY up a mate."""

    score: int | None = None
    depth: int | None = None
    nodes: int | None = None


def parse_score(kind: str, value: str) -> int | None:
    """`cp 35`, `mate 5`, `mate -` … as one number; None if it is none of these."""
    with suppress(ValueError):
        if kind == "cp":
            return max(1 - MATE_IN_MAX_PLY, min(int(value), MATE_IN_MAX_PLY - 1))
        if kind == "mate":
            plies = min(int(value.lstrip("+-") or MATE - MATE_IN_MAX_PLY), MATE - MATE_IN_MAX_PLY)
            return plies - MATE if value.startswith("-") or not plies else MATE - plies
    return None


def parse_info(line: str) -> Thinking:
    """Score, depth and nodes of an `info` line, each None where it does not stand there."""
    words = line.split()
    if "pv" in words:
        words = words[:words.index("pv")]

    def number(word: str) -> int | None:
        with suppress(ValueError, IndexError):
            return int(words[words.index(word) + 1])
        return None

    score = None
    with suppress(ValueError, IndexError):
        place = words.index("score")
        score = parse_score(words[place + 1], words[place + 2])
    return Thinking(score, number("depth"), number("nodes"))


def lines_of(source: IO[bytes]) -> Iterator[str]:
    """Lines to the end of a pipe, which is closed then."""
    rest = b""
    with source, suppress(OSError):
        while block := source.read(1 << 16):
            *lines, rest = (rest + block).split(b"\n")
            rest = rest[:LINE_BYTES]
            for line in lines:
                yield line[:LINE_BYTES].decode(errors="replace").strip()


class UsiEngine:
    """A running engine. Threads of ours read its output and write its input: it never waits for us however much it
    says, and we wait for it no longer than we want."""

    def __init__(self, command: Sequence[str], directory: str | None = None) -> None:
        """Start it; OSError if that cannot be done."""
        self._process = GROUPS.start(command, cwd=directory, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._lines: Queue[Line | None] = Queue(QUEUE_LINES)
        self._outgoing: SimpleQueue[tuple[bytes, Future[None]] | None] = SimpleQueue()
        self._stderr_tail: deque[str] = deque(maxlen=STDERR_TAIL)
        self._info: str | None = None
        self._threads = [threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
                         threading.Thread(target=self._drain, args=(self._process.stderr,), daemon=True),
                         threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True)]
        for thread in self._threads:
            thread.start()

    # -- Reading -------------------------------------------------------------------------------------------------------

    def _listen(self, stdout: IO[bytes]) -> None:
        for line in lines_of(stdout):
            self._hear(line)
        self._lines.put(None)

    def _drain(self, stderr: IO[bytes]) -> None:
        self._stderr_tail.extend(filter(None, lines_of(stderr)))

    def _hear(self, line: str) -> None:
        word = line.partition(" ")[0]
        if word in HEEDED:
            with suppress(Full):
                self._lines.put_nowait(Line(time.monotonic(), line))
        elif word == "info" and " score " in line and " string " not in line and self._is_best_line(line):
            self._info = line

    @staticmethod
    def _is_best_line(line: str) -> bool:
        _, multipv, rest = line.partition(" multipv ")
        return not multipv or rest.split()[:1] == ["1"]

    def wait_for(self, word: str, seconds: float) -> Line:
        """The next line that begins with `word`. EngineSilent, EngineGone."""
        *_, last = self.lines_to(word, seconds)
        return last

    def lines_to(self, word: str, seconds: float) -> list[Line]:
        """The lines up to the next that begins with `word`. EngineSilent, EngineGone."""
        deadline = time.monotonic() + seconds
        heard: list[Line] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                raise EngineSilent(f"no {word} within {seconds:.1f} s") from None
            if line is None:
                self._lines.put(None)       # it stays gone
                raise EngineGone(self._exit_reason())
            heard.append(line)
            if line.text.split()[0] == word:
                return heard

    def forget(self) -> None:
        """Drop what has been said and not waited for."""
        self._info = None
        with suppress(Empty):
            while self._lines.get_nowait():
                pass
            self._lines.put(None)

    @property
    def thinking(self) -> Thinking:
        """What was last said of the search since `forget`."""
        return parse_info(self._info) if self._info else Thinking()

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        self._threads[1].join(EXIT_SECONDS)
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"ended by {signal.Signals(-code).name}"
        else:
            how = f"ended with exit code {code}"
        return how + "".join(f"; stderr: {line}" for line in [" / ".join(self._stderr_tail)] if line)

    # -- Writing -------------------------------------------------------------------------------------------------------

    def send(self, line: str, seconds: float = 5) -> None:
        """Write a line. EngineSilent if the engine does not read, EngineGone."""
        taken: Future[None] = Future()
        self._outgoing.put((line.encode() + b"\n", taken))
        try:
            taken.result(seconds)
        except FutureTimeout:
            raise EngineSilent(f"input not read for {seconds:.0f} s") from None
        except OSError:
            raise EngineGone(self._exit_reason()) from None

    def _write(self, stdin: IO[bytes]) -> None:
        with stdin:
            while sent := self._outgoing.get():
                data, taken = sent
                try:
                    while data:
                        data = data[stdin.write(data):]
                    taken.set_result(None)
                except OSError as error:
                    taken.set_exception(error)

    # -- The end -------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ask it to quit, and see to it."""
        with suppress(EngineGone, EngineSilent):
            self.send("quit", 0.1)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End it, and what it started, at once."""
        GROUPS.kill(self._process)
        self._process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(1)      # a grandchild in a session of its own may hold the pipe open: it is not waited for
