"""Any USI engine as a player: its form on the command line, its start, and its answers in a game."""
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from shutil import which
from threading import Timer

from engine import Position
from engine.errors import Listed, Phrase, UserError, one_line
from scripts.games.player import Clocks, Offence, PlayerAnswer, Seat
from scripts.games.rules import End, Rules, usi_text
from scripts.games.timecontrol import PlayerClock, PlayerLimits, go
from usi.client import EngineGone, EngineSilent, ProtocolError, UsiClient, UsiFault
from usi.words.reasons import reason
from usi.workers.tasks import on_release

START_SECONDS = 60          # for `usiok`, and for each `readyok`
REMIND_SECONDS = 5          # after these seconds a line on stderr says what is waited for
GRACE_SECONDS = 3           # for an answer that is too late, to distinguish a slow engine from a silent one
LIMITS = {"time": "time", "byoyomi": "byoyomi", "inc": "increment", "movetime": "movetime", "nodes": "nodes",
          "depth": "depth"}
SETTINGS = ("name", "dir", "ponder", "margin", "timeout", *LIMITS)      # and option.NAME
SWITCH = {"on": True, "off": False}


@dataclass(frozen=True)
class UsiPlayer:
    """A USI engine with its options and its clock."""

    name: str
    command: tuple[str, ...]
    control: PlayerLimits
    options: dict[str, str] = field(default_factory=dict)
    ponder: bool = False
    directory: str | None = None    # to run in
    margin: int = 100               # ms that each answer may be late; with main time or an increment, their sum
    timeout: int = 60_000          # ms for a move that no clock limits

    @property
    def clock(self) -> PlayerClock:
        return PlayerClock(self.control)

    def seat(self, rules: Rules) -> Seat:
        return UsiSeat(self, rules)

    def conditions(self, rules: Rules) -> dict[str, object]:
        """Everything that the player's games depend on, for JSON, with the engine's own name. Raises UserError as
        `started`."""
        with started(self, rules) as engine:
            return asdict(self) | {"command": list(self.command), "id": engine.name or self.name}

    @classmethod
    def parse(cls, text: str, default: PlayerLimits | None = None, ponder: bool = False) -> "UsiPlayer":
        """Read a command with settings before it, as in

            name=new option.USI_Hash=64 byoyomi=1000 path/to/engine --flag

        The settings are name, option.NAME, ponder=on|off, dir, margin, timeout, and time, byoyomi, inc, movetime
        (milliseconds), nodes and depth, which replace the default limits altogether. Quotes are a shell's, and on
        Windows a backslash is part of a path. The command begins with the first word that is no setting: one without an
        =, a path or a program's name. Raises UserError, quoting the setting that is wrong.
        """
        words = _words(text)
        options: dict[str, str] = {}
        numbers: dict[str, int] = {}
        texts: dict[str, str] = {}
        while words and "=" in words[0]:
            word = words[0]
            key, _, value = word.partition("=")
            if key.startswith("option."):
                options[key.removeprefix("option.")] = value
            elif key in ("name", "dir") and value:
                texts[key] = value
            elif key == "ponder" and value in SWITCH:
                ponder = SWITCH[value]
            elif key in (*LIMITS, "margin", "timeout") and value.isdecimal():
                numbers[key] = int(value)
            elif key not in SETTINGS and ("/" in word or "\\" in word or which(word)):
                break
            else:
                raise UserError("{word!r} is no setting of an engine; known are name=, option.NAME=, ponder=on|off, "
                                "dir=, and with a whole number margin=, timeout=, {limits}", word=word,
                                limits=Listed(f"{name}=" for name in LIMITS))
            del words[0]
        if not words:
            raise UserError("{text!r} has no command behind its settings", text=text)
        limits = {LIMITS[key]: numbers.pop(key) for key in LIMITS if key in numbers}
        if not limits and not default:
            raise UserError("{text!r} has no limit: give --byoyomi, --time, --movetime, --nodes or --depth for all, "
                            "or byoyomi= … for this one", text=text)
        control = PlayerLimits(**limits) if limits else default
        assert control
        return cls(texts.get("name", Path(words[0]).name), tuple(words), control, options, ponder, texts.get("dir"),
                   **numbers)


