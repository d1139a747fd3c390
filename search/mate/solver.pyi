from collections.abc import Callable, Sequence

from engine import Position
from search.mate import MateInfo, MateResult

class MateSolver:
    """Finds forced mates by checks alone, the side to move being the attacker.

    >>> from engine import Position
    >>> MateSolver(hash_mb=1).solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)"""

    def __init__(self, hash_mb: int = 256) -> None: ...
    @property
    def megabytes(self) -> int: ...
    def arm(self, asked_at: int | None = None) -> None:
        """Say that `solve` is about to be called in another thread: a `stop` is meant for it, and its time began at
        `asked_at` (time.perf_counter_ns; None: now)."""
    def stop(self) -> None:
        """End the work at once; without any, nothing happens."""
    def solve(self, position: Position, time_ms: float | None = None, nodes: int | None = None,
              excluded: Sequence[str] = (), end_early: bool = False, refine_ms: float | None = None,
              on_info: Callable[[MateInfo], None] | None = None, report_ms: int = 300) -> MateResult:
        """Solve a problem; returns a `MateResult`. Blocks, with the interpreter free for other threads; Ctrl-C ends it.

        `time_ms` and `nodes` limit the work (None: they do not; 0: nothing is done). Once a mate is proven, a shorter
        one is looked for until there is none, for at most `refine_ms` (None: for as long as there is time). `excluded`
        are moves not to begin with. With `end_early`, interpositions that the checking piece takes again and again
        until the mate do not count: the line ends before them. `on_info` is called with a `MateInfo` every `report_ms`.
        RuntimeError if a problem is being solved, UserError for a negative limit."""
