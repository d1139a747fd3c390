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
    """`mate` is proven, and `moves` leads to it; `nomate` is proven; `timeout` says nothing."""

    outcome: Outcome
    moves: tuple[str, ...]
    shortest: bool              # proven: no shorter mate against the best defence
    nodes: int
    time_ms: int
    hashfull: int
