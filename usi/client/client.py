"""A client of USI engines: starts an engine as a process, talks to it, and ends it, whatever it does.

    with UsiClient(["engine"]) as client:
        client.usi()
        client.set_option("USI_Hash", "64")
        client.isready()
        client.set_position(Position.from_usi("startpos moves 7g7f"))
        print(client.go(Clock(byoyomi=1000)).bestmove)
"""
import errno
import os
import signal
import subprocess
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from engine.board import Position
from engine.errors import LONG_MAX, Listed, Phrase, UserError, of_type, quoted, whole
from engine.errors import text as require_text
from engine.sfen import NULL_MOVE
from search.limits import Clock, Limits, as_limits
from usi.client.groups import GROUPS, ProcessGroups
from usi.client.pipes import EnginePipes
from usi.client.replies import FORMS, EngineInfo, EngineOption, parse_info, parse_option, parse_reply, tells_of_line

START_SECONDS = 60.0        # for `usiok` and `readyok`
MOST_LINES = 593            # of play: no position has more moves
STDERR_SHOWN = 5            # lines of stderr, in a message
STOP_SECONDS = 10.0         # for the answer after `stop`
QUIT_SECONDS = 2            # between `quit` and force
EXIT_SECONDS = 1            # for an engine that has closed its output to end


class UsiFault(UserError):
    """An engine broke the protocol."""


class EngineGone(UsiFault):
    """The engine has ended, or closed its output."""


class EngineSilent(UsiFault):
    """The engine did not answer in time, or does not read."""


class ProtocolError(UsiFault):
    """The engine sent a line that has no form in USI. Outside strict mode only an answer without a move counts."""


def signal_name(number: int) -> str:
    """Real-time signals have a number only.

    >>> signal_name(9)
    'SIGKILL'
    """
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


class TimedLine(NamedTuple):
    at: float           # time.monotonic() when it came
    text: str


NOTHING = EngineInfo()
OnInfo = Callable[[EngineInfo], object]
GoLimits = Limits | Clock | str     # a str: the words behind `go`, as in "byoyomi 1000", "infinite" or "mate 5000"


@dataclass(frozen=True)
class Answer:
    """The answer to a `go`, and the last reports before it."""

    bestmove: str                       # or a word: `resign`, `win`; after `go mate`: `nomate`, `timeout`, …
    ponder: str | None = None           # the expected reply
    info: EngineInfo = NOTHING          # the last line about the best move
    pv: tuple[str, ...] = ()            # the best line as reported, or the mate found
    lines: tuple[EngineInfo, ...] = ()  # the last report of each line, the best first; several with MultiPV
    mate: int | None = None             # plies to the mate, negative when the engine is mated
    at: float = field(default=0.0, compare=False)       # time.monotonic() when it came

    @property
    def move(self) -> str:
        """The old name of `bestmove`."""
        warnings.warn("Answer.move is now Answer.bestmove", DeprecationWarning, stacklevel=2)
        return self.bestmove

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


def go_words(limits: GoLimits) -> str:
    """The words behind `go` for these limits. Raises TypeError for anything else, UserError for a text of several
    lines.

    >>> go_words(Limits(nodes=100)), go_words(Clock((60_000, 50_000), byoyomi=3000)), go_words("mate 5000")
    ('nodes 100', 'btime 60000 wtime 50000 byoyomi 3000', 'mate 5000')
    >>> go_words(Limits())
    'infinite'
    """
    if isinstance(limits, str):
        return _single_line("limits", limits)
    if not isinstance(limits, Limits | Clock):
        raise TypeError(f"limits={quoted(limits)}: give Limits, a Clock, or the words behind 'go' as a str, not "
                        f"{type(limits).__name__}")
    limits = as_limits(limits)
    words = []
    if clock := limits.clock:
        words.append("btime {} wtime {}".format(*clock.left))
        if any(clock.increment):
            words.append("binc {} winc {}".format(*clock.increment))
        if clock.byoyomi or not any(clock.increment):
            words.append(f"byoyomi {clock.byoyomi}")
    words += [f"{word} {limit}" for word, limit in
              (("movetime", limits.movetime), ("nodes", limits.nodes), ("depth", limits.depth)) if limit is not None]
    if not words:
        words.append("infinite")
    if limits.searchmoves:
        words.append(f"searchmoves {' '.join(limits.searchmoves)}")
    return " ".join(words)


