"""Random positions, a random evaluator, a small searcher and a solver for the tests of the search."""
import re
from collections.abc import Callable, Mapping
from random import Random

import pytest

from engine import Position
from eval.evaluator import Evaluator
from search import MATERIAL, Info, Limits, Result, Searcher, Settings
from search.mate import MateSolver
from search.parameters import DEFAULTS, SWITCH, WIDEST
from tests.weights import random_evaluator

# Changes of margins that leave out all steps that prune, reduce or extend: plain alpha-beta with a table.
UNSELECTIVE = {name: 0 for name in DEFAULTS if name.startswith(SWITCH) and name != "use_ghi_guard"} | {
    "qsearch_see": 0, "pv_table_depth": WIDEST, "aspiration_window": WIDEST}
Walk = Callable[[int, int], Position]
MIDDLE_GAME = "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"     # with much to report


def sfen_of(board: Mapping[str, str], turn: str = "b", hands: str = "-") -> str:
    """The SFEN of pieces given by their squares."""
    rows = "/".join("".join(board.get(file + rank, "1") for file in "987654321") for rank in "abcdefghi")
    return f"{re.sub('1+', lambda run: str(len(run[0])), rows)} {turn} {hands} 1"


def infos_of(searcher: Searcher, position: Position, limits: Limits, **settings: object) -> tuple[Result, list[Info]]:
    """The result of a search, and all its reports."""
    heard: list[Info] = []
    return searcher.search(position, limits, Settings(**settings), heard.append), heard     # type: ignore


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(hash_mb=8, evaluator=MATERIAL)


@pytest.fixture(scope="session")
def evaluator() -> Evaluator:
    return random_evaluator(1)


@pytest.fixture(scope="session")
def walk() -> Walk:
    """A position after a given number of random moves, by seed; never a lost one."""

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


@pytest.fixture(scope="module")
def solver() -> MateSolver:
    return MateSolver(hash_mb=16)
