"""The mate solver: df-pn over checks and evasions, apart from the search for a move."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from engine.board import Position
from search.mate.result import MateInfo, MateResult
from search.mate.solver import MateSolver

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
