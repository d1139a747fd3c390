"""The positions searched so far, their minimax values, and the choice of the next positions to search."""
import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine import STARTPOS_SFEN, Position
from usi.book.db import BookEntry, BookMove

DRAW = 0        # the value of an endless game, for either side


class Option(NamedTuple):
    """A move as minimax sees it."""

    target: str         # the position it leads to
    guess: int          # its score by its position's search, which counts while the target has no moves


def values(graph: Mapping[str, Sequence[Option]]) -> dict[str, int]:
    """The value of each position with moves, for the side to move there.

    A move out of the graph, or into a position without moves, is worth its guess. Endless cycles are draws, so a
    position's value does not depend on the path to it. As in the retrograde analysis of endgames, the most extreme
    values are settled first. A position with a move of the highest remaining value gets that value; a position whose
    moves are all settled as losses gets the last of them; the others are draws.
    """
    settled: dict[str, int] = {}
    unsettled_moves = {position: len(options) for position, options in graph.items() if options}
    sources: defaultdict[str, list[str]] = defaultdict(list)
    moves: list[tuple[int, str, int]] = []      # magnitude, negated; position; value of a move there

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


ROOT = STARTPOS_SFEN.rpartition(" ")[0]

# Centipawns by which a search overrates its best move. The best moves of 1945 searches with 100,000 nodes were worth
# 9.5 less by the search after them; half of that is the later search's own error, for the other side.
OPTIMISM = 5


class Worth(NamedTuple):
    """A move of a position: as its search reported it, and its minimax value for its side."""

    found: BookMove
    target: str         # the position that it leads to
    value: int


class Tree:
    """Positions by their SFENs without the move number, so that transpositions are one position."""

    def __init__(self, ply_cost: int) -> None:
        """`ply_cost` is in centipawns; see `plan`."""
        self._ply_cost = ply_cost
        self._found: dict[str, tuple[BookMove, ...]] = {}
        self._graph: dict[str, tuple[Option, ...]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, placement: str, moves: Sequence[BookMove]) -> None:
        """Add a position with the moves that its search has found; none if there is nothing to play there."""
        self._found[placement] = tuple(moves)
        self._graph[placement] = tuple(Option(_after(placement, move.move), move.score) for move in moves)

    def plan(self, count: int) -> dict[str, int]:
        """Up to `count` positions to search next, each with its ply, the most plausible first.

        The cost of a line is the sum of its moves' losses against the best move by minimax, of both sides, plus
        `ply_cost` for each ply; a position costs what its cheapest line costs. Scores of searches count in full
        here, unlike in `entries`, so a move that a search overrates is looked at further.
        """
        planned: dict[str, int] = {}
        worth = values(self._graph)
        ahead = [(0, 1, ROOT)]
        seen = set()
        while ahead and len(planned) < count:
            cost, ply, placement = heapq.heappop(ahead)
            if placement in seen:
                continue
            seen.add(placement)
            if placement not in self._found:
                planned[placement] = ply
                continue
            for move in _moves(self._found[placement], self._graph[placement], worth):
                loss = worth[placement] - move.value
                heapq.heappush(ahead, (cost + loss + self._ply_cost, ply + 1, move.target))
        return planned

    def entries(self, margin: int) -> list[BookEntry]:
        """The book, sorted: each position with its moves at most `margin` centipawns below the best, best first. A move
        has its value, the expected reply, and as its depth the plies of its line in the tree plus the depth of
        the search at the line's end. Scores of searches count OPTIMISM less."""
        sober = {placement: [Option(target, guess - OPTIMISM) for target, guess in options]
                 for placement, options in self._graph.items()}
        worth = values(sober)
        plies = self._plies()
        ranked = {placement: sorted(_moves(self._found[placement], sober[placement], worth),
                                    key=lambda move: -move.value) for placement in worth}
        entries = []
        for placement, moves in ranked.items():
            near = (move for move in moves if moves[0].value - move.value <= margin)
            entries.append(BookEntry(placement, 1 + plies[placement],
                                 tuple(_book_move(placement, move, ranked) for move in near)))
        return sorted(entries, key=lambda entry: entry.sfen)

    def _plies(self) -> dict[str, int]:
        """The least number of moves from the first position to each position."""
        plies = {ROOT: 0}
        generation = [ROOT]
        while generation:
            targets = {option.target: plies[placement] + 1 for placement in generation
                       for option in self._graph.get(placement, ())}
            generation = [target for target in targets if target not in plies]
            plies |= {target: targets[target] for target in generation}
        return plies


def _moves(found: Sequence[BookMove], options: Sequence[Option], worth: Mapping[str, int]) -> Iterator[Worth]:
    for move, (target, guess) in zip(found, options, strict=True):
        yield Worth(move, target, -worth[target] if target in worth else guess)


def _after(placement: str, move: str) -> str:
    position = Position(f"{placement} 1")
    position.push(move)
    return position.sfen.rpartition(" ")[0]


def _book_move(placement: str, move: Worth, ranked: Mapping[str, Sequence[Worth]]) -> BookMove:
    """The book move, with the reply and the depth of the best line that follows, up to a repetition."""
    line, seen = [move], {placement, move.target}
    while line[-1].target in ranked:
        best = ranked[line[-1].target][0]
        line.append(best)
        if best.target in seen:
            return BookMove(move.found.move, line[1].found.move, move.value, len(line))
        seen.add(best.target)
    reply = line[1].found.move if len(line) > 1 else move.found.ponder
    return BookMove(move.found.move, reply, move.value, len(line) - 1 + line[-1].found.depth)
