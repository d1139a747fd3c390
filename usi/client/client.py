"""A client of USI engines: starts one as a process, talks to it, and puts an end to it, whatever it does.

    with UsiClient(["engine"]) as client:
        client.usi()
        client.set_option("USI_Hash", "64")
        client.isready()
        client.set_position(Position.from_usi("startpos moves 7g7f"))
        print(client.go("byoyomi 1000").move)
"""
import errno
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Thread
from typing import IO, NamedTuple

from engine.board import Position
from engine.errors import UserError
from engine.sfen import NULL_MOVE
from usi.client.groups import GROUPS
from usi.client.replies import FORMS, EngineOption, LastInfo, parse_info, parse_option, parse_reply, tells_of_line

START_SECONDS = 60.0        # for `usiok` and `readyok`
QUEUE_LINES = 10_000        # of an engine that floods us the last ones are kept
LINE_BYTES = 1 << 20        # … and of a line so much
MOST_LINES = 593            # of play that one shows: no position has more moves
STDERR_LINES = 1000         # that are kept, the last ones
STDERR_SHOWN = 5            # of these, in a message
STOP_SECONDS = 10.0         # for what a search came to, after `stop`
QUIT_SECONDS = 2            # between `quit` and force
EXIT_SECONDS = 1            # for an engine that has closed its output to end


class UsiFault(UserError):
    """An engine does not do what USI asks of it."""


class EngineGone(UsiFault):
    """It has ended, or closed its output."""


class EngineSilent(UsiFault):
    """The engine did not answer in time, or does not read."""


class ProtocolError(UsiFault):
    """It said something that has no form in USI: in strict mode anything, else an answer without a move."""


def signal_name(number: int) -> str:
    """Real-time signals have a number only.

    >>> signal_name(9)
    'SIGKILL'
    """
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


class Line(NamedTuple):
    at: float           # time.monotonic() when it came
    text: str


NOTHING = LastInfo()


@dataclass(frozen=True)
class Answer:
    """The answer to a `go`, and the last reports before it."""

    move: str                           # or a word: `resign`, `win`; after `go mate`: `nomate`, `timeout`, …
    ponder: str | None = None           # the answer expected to the move
    info: LastInfo = NOTHING            # the last line about the best move
    pv: tuple[str, ...] = ()            # the best line as far as it was shown, or the mate found
    lines: tuple[LastInfo, ...] = ()    # the last one of each place, the best first; several by MultiPV
    mate: int | None = None             # plies to the mate, negative when the engine is mated
    at: float = field(default=0.0, compare=False)       # time.monotonic() when it came

    @property
    def score(self) -> int | None:
        return self.info.score

    @property
    def depth(self) -> int | None:
        return self.info.depth

    @property
    def nodes(self) -> int | None:
        return self.info.nodes

    @property
    def time_ms(self) -> int | None:
        """The time that the engine reported."""
        return self.info.time_ms

    @property
    def nps(self) -> int | None:
        return self.info.nps


