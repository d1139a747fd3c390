from collections.abc import Mapping

from engine import Position

def plain_value(position: Position, depth: int, params: Mapping[str, int], draw_value: int = 0,
                rule: str = "CSARule27", max_moves: int = 0) -> int:
    """The value of a position by minimax to `depth`, from the side to move; without a table, whatever `params` say."""