def _words(text: str) -> list[str]:
    """The words of a command line, split as by a shell. Raises UserError, quoting it, for a quote without its end."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if sys.platform == "win32":
        lexer.escape = ""
    try:
        return list(lexer)
    except ValueError as error:
        raise UserError("{text!r} has a quote that does not end ({fault})", text=text, fault=error) from None


def with_own_names(players: Sequence[UsiPlayer]) -> tuple[UsiPlayer, ...]:
    """The players. If several have the same name, a number is added to the names of all but the first."""
    taken: set[str] = set()
    named = []
    for player in players:
        name, number = player.name, 1
        while name in taken:
            number += 1
            name = f"{player.name} {number}"
        taken.add(name)
        named.append(replace(player, name=name))
    return tuple(named)


@contextmanager
def reminding(name: str, word: str) -> Iterator[None]:
    """If the block takes more than some seconds, say on stderr which engine the match is waiting for."""
    reminder = Timer(REMIND_SECONDS, lambda: print(
        f"waiting for {word} from {one_line(name)}, {START_SECONDS} s at most", file=sys.stderr, flush=True))
    reminder.daemon = True
    with suppress(RuntimeError):        # the system has no thread for it
        reminder.start()
    try:
        yield
    finally:
        reminder.cancel()


def started(player: UsiPlayer, rules: Rules) -> UsiClient:
    """The player's engine, after `usiok` and with its options set. Options for the match's rules, for pondering and for
    one thread are set if the engine has them and the player does not set them itself: an engine that took all cores
    would disturb the other games, and at fixed nodes its threads would share them.

    Raises UserError, quoting the fault, if it cannot be started, does not speak USI or lacks an option.
    """
    try:
        engine = UsiClient(player.command, cwd=player.directory)
    except OSError as error:
        raise UserError("{name} cannot be started: {fault}", name=player.name, fault=reason(error)) from None
    try:
        with reminding(player.name, "usiok"):
            engine.usi(START_SECONDS)
        for name, value in {"MaxMovesToDraw": str(rules.max_plies), "EnteringKingRule": rules.entering_king_rule,
                            "USI_Ponder": str(player.ponder).lower(), "Threads": "1"}.items():
            if name.lower() in engine.options and name.lower() not in map(str.lower, player.options):
                engine.set_option(name, value)
        for name, value in player.options.items():
            engine.set_option(name, value)
    except UsiFault as fault:
        engine.kill()
        raise UserError("{name} does not start: {fault}", name=player.name, fault=fault) from None
    except UserError as error:
        engine.kill()
        raise error.at(player.name) from None
    return engine


# -- Engines that are kept running from game to game -------------------------------------------------------------------

_idle: dict[str, list[UsiClient]] = {}


def close_engines() -> None:
    """End the idle engines."""
    while _idle:
        _, engines = _idle.popitem()
        for engine in engines:
            engine.close()


on_release(close_engines)


# -- At the board ------------------------------------------------------------------------------------------------------

def _offence(fault: UsiFault, spent: float = 0) -> Offence:
    """The offence that an engine's fault is, after `spent` ms of a move."""
    end: End = ("crash" if isinstance(fault, EngineGone) else
                "illegal move" if isinstance(fault, ProtocolError) else "silence")
    return Offence(end, fault, spent)


@contextmanager
def _offences() -> Iterator[None]:
    """Turn the engine's faults in the block into Offence."""
    try:
        yield
    except UsiFault as fault:
        raise _offence(fault) from None


class UsiSeat(Seat):
    """An engine in one game. Faults of the engine are raised as Offence."""

    def __init__(self, player: UsiPlayer, rules: Rules) -> None:
        self.player = player
        self._rules = rules
        self._engine: UsiClient | None = None
        self._guess: str | None = None      # the opponent's move that it was told to ponder on
        self._expected: str | None = None   # the opponent's move that it named with its last answer

    @property
    def engine(self) -> UsiClient:
        assert self._engine, "the game has not begun"
        return self._engine

    @property
    def _key(self) -> str:
        return repr((self.player, self._rules))

    def begin(self) -> None:
        idle = _idle.get(self._key)
        try:
            self._engine = idle.pop() if idle else started(self.player, self._rules)
        except UserError as fault:
            raise Offence("crash", fault) from None
        with _offences():
            with reminding(self.player.name, "readyok"):
                self.engine.isready(START_SECONDS)
            self.engine.send("usinewgame")

    def answer(self, position: Position, clocks: Clocks) -> PlayerAnswer:
        guess, self._guess = self._guess, None
        began = time.monotonic()
        try:
            if guess and guess == position.moves[-1]:
                self.engine.send("ponderhit")
            else:
                if guess:
                    self.engine.stop(GRACE_SECONDS)
                self.engine.send(f"position {usi_text(position)}")
                began = time.monotonic()
                self.engine.begin(go(clocks, position.turn))
            return self._bestmove(began, clocks[position.turn])
        except UsiFault as fault:
            raise _offence(fault, (time.monotonic() - began) * 1000) from None

    def _bestmove(self, began: float, clock: PlayerClock | None) -> PlayerAnswer:
        assert clock
        player = self.player
        allowed = player.timeout if clock.allowed is None else clock.allowed
        latest = allowed + player.margin
        stopped = False
        try:
            answer = self.engine.answer(began + latest / 1000 - time.monotonic())
        except EngineSilent:
            stopped = True
            answer = self.engine.stop(GRACE_SECONDS)
        spent = max(0.0, (answer.at - began) * 1000)
        if spent > latest or stopped:   # the answer may come within the same millisecond
            raise Offence("time-out", Phrase("answered after {spent:.0f} ms, {allowed:.0f} ms were left", spent=spent,
                                             allowed=allowed), spent)
        self._expected = answer.ponder
        return PlayerAnswer(answer.bestmove, spent, answer.score, answer.depth, answer.nodes)

    def wait(self, position: Position, clocks: Clocks) -> None:
        if not self.player.ponder or not self._expected or not is_legal(position, self._expected):
            return
        self._guess = self._expected
        moves = usi_text(position)
        moves += ("" if position.moves else " moves") + f" {self._guess}"
        with _offences():
            self.engine.send(f"position {moves}")
            self.engine.begin(f"ponder {go(clocks, position.turn ^ 1)}")

    def end(self, outcome: str, orderly: bool) -> None:
        if not self._engine:
            return
        if not orderly:
            self._engine.kill()
            return
        try:
            if self._guess:
                self._engine.stop(GRACE_SECONDS)
            self._engine.send(f"gameover {outcome}")
        except UsiFault:
            self._engine.kill()     # the game is over: a next one begins with a fresh engine
            return
        _idle.setdefault(self._key, []).append(self._engine)


def is_legal(position: Position, move: str) -> bool:
    with suppress(UserError):
        return position.is_legal(move)
    return False
