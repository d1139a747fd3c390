from collections.abc import Sequence

from engine import Position
from eval.evaluator import Evaluator

def best_by_static_order(position: Position, evaluator: Evaluator, wanted: Sequence[str] = ()) -> str | None:
    """The move, in USI, with the best evaluation after the opponent's best exchange; None if there is no move. Mating
    moves come first, moves that allow a mate in one last. `wanted`: choose among these legal moves, if there are
    any."""
