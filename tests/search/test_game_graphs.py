"""What the path mark is worth, on random game graphs full of loops, where every value is known exactly.

The search here is the engine's at its barest: fail-soft alpha-beta over a table of two bounds, with the rules of
`search/alphabeta.pyx` for repetition and for what a value rests on. Truth is minimax over paths, without a table. Two
kinds of error are told apart:

draw first   a value that rests on a repetition is used on a path that lacks the loop's head
draw last    a clean value is used where a position on the path, within reach, would have made it a repetition
"""
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from engine import Position
from search import MATERIAL, Searcher
from tests.probes import minimax_value

INFINITE = 32001
WIN = 31000     # by mate or by perpetual check
DRAW = 0
GAME = -1       # a "head" in the game before the search

Heads = frozenset[int]
CLEAN: Heads = frozenset()


@dataclass(frozen=True)
class Graph:
    """A game: from node to node by turns; the side to move is the node's parity."""

    successors: list[list[int]]
    checks: set[tuple[int, int]]            # moves that give check
    values: list[int]                       # static, for the side to move

    def reach(self, node: int, plies: int) -> set[int]:
        """The nodes within so many plies."""
        seen = {node}
        border = seen
        for _ in range(plies):
            border = {target for origin in border for target in self.successors[origin]} - seen
            seen |= border
        return seen


