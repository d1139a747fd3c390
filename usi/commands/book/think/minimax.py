"""What positions are worth when both sides choose, in a graph of positions that may run in circles."""
import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

DRAW = 0        # what a game that never ends is worth, to either side


class Option(NamedTuple):
    """A move as minimax sees it."""

    target: str         # the position it leads to
    guess: int          # what the move is worth to its side as long as no move is known of the target


def values(graph: Mapping[str, Sequence[Option]]) -> dict[str, int]:
    """What each position with moves is worth to the side that is to move, which is the other one after each move.

    A move out of the graph, or into a position without moves, is worth its guess. Play that goes round for ever is a
    draw, so no position's value hangs upon the way that led there. As in the retrograde analysis of endgames, the most
    extreme values are settled first: a position one of whose moves has the highest value left is worth that, one whose
    moves are all settled as losses the last of them, and what is never settled is a draw.
    """
    settled: dict[str, int] = {}
    unsettled_moves = {position: len(options) for position, options in graph.items() if options}
    sources: defaultdict[str, list[str]] = defaultdict(list)
    moves: list[tuple[int, str, int]] = []      # magnitude, negated; of this position a move is worth so much

    def settle_move(position: str, value: int) -> None:
        heapq.heappush(moves, (-abs(value), position, value))

    for position in unsettled_moves:
        for target, guess in graph[position]:
            if target in unsettled_moves:
                sources[target].append(position)
            elif guess != DRAW:
                settle_move(position, guess)
    while moves:
        _, position, value = heapq.heappop(moves)
        unsettled_moves[position] -= 1
        if position not in settled and (value > DRAW or not unsettled_moves[position]):
            settled[position] = value
            for source in sources[position]:
                settle_move(source, -value)
    return {position: settled.get(position, DRAW) for position in unsettled_moves}
