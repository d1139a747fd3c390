"""The mate solver: df-pn over checks and evasions, apart from the search for a move."""
from dataclasses import dataclass
from typing import Literal

from engine.system.cpu import chosen

__path__ = chosen(__path__)

from engine.board import Position

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


from search.mate.solver import MateSolver  # noqa: E402 - it makes those

__all__ = ["MateInfo", "MateResult", "MateSolver", "solve"]


def solve(position: Position, *, nodes: int | None = None, time_ms: float | None = None,
          hash_mb: int = 64) -> MateResult:
    """A forced mate by checks alone, the side to move being the attacker; the shortest one, if the limits allow.

    `nodes` (moves made) and `time_ms` limit the work; without them it goes on until it is proven that there is none
    shorter. For many problems make one `MateSolver`.

    >>> solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)
    """
    return MateSolver(hash_mb).solve(position, time_ms=time_ms, nodes=nodes)
