"""The network's sums from move to move, against full sums and against NumPy."""
from random import Random

import numpy as np
import pytest

from engine import Position
from eval.evaluator import Evaluator
from eval.network import EvalNetwork, usable_kernels
from tests.networks import Arrays, game, positions, random_arrays, score, views
from tests.probes import Walk


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1)


def test_full_sums_are_those_of_the_first_layer(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    for position in positions(range(3)):
        assert (np.asarray(Walk(evaluator, position).views()) == views(arrays, position)).all()


@pytest.mark.parametrize("kernel", usable_kernels())
@pytest.mark.parametrize("seed", range(6))
def test_asked_now_and_then_and_going_back(arrays: Arrays, kernel: str, seed: int) -> None:
    """Moves, passes and undos in any order, the sums asked after some of them only."""
    rng = Random(seed)
    line = Walk(Evaluator(EvalNetwork.from_arrays(arrays, kernel)), Position())
    position = Position()
    known = []
    for move in game(seed, 150):
        known.append((views(arrays, position), score(arrays, position)))
        if rng.random() < 0.4:
            assert (np.asarray(line.views()) == known[-1][0]).all()
            assert line.evaluate() == known[-1][1]
        if rng.random() < 0.2 and not position.in_check:
            line.pass_turn()
            if rng.random() < 0.5:
                assert (np.asarray(line.views()) == known[-1][0]).all()
            line.pop()
        line.push(move)
        position.push(move)
    while len(known) > 1:
        line.pop()
        seen, value = known.pop()
        if rng.random() < 0.4:
            assert (np.asarray(line.views()) == seen).all()
            assert line.evaluate() == value


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
