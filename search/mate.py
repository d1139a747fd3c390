"""What a mate solver reports and what it answers."""
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["mate", "nomate", "timeout"]


@dataclass(frozen=True)
class MateInfo:
    """How the work stands: `pv` is the line that the search is looking at, `length` the plies of the mate if one has
    been proven and a shorter one is looked for."""

    nodes: int                  # moves made
    time_ms: int
    hashfull: int               # per mille of the table
    seldepth: int               # plies of the line looked at
    pv: tuple[str, ...]
    length: int | None

    @property
    def nps(self) -> int:
        return self.nodes * 1000 // max(self.time_ms, 1)


@dataclass(frozen=True)
class MateResult:
    """`mate` is proven, and `moves` leads to it; `nomate` is proven; `timeout` says nothing."""

    outcome: Outcome
    moves: tuple[str, ...]
    shortest: bool              # proven: no shorter mate against the best defence
    nodes: int
    time_ms: int
    hashfull: int
