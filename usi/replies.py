"""What engines say in USI, as a client reads it: the forms of all lines, and the figures in `info`."""
import re
from contextlib import suppress
from typing import NamedTuple

from engine import MATE, MATE_IN_MAX_PLY

MOVE = r"(?:[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])"
FORMS = re.compile("|".join((
    r"", r"usiok", r"readyok", r"id (?:name|author) .+",
    r"option name .+? type (?:check|spin|combo|button|string|filename)(?: .*)?",
    r"info(?: (?:(?:depth|seldepth|time|nodes|nps|hashfull|multipv|cpuload|currmovenumber) \d+"
    rf"|currmove {MOVE}|score (?:cp -?\d+|mate (?:[+-]?\d+|[+-]))(?: (?:lower|upper)bound)?))*"
    rf"(?: pv(?: {MOVE})+| string .*)?",
    rf"bestmove (?:resign|win|{MOVE}(?: ponder {MOVE})?)",
    rf"checkmate (?:nomate|timeout|notimplemented|{MOVE}(?: {MOVE})*)",
)))


class LastInfo(NamedTuple):
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


def parse_info(line: str) -> LastInfo:
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
    return LastInfo(score, number("depth"), number("nodes"))


def tells_of_best_line(line: str) -> bool:
    """Whether it is an `info` line with the score of the best line, or of the only one."""
    _, multipv, rest = line.partition(" multipv ")
    return (line.startswith("info ") and " score " in line and " string " not in line
            and (not multipv or rest.split()[:1] == ["1"]))
