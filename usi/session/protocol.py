"""USI text: parses commands into dataclasses, and formats results as lines."""
import random
import re
from collections import deque
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from engine import MATE, MAX_PLY
from engine.errors import UserError
from search import Clock, Info, Limits, Result
from search.limits import UNBOUNDED, TimeLimit, is_mate, is_superior, nodes_per_second
from search.mate import MateInfo, MateResult
from usi.book.choice import BookChoice
from usi.words.typed import whole_number

# A `go` that sets no limit of any kind: some clients send it and wait for the move without ever sending `stop`.
UNLIMITED_GO_MS = 1000

GO_FLAGS = ("ponder", "infinite")
GO_CLOCK = ("btime", "wtime", "byoyomi", "binc", "winc")
GO_NUMBERS = (*GO_CLOCK, "depth", "nodes", "movetime", "rtime", "perft")
GO_WORDS = (*GO_FLAGS, *GO_NUMBERS, "mate", "searchmoves")
LEAST = {"depth": 1, "nodes": 1, "movetime": 1, "perft": 1}     # 0 for the others: clocks that ran over send less
MOST = {"depth": MAX_PLY - 1, "perft": 100}
_VALUE = re.compile(r"(?<!\s)\s+value(?:\s+|$)")        # tried at the beginning of each gap only, which may be long


class Until(Enum):
    """The event that the answer to a `go` waits for."""

    FOUND = "nothing more"
    HIT = "ponderhit or stop"
    STOP = "stop"


@dataclass(frozen=True)
class Go:
    """A parsed `go`: count leaves (`perft`), solve a mate (`mate`), or search for a move."""

    limits: Limits = field(default_factory=Limits)      # of the search for a move; its time runs from the hit, if any
    until: Until = Until.FOUND
    mate: int | None = None             # ms, 0: as long as it takes
    perft: int | None = None            # depth
    ignored: tuple[str, ...] = ()       # the words that say nothing to us

    def hit(self, time: TimeLimit | None) -> "Go":
        """The `go` that follows a ponderhit, with this time or, if None, with the time of the `go ponder`."""
        limits = self.limits if time is None else self.limits.with_time(time)
        return replace(self, limits=limits, until=Until.FOUND)


class Hit(NamedTuple):
    time: TimeLimit | None              # from now on; None: that of the `go ponder`
    ignored: tuple[str, ...]


def parse_command(line: str) -> tuple[str, str]:
    """The first word of a stripped line and the text behind it, its inner spaces kept; a blank line has neither."""
    word, *rest = line.split(maxsplit=1)[:2] or [""]
    return word, "".join(rest)


def parse_setoption(arguments: str) -> tuple[str, str]:
    """The name and the value of `name NAME [value VALUE]`; VALUE may hold spaces or be missing. Raises UserError on any
    other shape."""
    word, *rest = arguments.split(maxsplit=1)[:2] or [""]
    if word != "name" or not rest:
        raise UserError("setoption needs 'name NAME value VALUE', not '{arguments}'", arguments=arguments)
    name, *value = _VALUE.split(rest[0], maxsplit=1)
    return name, "".join(value)


def parse_go(arguments: str) -> Go:
    """Parse the arguments of `go`. Numbers outside their range are clamped."""
    flags, numbers, moves, ignored = _read_go(arguments)
    if "perft" in numbers or "mate" in numbers:
        return Go(mate=numbers.get("mate"), perft=numbers.get("perft"), ignored=ignored)
    infinite = "infinite" in flags
    time = None if infinite else _time(numbers) if numbers else UNLIMITED_GO_MS
    limits = Limits(numbers.get("depth"), numbers.get("nodes"), searchmoves=moves)
    until = Until.STOP if infinite else Until.HIT if "ponder" in flags else Until.FOUND
    return Go(limits.with_time(time), until, ignored=ignored)


def parse_ponderhit(arguments: str) -> Hit:
    """The times behind `ponderhit`, None if there are none, and the words that say nothing to us."""
    _, numbers, _, ignored = _read_go(arguments)
    return Hit(_time(numbers), ignored)