class UsiClient:
    """An engine's process. Threads of ours read its output and write its input: it never waits for us however much it
    says, and we wait for it no longer than we want. As a context manager, it is closed at the end.

    Every method that waits raises EngineSilent after some seconds, and EngineGone if the engine has ended.
    """

    def __init__(self, command: Sequence[str | Path], *, cwd: str | Path | None = None,
                 env: Mapping[str, str] | None = None, encoding: str = "utf-8", strict: bool = False) -> None:
        """Start the engine. Raises OSError if it cannot be started, TypeError for a command that is no list.

        encoding: of the input, and of the output unless `strict`.
        strict: every line must be complete, in ASCII and of one of USI's forms. Reading any other raises ProtocolError,
            and no line is skipped.
        """
        if isinstance(command, str):
            raise TypeError(f"command={command!r}: give a list of words, as [{command!r}]")
        self.process = GROUPS.start([str(word) for word in command], cwd=cwd, env=env, bufsize=0,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.strict = strict
        self.name = ""                              # its own, once `usi` has asked
        self.options: dict[str, EngineOption] = {}  # … and its options, by their names in small letters
        self._encoding = encoding
        self._lines: deque[tuple[float, bytes]] = deque(maxlen=None if strict else QUEUE_LINES)
        self._changed = Condition()
        self._output_ended = False
        self._input_open = True
        self._outgoing: SimpleQueue[tuple[bytes, Future[None]] | None] = SimpleQueue()
        self._stderr: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._lines_shown: dict[int, str] = {}      # the last `info` line of each place, since `forget`
        self._threads = [Thread(target=self._listen, args=(self.process.stdout,), daemon=True),
                         Thread(target=self._drain, args=(self.process.stderr,), daemon=True),
                         Thread(target=self._write, args=(self.process.stdin,), daemon=True)]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError:
            GROUPS.kill(self.process)
            streams = (self.process.stdout, self.process.stderr, self.process.stdin)
            for thread, stream in zip(self._threads, streams, strict=True):
                if thread.ident is None:    # else it closes its stream itself
                    stream.close()
            raise OSError(errno.EAGAIN, "there is no room for the threads that talk to it") from None

    def __enter__(self) -> "UsiClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- The conversation ----------------------------------------------------------------------------------------------

    def usi(self, seconds: float = START_SECONDS) -> None:
        """Greet it, and learn its name and its options."""
        self.send("usi")
        for line in self.lines_to("usiok", seconds):
            if line.text.startswith("id name "):
                self.name = line.text.removeprefix("id name ")
            elif option := parse_option(line.text):
                self.options[option.name.lower()] = option

    def set_option(self, name: str, value: str | int = "") -> None:
        """Set an option, a button by no value; after `usi`. UserError if the engine has none of that name."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name.lower() not in self.options:
            known = ", ".join(option.name for option in self.options.values())
            raise UserError(f"no option {name!r}; it has {known or 'none'}")
        self.send(f"setoption name {self.options[name.lower()].name}" + f" value {text}" * bool(text))

    def isready(self, seconds: float = START_SECONDS) -> None:
        self.send("isready")
        self.lines_to("readyok", seconds)

    def set_position(self, position: Position) -> None:
        """Send a position, with the moves that led to it. UserError if a turn was passed on the way, which USI has no
        word for."""
        if NULL_MOVE in position.moves:
            raise UserError(f"USI has no null move; send the position alone: Position({position.sfen!r})")
        moves = " ".join(["", "moves", *position.moves] if position.moves else [])
        self.send(f"position sfen {position.initial_sfen}{moves}")

    def go(self, limits: str = "", seconds: float = 3600) -> Answer:
        """Search the position that was sent last. limits: what follows `go`, as in `byoyomi 1000` or `mate 5000`.

        An engine that does not answer in time is stopped before EngineSilent is raised; if it still owes its answer
        after STOP_SECONDS, it is killed.
        """
        self.begin(limits)
        try:
            return self.answer(seconds)
        except EngineSilent:
            try:
                self.stop()
            except UsiFault:
                self.kill()
            raise

    def begin(self, limits: str = "") -> None:
        """Send `go` alone; `answer` has to follow."""
        self.forget()
        self.send(f"go {limits}".rstrip())

    def answer(self, seconds: float) -> Answer:
        """Wait for the answer to the last `go`. Raises ProtocolError if it names no move."""
        line = self.lines_to(("bestmove", "checkmate"), seconds)[-1]
        try:
            reply = parse_reply(line.text)
        except UserError as fault:
            raise ProtocolError(str(fault)) from None
        lines = tuple(parse_info(shown) for _, shown in sorted(self._lines_shown.items()))
        best = self.info
        mate = len(reply.mate) if reply.mate else best.mate
        return Answer(reply.move, reply.ponder, best, reply.mate or best.pv, lines, mate, line.at)

    def stop(self, seconds: float = STOP_SECONDS) -> Answer:
        """End the search, and wait for its answer."""
        self.send("stop")
        return self.answer(seconds)

    @property
    def info(self) -> LastInfo:
        """The last report since `forget`; with several lines, the last one about the best line."""
        return parse_info(self._lines_shown.get(1, ""))

    # -- Reading -------------------------------------------------------------------------------------------------------

    def wait_for(self, word: str, seconds: float) -> Line:
        """The next line that begins with `word`."""
        *_, last = self.lines_to(word, seconds)
        return last

    def lines_to(self, word: str | tuple[str, ...], seconds: float) -> list[Line]:
        """The lines up to the next that begins with `word`, or one of these."""
        words = (word,) if isinstance(word, str) else word
        deadline = time.monotonic() + seconds
        heard: list[Line] = []
        while not heard or not heard[-1].text.startswith(words) or heard[-1].text.split()[0] not in words:
            try:
                heard.append(self._next(deadline))
            except EngineSilent:
                raise EngineSilent(f"no {' or '.join(words)} within {seconds:.1f} s") from None
        return heard

    def line(self, seconds: float) -> Line:
        """The next line, if it comes within this many seconds."""
        return self._next(time.monotonic() + seconds)

    def forget(self) -> None:
        """Drop lines that were received and not waited for."""
        self._lines_shown.clear()
        with self._changed:
            self._lines.clear()

    def _next(self, deadline: float) -> Line:
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._output_ended, max(0.0, deadline - time.monotonic()))
            if self._lines and self._lines[0][0] <= deadline:   # one that floods us is not heard for ever
                at, raw = self._lines.popleft()
            elif self._output_ended and not self._lines:
                raise EngineGone(self._exit_reason())
            else:
                raise EngineSilent("no line came in time")
        text = self._strictly(raw) if self.strict else raw.decode(self._encoding, "replace").strip()
        if tells_of_line(text) and (place := parse_info(text).multipv) <= MOST_LINES:
            self._lines_shown[place] = text
        return Line(at, text)

    def _strictly(self, raw: bytes) -> str:
        if not raw.isascii() or not raw.endswith(b"\n"):
            raise ProtocolError(f"{raw!r} is no whole line of ASCII")
        text = raw[:-1].decode("ascii")
        self.check_form(text)
        return text

    def check_form(self, text: str) -> None:
        """ProtocolError unless the line has one of USI's forms. For engines that may say more, or less, override it."""
        if not FORMS.fullmatch(text):
            raise ProtocolError(f"{text!r} has no form that USI knows")

    def _listen(self, stdout: IO[bytes]) -> None:
        rest = b""
        with stdout, suppress(OSError):
            while block := stdout.read(1 << 16):
                *lines, rest = (rest + block).split(b"\n")
                rest = rest[:LINE_BYTES]
                self._hear([line[:LINE_BYTES] + b"\n" for line in lines])
        if rest and self.strict:
            self._hear([rest])
        with self._changed:
            self._output_ended = True
            self._changed.notify_all()

    def _hear(self, lines: list[bytes]) -> None:
        now = time.monotonic()
        with self._changed:
            self._lines.extend((now, line) for line in lines)
            self._changed.notify_all()

    def _drain(self, stderr: IO[bytes]) -> None:
        rest = b""
        with stderr, suppress(OSError):
            while block := stderr.read(1 << 16):
                *lines, rest = (rest + block).split(b"\n")
                rest = rest[:LINE_BYTES]
                self._stderr.extend(lines)
        if rest:
            self._stderr.append(rest)

    # -- Writing -------------------------------------------------------------------------------------------------------

    def send(self, *lines: str, end: str = "\n", seconds: float = 5) -> None:
        """Write lines, all at once."""
        self.write("".join(line + end for line in lines).encode(self._encoding, "surrogateescape"), seconds)

    def write(self, data: bytes, seconds: float = 5) -> None:
        """Write bytes as they are."""
        if not self._input_open:
            raise EngineGone("its input was closed")
        taken: Future[None] = Future()
        self._outgoing.put((data, taken))
        try:
            taken.result(seconds)
        except FutureTimeout:
            raise EngineSilent(f"input not read for {seconds:.0f} s") from None
        except OSError:
            raise EngineGone(self._exit_reason()) from None

    def close_input(self) -> None:
        """Send it the end of its input."""
        if self._input_open:
            self._input_open = False
            self._outgoing.put(None)

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

    # -- The end -------------------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether it has not ended, and can be sent something."""
        return self._input_open and self.process.poll() is None

    @property
    def stderr(self) -> str:
        """The last lines of the engine's stderr; all of them once `wait` has returned."""
        return b"\n".join(self._stderr).decode(self._encoding, "replace")

    def wait(self, seconds: float) -> int:
        """Wait for its end; its exit status. All that it has said can be read then."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineSilent(f"still running after {seconds:.0f} s") from None
        for thread in self._threads[:2]:
            thread.join()
        return status

    def close(self) -> None:
        """Ask it to quit, and see to it."""
        with suppress(EngineGone, EngineSilent):
            self.send("quit", seconds=0.1)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the engine, and what it started, at once."""
        GROUPS.kill(self.process)
        self.process.wait()
        self.close_input()
        for thread in self._threads:
            thread.join(1)      # a grandchild in a session of its own may hold the pipe open: it is not waited for

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_SECONDS)
        self._threads[1].join(EXIT_SECONDS)
        code = self.process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"ended by {signal_name(-code)}"
        else:
            how = f"ended with exit code {code}"
        said = [line.strip().decode(self._encoding, "replace") for line in self._stderr if line.strip()]
        return how + f"; stderr: {' / '.join(said[-STDERR_SHOWN:])}" * bool(said)
