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
    """Search each position to `depth`, in one thread and with one table, and return what `HashStatistics` counted.

    The table has to be empty. `injected_fault` breaks the keys on purpose: "hand" leaves out the pawns in hand, with
    "low-bits" the low bits repeat the high ones; UserError for another. Without an `evaluator` material counts."""