def random_graph(seed: int, pairs: int = 7, degree: int = 3) -> Graph:
    rng = Random(seed)
    sides = [range(0, 2 * pairs, 2), range(1, 2 * pairs, 2)]
    successors = [sorted(rng.sample(sides[1 - node % 2], rng.randint(1, degree))) for node in range(2 * pairs)]
    moves = [(origin, target) for origin, targets in enumerate(successors) for target in targets]
    return Graph(successors, set(rng.sample(moves, len(moves) // 3)), [rng.randint(-9, 9) for _ in range(2 * pairs)])


@dataclass
class Path:
    """The game and, from `root` on, the search's line."""

    graph: Graph
    nodes: list[int]
    root: int = field(init=False)

    def __post_init__(self) -> None:
        self.root = len(self.nodes) - 1

    @property
    def ply(self) -> int:
        return len(self.nodes) - 1 - self.root

    def verdict(self) -> tuple[int, int] | None:
        """The value and the ply of the position repeated (-1: in the game): once after the root is enough, from the
        root back it takes the fourth occurrence."""
        last = len(self.nodes) - 1
        earlier = [i for i in range(last - 2, -1, -2) if self.nodes[i] == self.nodes[last]]
        for seen, i in enumerate(earlier, 2):
            if i > self.root or seen == 4:
                ours, theirs = self.checked_throughout(i)
                value = DRAW if ours == theirs else -WIN if ours else WIN
                return value, max(i - self.root, GAME)
        return None

    def checked_throughout(self, start: int) -> list[bool]:
        """Whether each side, the one to move at `start` first, has given check with all its moves from there on."""
        moves = list(zip(self.nodes[start:], self.nodes[start + 1:], strict=False))
        return [all(move in self.graph.checks for move in moves[side::2]) for side in (0, 1)]

    def checks_since(self, heads: Heads) -> dict[int, list[bool]]:
        """`checked_throughout` from each of these heads that the path has."""
        return {self.nodes[i]: self.checked_throughout(i)
                for i in range(self.root + 1, len(self.nodes)) if self.nodes[i] in heads}

    def children(self) -> Iterator["Path"]:
        """This path, longer by each move in turn."""
        node = self.nodes[-1]
        for child in self.graph.successors[node]:
            self.nodes.append(child)
            try:
                yield self
            finally:
                self.nodes.pop()


def truth(path: Path, depth: int) -> int:
    """Minimax over paths."""
    verdict = path.verdict() if path.ply else None
    if verdict:
        return verdict[0]
    if depth == 0:
        return path.graph.values[path.nodes[-1]]
    return max((-truth(path, depth - 1) for _ in path.children()), default=-WIN)


@dataclass
class Bound:
    value: int
    rests_on: Heads
    checks: dict[int, list[bool]]   # by either side all the way from each head, which decides what a lap comes to
    marked: bool


@dataclass
class GraphSearch:
    """Alpha-beta with a table whose bounds serve searches of equal depth.

    `guard`: the path mark keeps a bound that rests on a repetition from use.
    `reuse`: … unless all heads it rests on are on the path, with checks as before.
    `no_draw_last`: a bound is passed over where a position on the path that it does not rest on is within reach.
    """

    guard: bool = True
    reuse: bool = False
    no_draw_last: bool = False
    table: dict[tuple[int, int, str], Bound] = field(default_factory=dict)
    draw_first: int = 0     # uses of bounds whose heads the path lacks
    draw_last: int = 0      # uses of bounds within reach of a position that they take no account of
    reused: int = 0

    def usable(self, path: Path, bound: Bound, depth: int) -> bool:
        above = set(path.nodes[path.root + 1:-1])
        holds = bound.rests_on <= above
        passed_over = bool(path.graph.reach(path.nodes[-1], depth) & (above - bound.rests_on))
        if bound.marked and not (self.reuse and holds and path.checks_since(bound.rests_on) == bound.checks):
            return False
        if self.no_draw_last and passed_over:
            return False
        self.draw_first += not holds
        self.draw_last += holds and passed_over
        self.reused += bound.marked
        return True

    def value(self, path: Path, alpha: int, beta: int, depth: int) -> tuple[int, Heads]:
        """A fail-soft value and the heads that it rests on."""
        node = path.nodes[-1]
        if path.ply:
            verdict = path.verdict()
            if verdict:
                head = verdict[1]
                return verdict[0], frozenset([path.nodes[path.root + head] if head >= 0 else GAME])
        if depth == 0:
            return path.graph.values[node], CLEAN
        old_alpha = alpha
        for side in ("lower", "upper"):
            bound = self.table.get((node, depth, side))
            if path.ply == 0 or bound is None:
                continue
            cuts = bound.value >= beta if side == "lower" else bound.value <= alpha
            if cuts and self.usable(path, bound, depth):
                return bound.value, bound.rests_on
        best, rests_on = -INFINITE, CLEAN
        for _ in path.children():
            value, below = self.value(path, -beta, -alpha, depth - 1)
            rests_on |= below
            if -value > best:
                best = -value
                if best >= beta:
                    rests_on = below
                    break
                alpha = max(alpha, best)
        rests_on -= {node}
        bound = Bound(best, rests_on, path.checks_since(rests_on), self.guard and bool(rests_on))
        if best > old_alpha:
            self.table[node, depth, "lower"] = bound
        if best < beta:
            self.table[node, depth, "upper"] = bound
        return best, rests_on


@dataclass
class Tally:
    wrong: int = 0
    draw_first: int = 0
    draw_last: int = 0
    reused: int = 0


def tally(guard: bool, reuse: bool = False, no_draw_last: bool = False) -> Tally:
    """Root values against the truth, over many graphs, at each depth with the table of those before."""
    total = Tally()
    for seed in range(120):
        graph = random_graph(seed)
        search = GraphSearch(guard, reuse, no_draw_last)
        game = random_game(graph, seed)
        for depth in range(1, 9):
            value, _ = search.value(Path(graph, game), -INFINITE, INFINITE, depth)
            total.wrong += value != truth(Path(graph, game), depth)
        total.draw_first += search.draw_first
        total.draw_last += search.draw_last
        total.reused += search.reused
    return total


def random_game(graph: Graph, seed: int) -> list[int]:
    """Moves up to the root, shuttling too; none of them has ended the game."""
    rng = Random(seed)
    game = [0]
    for _ in range(seed % 9):
        move = rng.choice(graph.successors[game[-1]])
        if game.count(move) < 3:
            game.append(move)
    return game


def test_without_the_guard_draws_come_first() -> None:
    """The errors are there to be found: with draw last ruled out, draw first alone makes root values wrong."""
    unguarded = tally(guard=False, no_draw_last=True)
    assert unguarded.draw_first > 100
    assert unguarded.wrong > 10


def test_with_the_guard_none_does() -> None:
    guarded = tally(guard=True, no_draw_last=True)
    assert (guarded.wrong, guarded.draw_first) == (0, 0)


def test_reuse_where_the_heads_are_on_the_path_adds_no_error() -> None:
    reusing = tally(guard=True, reuse=True, no_draw_last=True)
    assert (reusing.wrong, reusing.draw_first) == (0, 0)
    assert reusing.reused > 100


@pytest.mark.parametrize("reuse", [False, True])
def test_draws_that_come_last_remain(reuse: bool) -> None:
    """The guard does not see them, and they are rarer than the errors that it does away with."""
    guarded, unguarded = tally(guard=True, reuse=reuse), tally(guard=False)
    assert guarded.draw_first == 0
    assert guarded.draw_last > 100
    assert 0 < guarded.wrong < unguarded.wrong


def lap_with_exit(worth: int) -> Graph:
    """A lap 1, 2, 3, 4 and back to 1. Instead, 2 may leave for 5, which comes to so much for it at depth 4."""
    return Graph([[1], [2], [3, 5], [4], [1], [6], [7], [8], [7]], set(), [0] * 8 + [worth])


@pytest.mark.parametrize(("worth", "alpha", "beta", "rests_on"), [
    (5, -INFINITE, INFINITE, {1}),      # inside the window every move counts, the draw among them
    (-5, 0, 3, {1}),                    # so they do when all fail low
    (-5, -3, 0, {1}),                   # the draw cuts off
    (5, 0, 5, set()),                   # the way out cuts off: the draw before it does not matter
])
def test_what_a_value_rests_on(worth: int, alpha: int, beta: int, rests_on: set[int]) -> None:
    path = Path(lap_with_exit(worth), [0])
    path.nodes += [1, 2]
    assert GraphSearch().value(path, alpha, beta, 4)[1] == rests_on


def test_the_mark_clears_at_the_head() -> None:
    search = GraphSearch()
    assert search.value(Path(lap_with_exit(-5), [0]), -INFINITE, INFINITE, 6) == (DRAW, CLEAN)
    assert search.table[2, 4, "upper"].marked
    assert not search.table[1, 5, "upper"].marked


SHOGI = [
    "R7k/9/9/9/9/9/9/9/K8 w - 1",
    "k8/9/9/9/4+p4/9/9/9/8K b - 1",
    "k7r/9/9/9/9/9/9/9/8K b - 1",
]


def shogi_graph(position: Position, plies: int) -> Graph:
    """The positions within so many plies; node 0 is this one."""
    evaluate = Searcher(hash_mb=1, evaluator=MATERIAL).evaluate
    graph = Graph([], set(), [])
    numbers: dict[int, int] = {}

    def number(position: Position) -> int:
        if position.key not in numbers:
            numbers[position.key] = len(numbers)
            graph.successors.append([])
            graph.values.append(evaluate(position))
        return numbers[position.key]

    border = {number(position): position.copy()}
    for _ in range(plies):
        found = {}
        for origin, here in border.items():
            for move in here.legal_moves():
                there = here.copy()
                there.push(move)
                known = len(numbers)
                target = number(there)
                graph.successors[origin].append(target)
                if there.in_check:
                    graph.checks.add((origin, target))
                if target == known:
                    found[target] = there
        border = found
    return graph


@pytest.mark.parametrize("sfen", SHOGI)
def test_rules_are_those_of_the_engine(sfen: str) -> None:
    """On graphs of real positions truth is what the engine's plain minimax says, but for the length of mates."""
    depth = 5
    graph = shogi_graph(Position(sfen), depth)
    engine = minimax_value(Position(sfen), depth, {"qsearch": 0})
    assert truth(Path(graph, [0]), depth) == max(-WIN, min(engine, WIN))
