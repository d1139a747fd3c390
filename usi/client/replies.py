"""Parser of USI engines' output: the forms of all lines, and the figures in `info`."""
import re
from contextlib import suppress
from typing import NamedTuple

from engine import MATE, MATE_IN_MAX_PLY
from engine.errors import UserError
from engine.sfen import MOVE
from search.limits import Bound

_MOVE = f"(?:{MOVE.pattern})"
FORMS = re.compile("|".join((
    r"", r"usiok", r"readyok", r"id (?:name|author) .+",
    r"option name .+? type (?:check|spin|combo|button|string|filename)(?: .*)?",
    r"info(?: (?:(?:depth|seldepth|time|nodes|nps|hashfull|multipv|cpuload|currmovenumber) \d+"
    rf"|currmove {_MOVE}|score (?:cp -?\d+|mate (?:[+-]?\d+|[+-]))(?: (?:lower|upper)bound)?))*"
    rf"(?: pv(?: {_MOVE})+| string .*)?",
    rf"bestmove (?:resign|win|{_MOVE}(?: ponder {_MOVE})?)",
    rf"checkmate (?:nomate|timeout|notimplemented|{_MOVE}(?: {_MOVE})*)",
)))

NO_MATES = ("nomate", "timeout", "notimplemented")
BOUNDS: dict[str, Bound] = {"lowerbound": "lower", "upperbound": "upper"}
_OPTION = re.compile(r"option name (.+?) type (check|spin|combo|button|string|filename)(?: (.*))?")


class EngineOption(NamedTuple):
    """An option as an engine announces it."""

    name: str
    type: str                       # check, spin, combo, button, string, filename
    default: str | None = None      # as written; an empty string is `<empty>`
    minimum: int | None = None      # of a spin
    maximum: int | None = None
    choices: tuple[str, ...] = ()   # of a combo


class EngineInfo(NamedTuple):
    """Fields of an `info` line, None where the line lacks them. The score is in centipawns for the engine; from
    MATE_IN_MAX_PLY on it is a mate."""

    score: int | None = None
    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    nps: int | None = None
    mate: int | None = None         # plies to the mate, negative when the engine is mated
    bound: Bound = "exact"          # the kind of score
    multipv: int = 1                # the place of the line, from 1
    pv: tuple[str, ...] = ()
    seldepth: int | None = None
    hashfull: int | None = None     # per mille


class Reply(NamedTuple):
    """The answer to a `go`."""

    move: str                       # a move or a word: `resign`, `win`; `nomate`, `timeout`, `notimplemented`
    ponder: str | None = None
    mate: tuple[str, ...] = ()      # the moves of a `checkmate`


def parse_option(line: str) -> EngineOption | None:
    """An `option` line; None if it is none."""
    if not (match := _OPTION.fullmatch(line)):
        return None
    name, kind, rest = match[1].strip(), match[2], match[3] or ""
    if kind in ("string", "filename"):      # whose default may hold any words
        return EngineOption(name, kind, rest.removeprefix("default").strip() if rest.startswith("default") else None)
    default = re.search(r"(?:^| )default (.*?)(?= (?:min|max|var) |$)", rest)
    limits = {word: int(number) for word, number in re.findall(r"(?<!\S)(min|max) (-?\d{1,18})(?!\S)", rest)}
    choices = tuple(re.split(r"(?:^| )var ", rest)[1:])
    return EngineOption(name, kind, default[1] if default else None, limits.get("min"), limits.get("max"), choices)


def parse_reply(line: str) -> Reply:
    """A `bestmove` or `checkmate` line. Raises UserError if nothing stands behind the word."""
    word, *words = line.split()
    if not words:
        raise UserError("{line!r} names no move; a word as `resign` or `nomate` belongs there, too", line=line)
    if word == "checkmate":
        return Reply(words[0], None, () if words[0] in NO_MATES else tuple(words))
    return Reply(words[0], words[2] if words[1:2] == ["ponder"] and len(words) > 2 else None)


def parse_score(kind: str, value: str) -> int | None:
    """`cp 35`, `mate 5`, `mate -` … as one number; None if it is none of these."""
    with suppress(ValueError):
        if kind == "cp":
            return max(1 - MATE_IN_MAX_PLY, min(int(value), MATE_IN_MAX_PLY - 1))
        if kind == "mate":
            plies = min(int(value.lstrip("+-") or MATE - MATE_IN_MAX_PLY), MATE - MATE_IN_MAX_PLY)
            return plies - MATE if value.startswith("-") or not plies else MATE - plies
    return None


def parse_info(line: str) -> EngineInfo:
    """An `info` line."""
    words, _, pv = line.partition(" pv ")
    told = words.split()

    def after(word: str, count: int = 1) -> list[str]:
        place = told.index(word) + 1 if word in told else len(told)
        return told[place:place + count]

    def number(word: str) -> int | None:
        with suppress(ValueError):
            return int(*after(word)) if after(word) else None
        return None

    kind, value, bound = [*after("score", 3), "", "", ""][:3]
    mate = None
    if kind == "mate":
        with suppress(ValueError):
            mate = int(value)
    return EngineInfo(parse_score(kind, value), number("depth"), number("nodes"), number("time"), number("nps"), mate,
                      BOUNDS.get(bound, "exact"), number("multipv") or 1, tuple(pv.split()), number("seldepth"),
                      number("hashfull"))


def tells_of_line(line: str) -> bool:
    """Whether it is an `info` line with the score of a line of play."""
    return line.startswith("info ") and " score " in line and " string " not in line
