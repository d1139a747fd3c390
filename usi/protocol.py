"""USI text and what it means: commands read into dataclasses, results written as lines."""
import re
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from search import Info, Limits, Result

MATE = 32000
MATE_IN_MAX_PLY = MATE - 246    # a score at least this far from zero counts the plies to a mate

# A `go` that sets no limit of any kind: some clients send it and wait for the move without ever sending `stop`.
UNLIMITED_GO_MS = 1000

GO_FLAGS = ("ponder", "infinite")
GO_CLOCK = ("btime", "wtime", "byoyomi", "binc", "winc")
GO_NUMBERS = (*GO_CLOCK, "depth", "nodes", "movetime", "rtime", "perft")
GO_WORDS = (*GO_FLAGS, *GO_NUMBERS, "mate", "searchmoves")


class Command(NamedTuple):
    word: str
    arguments: str


class SetOption(NamedTuple):
    name: str
    value: str


@dataclass(frozen=True)
class Go:
    limits: Limits
    perft: int | None = None            # depth, for `go perft`
    ignored: tuple[str, ...] = ()       # the words that say nothing to us


def parse_command(line: str) -> Command:
    """The first word of a stripped line and the text behind it, its inner spaces kept; a blank line has neither."""
    word, *rest = line.split(maxsplit=1)[:2] or [""]
    return Command(word, "".join(rest))


def parse_setoption(arguments: str) -> SetOption:
    """`name NAME [value VALUE]`; VALUE may hold spaces or be missing. ValueError on any other shape."""
    match = re.fullmatch(r"name\s+(.*?)(?:\s+value(?:\s+(.*))?)?", arguments)
    if not match:
        raise ValueError(f"setoption needs 'name NAME value VALUE', not '{arguments}'")
    return SetOption(match[1], match[2] or "")


def parse_go(arguments: str) -> Go:
    """What stands behind `go` or `ponderhit`. A negative number counts as 0: clocks that ran over send such."""
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
        elif word in GO_NUMBERS and words and _is_number(words[0]):
            numbers[word] = max(int(words.popleft()), 0)
        elif word == "mate":
            numbers["mate"] = max(int(words.popleft()), 1) if words and _is_number(words[0]) else 0
            if words and words[0] == "infinite":
                words.popleft()
        else:
            ignored.append(word)
    return Go(_limits(flags, numbers, tuple(moves)), numbers.get("perft"), tuple(ignored))


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[-+]?[0-9]{1,18}", word) is not None


def _limits(flags: set[str], numbers: dict[str, int], moves: tuple[str, ...]) -> Limits:
    timed = not numbers.keys().isdisjoint(GO_CLOCK)
    limited = "infinite" in flags or bool(numbers)
    return Limits(
        depth=_at_least_one(numbers.get("depth")),
        nodes=_at_least_one(numbers.get("nodes")),
        movetime=_at_least_one(numbers.get("movetime", None if limited else UNLIMITED_GO_MS)),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        mate=numbers.get("mate"),
        searchmoves=moves,
        time=(numbers.get("btime", 0), numbers.get("wtime", 0)) if timed else None,
        increment=(numbers.get("binc", 0), numbers.get("winc", 0)),
        byoyomi=numbers.get("byoyomi", 0),
        rtime=numbers.get("rtime", 0),
    )


def _at_least_one(number: int | None) -> int | None:
    return None if number is None else max(number, 1)


def is_mate(score: int) -> bool:
    """Whether an engine score says that the side to move mates, or is mated."""
    return abs(score) >= MATE_IN_MAX_PLY


def format_score(score: int) -> str:
    """`cp N`, or `mate N` in plies, positive when the side to move mates."""
    if not is_mate(score):
        return f"cp {score}"
    plies = MATE - abs(score)
    return f"mate {plies if score > 0 else -plies}"


def format_info(info: Info) -> str:
    """An `info` line; the bound stands behind the score, where no parser takes it for a move of the PV."""
    bound = "" if info.bound == "exact" else f" {info.bound}bound"
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {format_score(info.score)}{bound}"
        f" nodes {info.nodes} nps {nodes_per_second(info.nodes, info.time_ms)} hashfull {info.hashfull}"
        f" time {info.time_ms} pv {' '.join(info.pv)}"
    )


def format_bestmove(result: Result) -> str:
    return f"bestmove {result.bestmove}" + (f" ponder {result.ponder}" if result.ponder else "")


def nodes_per_second(nodes: int, time_ms: int) -> int:
    return nodes * 1000 // max(time_ms, 1)
