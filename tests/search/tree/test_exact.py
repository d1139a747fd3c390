"""With all selectivity off, the root value is that of plain minimax: with and without a table, one and two threads."""
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random

import pytest

from engine import Position
from eval.evaluator import Evaluator
from search import MATERIAL, Info, Limits, Searcher, Settings
from tests.each import each
from tests.search.conftest import UNSELECTIVE, Walk, sfen_of
from tests.search_probes import minimax_value
from tests.weights import random_evaluator

# Few moves a node, so that plain minimax gets deep enough for transpositions and mates.
SPARSE = [
    "4k4/9/4P4/9/9/9/9/9/4K4 b - 1",
    "4k4/3p5/9/4P4/9/9/4p4/9/4K4 w - 1",
    "8k/6S2/7S1/9/9/9/9/9/K8 b - 1",
    "7nk/7pl/9/7N1/9/9/9/9/K8 b - 1",
    "3k5/9/3P5/9/9/5p3/9/5K3/9 b - 1",
]
RICH = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
]
SQUARES = [file + rank for rank in "abcdefghi" for file in "987654321"]
STATIC_LEAVES = {**UNSELECTIVE, "qsearch": 0}


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    """A random evaluator, which gives the leaves of a tree random values."""
    yield random_evaluator(1)
    searcher_of.cache_clear()


def sparse(seed: int) -> Position:
    """Two kings and a few other pieces anywhere, to be played on."""
    rng = Random(seed)
    while True:
        pieces = ["K", "k", *rng.choices("PLNSGBRplnsgbr", k=rng.randint(1, 4))]
        board = dict(zip(rng.sample(SQUARES, len(pieces)), pieces, strict=True))
        try:
            position = Position(sfen_of(board, rng.choice("bw")))
        except ValueError:      # a pawn that could never move, or a king to be taken
            continue
        if not position.is_mate():
            return position


@lru_cache(8)   # the memory of a searcher costs more than a search of these
def searcher_of(threads: int, evaluator: Evaluator | str, **params: int) -> Searcher:
    return Searcher(hash_mb=1, threads=threads, params={**STATIC_LEAVES, **params}, evaluator=evaluator)


def searched_value(position: Position, depth: int, threads: int, evaluator: Evaluator | str = MATERIAL,
                   **params: int) -> int:
    """The first thread's value at this depth. Another thread's result, from a lower depth, may win the vote."""
    searcher = searcher_of(threads, evaluator, **params)
    searcher.clear()
    infos: list[Info] = []
    searcher.search(position, Limits(depth=depth), Settings(draw_value=(0, 0)), infos.append)
    return next(info.score for info in infos if info.depth == depth and info.bound == "exact")


@each(("start", "depth", "qsearch", "by_tables"), [     # an SFEN, or the seed and number of random moves
    *((sfen, 4, 0, False) for sfen in SPARSE),
    *((sfen, 2, 0, False) for sfen in RICH),
    *(((seed, 30 + 10 * seed), 2, 0, False) for seed in range(12)),
    *(((100 + seed, 10 * seed), 2, 0, True) for seed in range(5)),
    *(((seed, 20 + 10 * seed), 1, 1, False) for seed in range(6)),
])
def test_root_value_is_minimax(start: str | tuple[int, int], depth: int, qsearch: int, by_tables: bool,
                               evaluator: Evaluator, walk: Walk) -> None:
    """Also where the leaves are quiescence searches of their own, without a table."""
    position = Position(start) if isinstance(start, str) else walk(*start)
    params = {"qsearch": qsearch}
    expected = minimax_value(position, depth, {**UNSELECTIVE, **params}, evaluator=evaluator if by_tables else None)
    for table, threads in [(0, 1)] if qsearch else product((0, 1), (1, 2)):
        found = searched_value(position, depth, threads, evaluator if by_tables else MATERIAL, table=table, **params)
        assert found == expected


@each("seed", range(6))
def test_internal_reduction_spares_the_root(seed: int) -> None:
    """With IIR as the only selective step, and from the root's depth on, nothing may be reduced."""
    depth = 2 + seed % 3
    expected = minimax_value(sparse(seed), depth, STATIC_LEAVES)
    found = searched_value(sparse(seed), depth, 1, MATERIAL, table=0, use_iir=1, iir_depth=depth)
    assert found == expected


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 72))])
def test_root_value_is_minimax_of_random_trees(evaluator: Evaluator, seed: int) -> None:
    """Quiescence search meets positions that the main search has stored with some depth. With `exact_depth` it does not
    use their bounds."""
    position = sparse(seed)
    depth = 2 + seed % 3
    for qsearch in (0, 1):
        params = {"qsearch": qsearch, "exact_depth": qsearch}
        expected = minimax_value(position, depth, {**UNSELECTIVE, **params}, evaluator=evaluator)
        for table, threads in product((0, 1), (1, 2)):
            assert searched_value(position, depth, threads, evaluator, table=table, **params) == expected
