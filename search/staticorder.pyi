from collections.abc import Sequence

from engine import Position
from eval.evaluator import Evaluator

def best_by_static_order(position: Position, evaluator: Evaluator, wanted: Sequence[str] = ()) -> str | None:
    """The legal move, among `wanted` if there are any, that leaves the best evaluation once the opponent has taken what
    it can win by exchange, in USI; None where there is no move. One that mates comes first, one that is answered by a
    mate in one last."""
