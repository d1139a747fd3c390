"""The network's sums from move to move, against full sums and against NumPy."""
import numpy as np
import pytest

from engine import Position
from eval.evaluator import Evaluator
from eval.network import EvalNetwork, usable_kernels
from tests.networks import Arrays, asked_now_and_then, game, random_arrays, score, views
from tests.probes import Walk


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1)


@pytest.mark.parametrize("kernel", usable_kernels())
@pytest.mark.parametrize("seed", range(6))
def test_asked_now_and_then_and_going_back(arrays: Arrays, kernel: str, seed: int) -> None:
    line = Walk(Evaluator(EvalNetwork.from_arrays(arrays, kernel)), Position())
    asked_now_and_then(line, seed, lambda position: (views(arrays, position).tolist(), score(arrays, position)),
                       lambda: (np.asarray(line.views()).tolist(), line.evaluate()))


@pytest.mark.parametrize(("moves", "seed"), [(2000, 200), pytest.param(1_000_000, 300, marks=pytest.mark.slow)])
def test_updates_are_full_sums_after_many_moves(moves: int, seed: int) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(random_arrays(seed)))
    done = 0
    while done < moves:
        seed += 1
        position, line = Position(), Walk(evaluator, Position())
        for move in game(seed, 200):
            position.push(move)
            line.push(move)
            assert line.evaluate() == evaluator.evaluate(position)
            done += 1


def test_material_alone_where_a_king_is_missing(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    line = Walk(evaluator, Position("4k4/9/9/9/9/9/9/9/9 b P 1"))
    line.push("P*5e")
    assert line.evaluate() == -100
