"""The mate solver: df-pn search over checks and evasions."""
import warnings
from dataclasses import dataclass
from typing import Literal

from engine.system.cpu import chosen

__path__ = chosen(__path__)

from engine.board import Position

Outcome = Literal["mate", "nomate", "timeout"]

REFINE_MS = 5000            # for `refine_ms` of `MateSolver.solve`: at most, to look for a mate shorter than the first


@dataclass(frozen=True)
class MateInfo:
    """A progress report."""

    nodes: int                  # moves made
    time_ms: int
    hashfull: int               # per mille
    path: tuple[str, ...]       # the line being searched
    mate: tuple[str, ...]       # the shortest mate found so far; a shorter one is being searched


@dataclass(frozen=True)
class MateResult:
    """The result of a mate search: `mate` (proven, with its line `moves`), `nomate` (proven) or `timeout` (unknown).

    `moves` is the line against the best known defence. If time was too short to find it, the line may have fewer than
    `plies` moves."""

    outcome: Outcome
    moves: tuple[str, ...]
    shortest: bool              # proven to be the shortest mate
    nodes: int
    time_ms: int
    hashfull: int
    plies: int = 0              # within which mate is proven against any defence; 0 without a mate


from search.mate.mate1 import mate_in_1  # noqa: E402
from search.mate.solver import MateSolver  # noqa: E402 - it uses the classes above

__all__ = ["REFINE_MS", "MateInfo", "MateResult", "MateSolver", "mate_in_1", "solve"]


def solve(position: Position, *, nodes: int | None = None, movetime: float | None = None,
          hash_mb: int = 64, time_ms: float | None = None) -> MateResult:
    """Find a mate by continuous checks for the side to move; the shortest one, if the limits allow.

    `nodes` (moves made) and `movetime` (ms; once called `time_ms`) limit the work. Without them it continues until the
    mate is proven to be the shortest. For many problems use one `MateSolver`.

    >>> solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)
    """
    if time_ms is not None:
        warnings.warn("time_ms is now movetime, as in Limits", DeprecationWarning, stacklevel=2)
        movetime = time_ms
    return MateSolver(hash_mb).solve(position, movetime=movetime, nodes=nodes)
