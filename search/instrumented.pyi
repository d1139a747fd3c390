from collections.abc import Iterable

from engine import Position
from eval.evaluator import Evaluator
from tt.statistics.counts import Counts
from tt.table import TranspositionTable

INJECTED_FAULTS: dict[str | None, int]

def instrumented_counts(
    positions: Iterable[Position], depth: int, table: TranspositionTable, injected_fault: str | None = None,
    evaluator: Evaluator | None = None
) -> Counts:
    """Search each position to `depth` with one thread and one table, and return the counts of `HashStatistics`.

    The table must be empty. `injected_fault` breaks the keys on purpose: "hand" leaves out the pawns in hand,
    "low-bits" repeats the high bits in the low ones. Raises UserError for any other. Without an `evaluator`, evaluates
    by material. """
