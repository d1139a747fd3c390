from collections.abc import Mapping

from engine import Position
from eval.evaluator import Evaluator

def minimax_value(position: Position, depth: int, params: Mapping[str, int], draw_value: int = 0,
                  rule: str = "CSARule27", max_moves: int = 0, evaluator: Evaluator | None = None) -> int:
    """The value of a position by minimax to `depth`, from the side to move; without a transposition table, whatever
    `params` say, and by material alone without an `evaluator`."""
