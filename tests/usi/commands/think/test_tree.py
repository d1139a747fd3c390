"""The order in which a book grows, and the book written, compared with following all lines one by one."""
from collections.abc import Iterator
from random import Random

from engine import Position
from tests.each import each
from tests.usi.commands.think.graphs import after, shuffling
from usi.book.db import BookMove
from usi.commands.book.think.tree import OPTIMISM, ROOT, Option, Tree, values

Graph = dict[str, list[Option]]


def exhaustive(graph: Graph, position: str, path: tuple[str, ...] = ()) -> int:
    """Every line to its end: a guess, or a position that the line has met before, which is a draw."""
    path = (*path, position)
    return max(0 if target in path else -exhaustive(graph, target, path) if graph.get(target) else guess
               for target, guess in graph[position])


def random_graph(random: Random) -> Graph:
    """Positions of Black and of White, each with moves to some of the other side's; some are not in the graph, and
    some in it have no moves."""
    count = random.randint(1, 5)
    spread = random.choice([2, 20])         # many equal values, or few
    graph: Graph = {}
    for side, other in ("bw", "wb"):
        for number in range(count):
            targets = random.sample(range(count + 2), random.randint(0, min(3, count)))
            graph[f"{side}{number}"] = [Option(f"{other}{target}", random.randint(-spread, spread))
                                        for target in targets]
    return graph


@each("seed", range(300))
def test_values_are_those_of_exhaustive_play(seed: int) -> None:
    graph = random_graph(Random(seed))
    assert values(graph) == {position: exhaustive(graph, position) for position in graph if graph[position]}


def test_a_deep_line_needs_no_deep_stack() -> None:
    line = {str(ply): [Option(str(ply + 1), 5)] for ply in range(10_000)}
    assert values(line)["0"] == -5


# -- Over the positions of books ---------------------------------------------------------------------------------------

SEEDS = range(12)
PLY_COST = 4


class Plain:
    """A tree that goes through every line, for as many positions as that is possible with."""

    def __init__(self, optimism: int = 0) -> None:
        self.found: dict[str, list[BookMove]] = {}
        self._optimism = optimism

    @property
    def graph(self) -> Graph:
        return {placement: [Option(after(placement, move.move), move.score - self._optimism) for move in moves]
                for placement, moves in self.found.items()}

    def values(self) -> dict[str, list[int]]:
        """The values of the moves of each position."""
        graph = self.graph
        return {placement: [-exhaustive(graph, target) if graph.get(target) else guess for target, guess in options]
                for placement, options in graph.items() if options}

    def lines(self) -> Iterator[tuple[int, int, str]]:
        """All that lead to a position not known: what each costs, its last ply, and the position."""
        graph, worth = self.graph, self.values()

        def follow(placement: str, cost: int, path: list[str]) -> Iterator[tuple[int, int, str]]:
            if placement not in graph:
                yield cost, len(path) + 1, placement
            elif placement not in path:
                for option, value in zip(graph[placement], worth.get(placement, ()), strict=True):
                    yield from follow(option.target, cost + max(worth[placement]) - value + PLY_COST,
                                      [*path, placement])
        yield from follow(ROOT, 0, [])

    def plan(self, count: int) -> dict[str, int]:
        cheapest: dict[str, tuple[int, int]] = {}
        for cost, ply, placement in self.lines():
            cheapest[placement] = min(cheapest.get(placement, (cost, ply)), (cost, ply))
        order = sorted(cheapest, key=lambda placement: (*cheapest[placement], placement))
        return {placement: cheapest[placement][1] for placement in order[:count]}


@each("seed", SEEDS)
def test_positions_come_in_the_order_of_the_plainest_search(seed: int) -> None:
    tree, plain = Tree(PLY_COST), Plain()
    for size in (1, 1, 2, 1, 3, 1, 2):
        planned = tree.plan(size)
        assert list(planned.items()) == list(plain.plan(size).items())
        for placement in planned:
            # Some turn out to be ends of the game: no line goes on there.
            moves = shuffling(placement, seed) if seed % 3 or len(tree) % 5 != 4 else []
            tree.add(placement, moves)
            plain.found[placement] = moves
    assert len(tree) == len(plain.found) == 11


@each("seed", SEEDS)
@each("margin", [0, 25, 1000])
def test_the_book_has_the_moves_near_the_best_by_minimax(seed: int, margin: int) -> None:
    tree, plain = Tree(PLY_COST), Plain(OPTIMISM)
    while len(tree) < 11:
        for placement in tree.plan(1):
            plain.found[placement] = shuffling(placement, seed)
            tree.add(placement, plain.found[placement])
    entries = tree.entries(margin)
    assert [entry.sfen for entry in entries] == sorted(entry.sfen for entry in entries)
    worth = plain.values()
    assert {entry.placement for entry in entries} == worth.keys()
    for entry in entries:
        found = {move.move: value for move, value in zip(plain.found[entry.placement], worth[entry.placement],
                                                         strict=True)}
        best = max(found.values())
        assert {move.move: move.score for move in entry.moves} == {
            move: value for move, value in found.items() if best - value <= margin}
        assert [move.score for move in entry.moves] == sorted((move.score for move in entry.moves), reverse=True)


def test_plies_replies_and_depths_are_those_of_the_best_line() -> None:
    tree = Tree(PLY_COST)
    first = after(ROOT, "7g7f")
    second = after(first, "3c3d")
    tree.add(ROOT, [BookMove("7g7f", "8c8d", 30, 10), BookMove("2g2f", "8c8d", 20, 9)])
    tree.add(first, [BookMove("8c8d", "2g2f", 10, 11), BookMove("3c3d", None, 5, 12)])
    tree.add(second, [BookMove("2g2f", "4a3b", -3, 13)])
    start, reply, last = sorted(tree.entries(50), key=lambda entry: entry.move_number or 0)
    assert [entry.move_number for entry in (start, reply, last)] == [1, 2, 3]
    assert [str(move) for move in start.moves] == ["2g2f 8c8d 15 9 0", "7g7f 3c3d -8 15 0"]
    assert [str(move) for move in reply.moves] == ["3c3d 2g2f 8 14 0", "8c8d 2g2f 5 11 0"]
    assert [str(move) for move in last.moves] == ["2g2f 4a3b -8 13 0"]
    assert tree.plan(9) == {after(first, "8c8d"): 3, after(second, "2g2f"): 4, after(ROOT, "2g2f"): 2}


def test_lines_that_go_round_are_draws_and_their_depth_ends_there() -> None:
    tree = Tree(PLY_COST)
    line = ["5i5h", "5a5b", "5h5i", "5b5a"]
    placement = ROOT
    for move in line:
        tree.add(placement, [BookMove(move, None, -20, 9)])
        placement = after(placement, move)
    assert placement == ROOT
    assert [(move.score, move.depth) for entry in tree.entries(0) for move in entry.moves] == [(0, 4)] * 4
    assert tree.plan(1) == {}


def test_an_end_of_the_game_keeps_the_guess_and_is_not_planned_again() -> None:
    tree = Tree(PLY_COST)
    assert tree.plan(5) == {ROOT: 1}
    assert Position().sfen == f"{ROOT} 1"
    tree.add(ROOT, [BookMove("7g7f", None, 30, 10)])
    tree.add(after(ROOT, "7g7f"), [])
    assert tree.plan(5) == {}
    (entry,) = tree.entries(0)
    assert [str(move) for move in entry.moves] == ["7g7f none 25 10 0"]
