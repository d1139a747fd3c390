"""The pool of workers: its size, and what all of them count."""
import pytest

from engine import Position
from search import MATERIAL, Limits, Searcher, Settings


def test_has_as_many_threads_as_told() -> None:
    searcher = Searcher(hash_mb=1, evaluator=MATERIAL)
    for threads in (3, 1, 2):
        assert searcher.set_threads(threads) == threads
    with pytest.raises(ValueError, match="0 threads"):
        searcher.set_threads(0)


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_the_nodes_and_stores_of_all(threads: int) -> None:
    searcher = Searcher(hash_mb=4, threads=threads, evaluator=MATERIAL)
    result = searcher.search(Position(), Limits(nodes=20_000), Settings())
    assert 0 < searcher.traffic["stores"] <= 2 * result.nodes
    assert result.nodes <= 20_000
