from engine import Position

def mate_in_1(position: Position) -> str | None:
    """A move that mates at once, in USI; None if there is none.

    >>> mate_in_1(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")), mate_in_1(Position())
    ('G*5b', None)"""