def _read_go(arguments: str) -> tuple[set[str], dict[str, int], tuple[str, ...], tuple[str, ...]]:
    """The flags, the numbers by their words, the moves to search, and the unknown words."""
    words = deque(arguments.split())
    flags: set[str] = set()
    numbers: dict[str, int] = {}
    moves: list[str] = []
    ignored: list[str] = []
    while words:
        word = words.popleft()
        if word in GO_FLAGS:
            flags.add(word)
        elif word == "searchmoves":
            while words and words[0] not in GO_WORDS:
                moves.append(words.popleft())
        elif word in GO_NUMBERS and (number := _next_number(words)) is not None:
            numbers[word] = min(max(number, LEAST.get(word, 0)), MOST.get(word, UNBOUNDED))
        elif word == "mate":
            number = _next_number(words)
            numbers["mate"] = 0 if number is None else min(max(number, 1), UNBOUNDED)
            if words and words[0] == "infinite":
                words.popleft()
        else:
            ignored.append(word)
    return flags, numbers, tuple(moves), tuple(ignored)


def _next_number(words: deque[str]) -> int | None:
    """The next word as a number, taken off the list; None if it is none."""
    number = whole_number(words[0]) if words else None
    if number is not None:
        words.popleft()
    return number


def _time(numbers: dict[str, int]) -> TimeLimit | None:
    """The time limit of a search; None without one. A time for the move takes precedence over a clock."""
    if "movetime" in numbers:
        return numbers["movetime"]
    if "rtime" in numbers:
        return numbers["rtime"] + random.randrange(numbers["rtime"] // 2 + 1)
    if numbers.keys().isdisjoint(GO_CLOCK):
        return None
    return Clock((numbers.get("btime", 0), numbers.get("wtime", 0)), (numbers.get("binc", 0), numbers.get("winc", 0)),
                 numbers.get("byoyomi", 0))


def format_score(score: int) -> str:
    """`cp N`, or `mate N` in plies, positive when the side to move mates."""
    if not is_mate(score):
        return f"cp {score}"
    plies = MATE - abs(score)
    return f"mate {plies if score > 0 else -plies}"


def format_info(info: Info) -> str:
    """An `info` line. The bound stands behind the score, where no parser takes it for a move of the PV. A superior
    position's line has no score, because that is not a number of centipawns: see `format_superior`."""
    bound = "" if info.bound == "exact" else f" {info.bound}bound"
    score = "" if is_superior(info.score) else f" score {format_score(info.score)}{bound}"
    return (f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}{score} {_work(info)}"
            f" pv {' '.join(info.pv)}")


def _work(info: Info | MateInfo) -> str:
    """The figures of the work done so far."""
    return (f"nodes {info.nodes} nps {nodes_per_second(info.nodes, info.time_ms)} hashfull {info.hashfull}"
            f" time {info.time_ms}")


def format_superior(info: Info) -> str:
    """The words shown instead of a score for a line that repeats a board with more, or less, in hand."""
    name, more = ("superior", "more") if info.score > 0 else ("inferior", "less")
    return (f"{name} position, line {info.multipv}: it comes back to a board that was there before, with {more} in the "
            "hand of the side to move")


def format_result(result: Result, resign_value: int) -> str:
    """The answer to a `go`."""
    answer = result.answer(resign_value)
    return format_bestmove(answer, result.ponder if answer == result.bestmove else None)


def format_bestmove(answer: str, ponder: str | None = None) -> str:
    return f"bestmove {answer}" + (f" ponder {ponder}" if ponder else "")


def format_choice(choice: BookChoice) -> list[str]:
    """`info` lines for a book move: the candidates with scores and probabilities, and the move itself."""
    chosen = choice.chosen
    score = min(max(chosen.score, 1 - MATE), MATE - 1)      # a book may hold any number
    pv = (chosen.move, choice.ponder) if choice.ponder else (chosen.move,)
    listed = ", ".join(f"{one.move.move} {one.move.score} ({one.share:.0%})" for one in choice.candidates)
    return [f"info string book: {listed}",
            format_info(Info(chosen.depth, chosen.depth, 1, score, "exact", nodes=0, time_ms=0, hashfull=0, pv=pv))]


def format_mate_info(info: MateInfo) -> str:
    """An `info` line of the search for a mate: the line found, or how far the one looked at goes."""
    found = f" multipv 1 score mate {len(info.mate)}" if info.mate else ""
    pv = f" pv {' '.join(info.mate)}" if info.mate else ""
    plies = len(info.mate or info.path)
    return f"info depth {plies} seldepth {max(plies, len(info.path))}{found} {_work(info)}{pv}"


def format_mate_result(result: MateResult) -> str:
    """The answer to a `go mate`."""
    return f"checkmate {' '.join(result.moves) if result.outcome == 'mate' else result.outcome}"
