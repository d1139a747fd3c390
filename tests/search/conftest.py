"""Random positions, a random evaluator and a small searcher for the tests of the search."""
from collections.abc import Callable
from random import Random

import pytest

from engine import Position
from eval.evaluator import Evaluator
from search import MATERIAL, Searcher
from tests.weights import random_evaluator

Walk = Callable[[int, int], Position]


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(hash_mb=8, evaluator=MATERIAL)


@pytest.fixture(scope="session")
def evaluator() -> Evaluator:
    return random_evaluator(1)


@pytest.fixture(scope="session")
def walk() -> Walk:
    """A position after so many random moves, by seed; never one that is lost already."""

    def walk(seed: int, plies: int) -> Position:
        rng = Random(seed)
        position = Position()
        for _ in range(plies):
            position.push(rng.choice(position.legal_moves()))
            if position.is_mate():
                position.pop()
                break
        return position

    return walk
