"""A fixed set of positions to search: how many nodes, how fast, and (one thread) the same at every run."""
from dataclasses import dataclass
from importlib.resources import files

from engine import Position
from search import Limits, Searcher, Settings


@dataclass(frozen=True)
class Measurement:
    """One search of the set, from an empty table."""

    sfen: str
    depth: int
    score: int          # engine score, for the side to move
    nodes: int
    time_ms: int
    bestmove: str


def positions() -> list[str]:
    """The SFENs of the packaged set."""
    text = files("usi").joinpath("data/bench.sfens").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def measure(searcher: Searcher, sfen: str, limits: Limits) -> Measurement:
    searcher.clear()
    result = searcher.search(Position(sfen), limits, Settings())
    return Measurement(sfen, result.depth, result.score, result.nodes, result.time_ms, result.bestmove)
