from collections.abc import Callable, Sequence

from engine import Position
from search.mate import MateInfo, MateResult

class MateSolver:
    """Finds forced mates by continuous checks for the side to move.

    >>> from engine import Position
    >>> MateSolver(hash_mb=1).solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)"""

    def __init__(self, hash_mb: int = 256) -> None: ...
    @property
    def megabytes(self) -> int: ...
    @property
    def stops(self) -> int: ...
    def stop(self) -> None:
        """Stop `solve` at once, if it is running."""
    def solve(self, position: Position, movetime: float | None = None, nodes: int | None = None,
              excluded: Sequence[str] = (), end_early: bool = False, refine_ms: float | None = None,
              on_info: Callable[[MateInfo], None] | None = None, report_ms: int = 300, *,
              asked_at: int | None = None, stops: int | None = None, time_ms: float | None = None) -> MateResult:
        """Solve a problem and return a `MateResult`. Releases the GIL; Ctrl-C ends the search.

        `movetime` (ms; once called `time_ms`) and `nodes` limit the work (None: no limit; 0: no work is done). After a
        mate is proven, shorter ones are searched until there is none, for at most `refine_ms` (None: as long as time
        allows). `excluded` are first moves to leave out. With `end_early`, useless interpositions do not count: the
        line ends before them. Calls `on_info` with a `MateInfo` every `report_ms`. The time runs from `asked_at`, in
        nanoseconds of time.perf_counter_ns(), or from now. `stops` is what `MateSolver.stops` was when the problem was
        set: calls of `stop` since then end the work at once. Raises RuntimeError if another problem is being solved,
        UserError for a negative limit."""
