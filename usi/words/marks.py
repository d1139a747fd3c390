"""Kinds of bad moves: what they cost, and what they are called."""
from dataclasses import dataclass

DECIDED = 2000      # centipawns: a score beyond it, or a mate, counts as this much when centipawns are compared


@dataclass(frozen=True)
class Mark:
    """A kind of bad move: one that loses at least this much expected score, or this many centipawns."""

    symbol: str
    name: str
    japanese: str
    expected: float     # points of a game, 0 to 1
    centipawns: int
    colour: str         # on a terminal


# The worst first.
MARKS = (
    Mark("??", "blunder", "大悪手", 0.20, 1200, "bright_red"),
    Mark("?", "mistake", "悪手", 0.10, 600, "red"),
    Mark("?!", "doubtful", "疑問手", 0.05, 300, "yellow"),
)
