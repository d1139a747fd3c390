"""What a search says: lines that can be played, and a last report that agrees with the result."""
from collections.abc import Callable

from engine import MATE, Position
from search import Limits, Searcher
from tests.each import each
from tests.search.conftest import MIDDLE_GAME, infos_of

Walk = Callable[[int, int], Position]


@each("seed", range(40))
def test_all_moves_named_are_legal(searcher: Searcher, walk: Walk, seed: int) -> None:
    position = walk(seed, 5 * seed)
    result, infos = infos_of(searcher, position, Limits(depth=4))
    line = position.copy()
    assert result.bestmove
    line.push(result.bestmove)
    if result.ponder is not None:
        line.push(result.ponder)
    for info in infos:
        line = position.copy()
        for move in info.pv:
            line.push(move)


def test_multi_pv_beyond_the_number_of_moves(searcher: Searcher) -> None:
    position = Position("8k/7R1/9/9/9/9/9/9/K8 w - 1")
    _, infos = infos_of(searcher, position, Limits(depth=3), multi_pv=500)
    assert {info.multipv for info in infos} == set(range(1, len(position.legal_moves()) + 1))


@each("nodes", [1000, 3000, 3001, 20_000])
def test_the_last_report_is_of_the_whole_search(searcher: Searcher, nodes: int) -> None:
    result, infos = infos_of(searcher, Position(MIDDLE_GAME), Limits(nodes=nodes))
    assert infos[-1].nodes == result.nodes == nodes
    assert (infos[-1].pv[0], infos[-1].score) == (result.bestmove, result.score)
    finished = [info for info in infos[:-1] if info.bound == "exact"]
    assert finished
    same = (infos[-1].pv[0], infos[-1].score) == (finished[-1].pv[0], finished[-1].score)
    assert infos[-1].depth - result.depth == (not same)     # an old line is not called deeper
    result, infos = infos_of(searcher, Position(MIDDLE_GAME), Limits(depth=4), multi_pv=2)
    lines = [(info.depth, info.multipv) for info in infos if info.bound == "exact"]
    assert lines[-4:] == [(3, 1), (3, 2), (4, 1), (4, 2)]  # and not said twice


def test_a_king_that_arrives_is_reported_and_moved(searcher: Searcher) -> None:
    result, infos = infos_of(searcher, Position("9/5K3/9/9/9/9/9/9/k8 b - 1"), Limits(depth=3),
                             entering_king_rule="TryRule")
    assert [info.pv for info in infos] == [("4b5a",)]
    assert (result.bestmove, result.ponder, result.score, infos[0].score) == ("4b5a", None, MATE - 1, MATE - 1)
