"""The bench: searches of a fixed set of positions. With one thread the node counts are reproducible."""
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from engine import Position
from search import Info, Limits, Searcher, Settings

BENCH_DEPTH = 13            # depth of each search, unless it has another limit


@dataclass(frozen=True)
class Measurement:
    """The search of one position, from an empty table."""

    sfen: str
    depth: int
    score: int          # for the side to move
    nodes: int
    time_ms: int
    bestmove: str | None


def positions() -> list[str]:
    """The SFENs of the packaged positions."""
    text = files("search").joinpath("data/bench.sfens").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def measure(searcher: Searcher, sfen: str, limits: Limits,
            on_info: Callable[[Info], None] | None = None) -> Measurement:
    """Search one position; `on_info` gets the reports of every iteration."""
    searcher.clear()
    result = searcher.search(Position(sfen), limits, Settings(), on_info)
    return Measurement(sfen, result.depth, result.score, result.nodes, result.time_ms, result.bestmove)


def fingerprint(searcher: Searcher, nodes: int) -> str:
    """A checksum of the results of short searches of all positions, with one thread. The checksum changes when search
    or evaluation changes."""
    found = [measure(searcher, sfen, Limits(nodes=nodes)) for sfen in positions()]
    text = repr([(each.bestmove, each.score, each.depth, each.nodes) for each in found])
    return sha256(text.encode()).hexdigest()[:16]
