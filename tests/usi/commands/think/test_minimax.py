"""Minimax over graphs that run in circles, against play followed through to every end."""
from random import Random

from tests.each import each
from usi.commands.book.think.tree import Option, values

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
