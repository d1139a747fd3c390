"""Minimax over graphs that run in circles, against play followed through to every end."""
from collections.abc import Sequence
from random import Random

import pytest

from usi.commands.book.think.minimax import Option, values

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


@pytest.mark.parametrize("seed", range(300))
def test_values_are_those_of_exhaustive_play(seed: int) -> None:
    graph = random_graph(Random(seed))
    assert values(graph) == {position: exhaustive(graph, position) for position in graph if graph[position]}


def circles(graph: Graph) -> bool:
    """Whether some line meets a position again."""
    def meets(position: str, path: Sequence[str]) -> bool:
        return position in path or any(meets(target, [*path, position]) for target, _ in graph.get(position, ()))
    return any(meets(position, []) for position in graph)


def test_the_graphs_try_what_they_should() -> None:
    graphs = [random_graph(Random(seed)) for seed in range(300)]
    assert 50 < sum(map(circles, graphs)) < 250
    found = [value for graph in graphs for value in values(graph).values()]
    assert 0.05 < found.count(0) / len(found) < 0.5


def test_a_circle_is_a_draw_to_who_has_nothing_better() -> None:
    graph = {"b": [Option("w", 50), Option("out", -30)], "w": [Option("b", 50), Option("out", -9)]}
    assert values(graph) == {"b": 0, "w": 0}
    graph["w"].append(Option("out", 7))
    assert values(graph) == {"b": -7, "w": 7}


def test_a_deep_line_needs_no_deep_stack() -> None:
    line = {str(ply): [Option(str(ply + 1), 5)] for ply in range(10_000)}
    assert values(line)["0"] == -5
