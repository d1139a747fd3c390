from collections.abc import Callable, Iterable
from typing import TypedDict

from engine import Position
from eval.evaluator import Evaluator
from tt.table import TranspositionTable

INJECTED_FAULTS: tuple[str, ...]
CAUSES: tuple[str, ...]
SLOTS: int              # entries of a bucket
HASH_BITS: int          # of an entry's check, by which the cases are told apart
CODE_BITS: int          # the others

class Counts(TypedDict):
    entries: int                # of the table
    used: int                   # entries in use at the end
    references: int             # nodes that probed the table
    false_hits: int             # references answered with another position's entry
    collisions: int             # false hits by keys equal in all 64 bits
    expected_false_hits: float  # for an ideal hash
    contradictions: dict[str, int]  # new bounds that crossed the opposite old one, by cause

Leave = Callable[[int, int, int, int], object]

def search_counted(positions: Iterable[Position], depth: int, table: TranspositionTable, left: Leave,
                   injected_fault: str | None = None, evaluator: Evaluator | None = None) -> Counts:
    """Empty the table, search each position to `depth` with it and one thread, and return counts by name.

    Calls left(case, filled, bucket, position) as each node is left that uses a value of the table or is about to store
    one: the case of the probe, the entries in use in the bucket, the bucket's number, and a fingerprint of the
    position. `injected_fault` breaks the keys on purpose: "hand" leaves out the pawns in hand, "low-bits" repeats the
    high bits in the low ones; meanwhile no other thread may use a position. Raises UserError for any other fault,
    RuntimeError while another search counts or uses the table. Without an `evaluator`, evaluates by material. """
def visit_counted(visits: Iterable[tuple[int, int]], table: TranspositionTable, left: Leave) -> Counts:
    """Visit nodes without children, given by key and fingerprint: probe, leave and store each. Results and errors are
    as in `search_counted`. Used by tests, which compare with ideal keys."""