def _option_text(value: object) -> str:
    """The value of an option as USI writes it. Raises TypeError for what has no form there."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | os.PathLike):
        return os.fsdecode(value)
    return str(value) if isinstance(value, float) else str(whole("value", value, -LONG_MAX, LONG_MAX))


def _single_line(name: str, value: str) -> str:
    if "\n" in value or "\r" in value:
        raise UserError("{name}={value!r}: a command of USI is a single line", name=name, value=value)
    return value


class UsiClient:
    """A running USI engine. Background threads read its output and write its input, so neither side blocks the other.

    The engine ends with `close`, at the end of a `with` block, when nobody holds the client any more, and with the
    program. Every method that waits raises EngineSilent after some seconds, and EngineGone if the engine has ended.
    """

    def __init__(self, command: Sequence[str | Path], *, cwd: str | Path | None = None,
                 env: Mapping[str, str] | None = None, encoding: str = "utf-8", strict: bool = False) -> None:
        """Start the engine. Raises OSError if it cannot be started, TypeError for a command that is no list.

        encoding: of the input, and of the output unless `strict`.
        strict: every line must be complete, in ASCII and of one of USI's forms. Reading any other raises ProtocolError,
            and no line is skipped.
        """
        if isinstance(command, str | bytes | Path):
            raise TypeError(f"command={quoted(command)}: give a list of words, as [{quoted(str(command))}]")
        self.process = GROUPS.start([str(word) for word in command], cwd=cwd, env=env, bufsize=0,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.strict = strict
        self.name = ""                              # the engine's own name, after `usi`
        self.options: dict[str, EngineOption] = {}  # its options, likewise, by names in lower case
        self._encoding = encoding
        self._shown: dict[int, EngineInfo] = {}     # the last report of each line of play, since `forget`
        self._pipes = EnginePipes(self.process, keeps_all=strict)
        try:
            self._pipes.open()
        except RuntimeError:
            GROUPS.kill(self.process)
            raise OSError(errno.EAGAIN, "there is no room for the threads that talk to it") from None
        weakref.finalize(self, _end_dropped, os.getpid(), GROUPS, self.process, self._pipes)

    def __enter__(self) -> "UsiClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- The conversation ----------------------------------------------------------------------------------------------

    def usi(self, seconds: float = START_SECONDS) -> None:
        """Send `usi`; sets `name` and `options`."""
        self.send("usi")
        for line in self.lines_to("usiok", seconds):
            if line.text.startswith("id name "):
                self.name = line.text.removeprefix("id name ")
            elif option := parse_option(line.text):
                self.options[option.name.lower()] = option

    def set_option(self, name: str, value: str | float | os.PathLike[str] = "") -> None:
        """Set an option, a button by no value; after `usi`. Raises UserError if the engine has none of that name."""
        text = _single_line("value", _option_text(value))
        if require_text("name", name).lower() not in self.options:
            known = Listed(option.name for option in self.options.values()) if self.options else Phrase("none")
            raise UserError("no option {name!r}; it has {names}", name=name, names=known)
        self.send(f"setoption name {self.options[name.lower()].name}" + f" value {text}" * bool(text))

    def isready(self, seconds: float = START_SECONDS) -> None:
        self.send("isready")
        self.lines_to("readyok", seconds)

    def set_position(self, position: Position) -> None:
        """Send a position, with the moves that led to it. Raises UserError if a side passed its turn on the way,
        because USI cannot express that."""
        if NULL_MOVE in of_type("position", position, Position).moves:
            raise UserError("USI has no null move; send the position alone: Position({sfen!r})", sfen=position.sfen)
        moves = " ".join(["", "moves", *position.moves] if position.moves else [])
        self.send(f"position sfen {position.initial_sfen}{moves}")

    def go(self, limits: GoLimits = "", seconds: float = 3600, on_info: OnInfo | None = None) -> Answer:
        """Search the position that was sent last. `on_info` is called with each report of a line of play.

        A search without an answer in time is stopped before EngineSilent is raised, as it is by Ctrl-C and by what
        `on_info` raises. An engine that does not answer within STOP_SECONDS after that is killed.
        """
        self.begin(limits)
        try:
            return self.answer(seconds, on_info)
        except (EngineGone, ProtocolError):
            raise
        except BaseException:
            try:
                self.stop()
            except UsiFault:
                self.kill()
            raise

    def begin(self, limits: GoLimits = "", ponder: bool = False) -> None:
        """Begin a search; call `answer` next. With `ponder` it has no limits until `ponderhit`: send the position after
        the opponent's expected move."""
        words = go_words(limits)
        self.forget()
        self.send(" ".join(filter(None, ("go", "ponder" * ponder, words))))

    def ponderhit(self) -> None:
        """Tell a pondering engine that the expected move was played: from now on the limits hold. Call `answer` next.
        After any other move call `stop` instead."""
        self.send("ponderhit")

    def answer(self, seconds: float = 3600, on_info: OnInfo | None = None) -> Answer:
        """Wait for the answer to the last `begin`. Raises ProtocolError if it names no move."""
        line = self.lines_to(("bestmove", "checkmate"), seconds, on_info)[-1]
        try:
            reply = parse_reply(line.text)
        except UserError as fault:
            raise ProtocolError.of(fault) from None
        best = self.info
        mate = len(reply.mate) if reply.mate else best.mate
        lines = tuple(info for _place, info in sorted(self._shown.items()))
        return Answer(reply.move, reply.ponder, best, reply.mate or best.pv, lines, mate, line.at)

    def stop(self, seconds: float = STOP_SECONDS) -> Answer:
        """End the search, and wait for its answer."""
        self.send("stop")
        return self.answer(seconds)

    @property
    def info(self) -> EngineInfo:
        """The last report since `forget`; with several lines, the last one about the best line."""
        return self._shown.get(1, NOTHING)

    # -- Reading -------------------------------------------------------------------------------------------------------

    def wait_for(self, word: str, seconds: float) -> TimedLine:
        """The next line that begins with `word`, after skipping others."""
        *_, last = self.lines_to(word, seconds)
        return last

    def lines_to(self, word: str | tuple[str, ...], seconds: float, on_info: OnInfo | None = None) -> list[TimedLine]:
        """The lines up to the next that begins with `word`, or one of these. `on_info` as in `go`."""
        words = (word,) if isinstance(word, str) else word
        deadline = time.monotonic() + seconds
        heard: list[TimedLine] = []
        while not heard or not heard[-1].text.startswith(words) or heard[-1].text.split()[0] not in words:
            try:
                heard.append(self._next(deadline, on_info))
            except EngineSilent:
                raise EngineSilent("no {words} within {seconds:.1f} s", words=Listed(words, " or "),
                                   seconds=seconds) from None
        return heard

    def line(self, seconds: float) -> TimedLine:
        """The next line, if it comes within this many seconds."""
        return self._next(time.monotonic() + seconds)

    def forget(self) -> None:
        """Drop lines that were received but not read."""
        self._shown.clear()
        self._pipes.forget()

    def _next(self, deadline: float, on_info: OnInfo | None = None) -> TimedLine:
        try:
            raw = self._pipes.next_line(deadline)
        except EOFError:
            raise self._gone() from None
        if raw is None:
            raise EngineSilent("no line came in time")
        text = self._strictly(raw.text) if self.strict else raw.text.decode(self._encoding, "replace").strip()
        if tells_of_line(text) and (info := parse_info(text)).multipv <= MOST_LINES:
            self._shown[info.multipv] = info
            if on_info:
                on_info(info)
        return TimedLine(raw.at, text)

    def _strictly(self, raw: bytes) -> str:
        if not raw.isascii() or not raw.endswith(b"\n"):
            raise ProtocolError("{raw!r} is no whole line of ASCII", raw=raw)
        text = raw[:-1].decode("ascii")
        self.check_form(text)
        return text

    def check_form(self, text: str) -> None:
        """Raise ProtocolError unless the line has one of USI's forms. Override it for engines that may send more, or
        less."""
        if not FORMS.fullmatch(text):
            raise ProtocolError("{text!r} has no form that USI knows", text=text)

    # -- Writing -------------------------------------------------------------------------------------------------------

    def send(self, *lines: str, end: str = "\n", seconds: float = 5) -> None:
        """Write lines, all at once."""
        self.write("".join(line + end for line in lines).encode(self._encoding, "surrogateescape"), seconds)

    def write(self, data: bytes, seconds: float = 5) -> None:
        """Write bytes as they are."""
        if not self._pipes.input_open:
            raise EngineGone("its input was closed")
        try:
            self._pipes.write(data, seconds)
        except FutureTimeout:
            raise EngineSilent("input not read for {seconds:.0f} s", seconds=seconds) from None
        except OSError:
            raise self._gone() from None

    def close_input(self) -> None:
        """Close the engine's standard input."""
        self._pipes.close_input()

    # -- The end -------------------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether the engine runs and can be sent lines."""
        return self._pipes.input_open and self.process.poll() is None

    @property
    def stderr(self) -> str:
        """The last lines of the engine's stderr; all of them once `wait` has returned."""
        return b"\n".join(self._pipes.stderr).decode(self._encoding, "replace")

    def wait(self, seconds: float) -> int:
        """The engine's exit status, once it has ended. All of its output can be read then."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineSilent("still running after {seconds:.0f} s", seconds=seconds) from None
        self._pipes.join_readers()
        return status

    def close(self) -> None:
        """End the engine: first by `quit`, then by force."""
        with suppress(EngineGone, EngineSilent):
            self.send("quit", seconds=0.1)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the engine and its child processes."""
        _end(GROUPS, self.process, self._pipes)
        self._pipes.join(1)     # a grandchild in a session of its own may hold a pipe open: it is not waited for

    def _gone(self) -> EngineGone:
        """The error that says how the engine ended, with the end of its stderr."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_SECONDS)
        self._pipes.join_readers(EXIT_SECONDS)
        code = self.process.returncode
        if code is None:
            gone = EngineGone("closed its output")
        elif code < 0:
            gone = EngineGone("ended by {signal}", signal=signal_name(-code))
        else:
            gone = EngineGone("ended with exit code {code}", code=code)
        said = [line.strip().decode(self._encoding, "replace") for line in self._pipes.stderr if line.strip()]
        return EngineGone("{end}; stderr: {lines}", end=gone, lines=" / ".join(said[-STDERR_SHOWN:])) if said else gone


def _end(groups: ProcessGroups, process: "subprocess.Popen[bytes]", pipes: EnginePipes) -> None:
    """Kill an engine and its child processes."""
    groups.kill(process)
    process.wait()
    pipes.close_input()


def _end_dropped(owner: int, groups: ProcessGroups, process: "subprocess.Popen[bytes]", pipes: EnginePipes) -> None:
    """End the engine of a client that was garbage-collected, except in a fork, where the engine belongs to the
    parent."""
    if os.getpid() == owner:
        _end(groups, process, pipes)
