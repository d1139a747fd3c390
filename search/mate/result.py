"""What a mate solver reports and what it answers."""
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["mate", "nomate", "timeout"]


@dataclass(frozen=True)
class MateInfo:
    """How the work stands."""

    nodes: int                  # moves made
    time_ms: int
    hashfull: int               # per mille of the table
    path: tuple[str, ...]       # the line looked at
    mate: tuple[str, ...]       # the shortest line to a mate found so far; a shorter one is being looked for


@dataclass(frozen=True)
class MateResult:
    """`mate` is proven, and `moves` leads to it; `nomate` is proven; `timeout` says nothing.

    `moves` is as long as the mate takes against the best defence that is known. Where time was too short to find such a
    line it may have fewer than `plies`."""

    outcome: Outcome
    moves: tuple[str, ...]
    shortest: bool              # proven: no shorter mate against the best defence
    nodes: int
    time_ms: int
    hashfull: int
    plies: int = 0              # of the mate: proven to come within so many, whatever the defence; 0 without a mate
