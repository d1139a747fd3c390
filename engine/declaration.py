"""The conditions for declaring a win that a side fulfils."""
from typing import NamedTuple


class Declaration(NamedTuple):
    """A side's progress towards declaring a win by its entered king. A declaration needs the points, ten pieces and the
    king in the camp (the opponent's three ranks), the turn, and no check (Position.can_declare)."""

    points: int         # of the pieces in the camp and in hand: 5 for rook and bishop, 1 for others, none for the king
    needed: int         # of them, by the rule
    pieces: int         # in the camp, without the king
    has_entered: bool   # whether the king stands there
