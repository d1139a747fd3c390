"""Perft for the session: it can be stopped, which the core's own cannot."""
from collections.abc import Callable

from engine import Position

UNINTERRUPTED_DEPTH = 4     # plies that the core counts in well under a second from any usual position


def count(position: Position, depth: int, stopped: Callable[[], bool]) -> int:
    """The leaves `depth` plies below `position`; once `stopped()` is true, a number that means nothing."""
    if depth <= UNINTERRUPTED_DEPTH:
        return position.perft(depth)
    leaves = 0
    for move in position.legal_moves():
        if stopped():
            break
        position.push(move)
        leaves += count(position, depth - 1, stopped)
        position.pop()
    return leaves
