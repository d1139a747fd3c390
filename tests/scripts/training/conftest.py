"""Positions to learn from."""
from pathlib import Path
from random import Random

import numpy as np
import pytest

from eval.learning.records import PSV
from eval.loading import MATERIAL, PACKAGED
from scripts.training import selfplay

GAMES = 80


def self_play(folder: Path, games: int, evaluation: str = MATERIAL) -> Path:
    """Games of very short searches."""
    player = selfplay.SelfPlayer(selfplay.SelfPlayRecipe(None, 60), ["startpos"], Random(1), evaluation)
    path = folder / "games.psv"
    np.concatenate([player.play().records for _ in range(games)]).tofile(path)
    return path


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_play(tmp_path_factory.mktemp("played"), GAMES)


@pytest.fixture(scope="session")
def much_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judged by the packaged network: there is much to learn beyond material, even from a few games."""
    return self_play(tmp_path_factory.mktemp("much_played"), 240, str(PACKAGED))


@pytest.fixture
def small(played: Path, tmp_path: Path) -> Path:
    path = tmp_path / "small.psv"
    np.fromfile(played, PSV, 2000).tofile(path)
    return path
