"""Positions to learn from."""
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.packed import PSV
from scripts.training import selfplay


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Self-play of very short searches: 240 games."""
    player = selfplay.SelfPlayer(selfplay.GenerationRecipe(None, 60), ["startpos"], Random(1))
    path = tmp_path_factory.mktemp("played") / "games.psv"
    np.concatenate([player.play().records for _ in range(240)]).tofile(path)
    return path


@pytest.fixture
def small(played: Path, tmp_path: Path) -> Path:
    path = tmp_path / "small.psv"
    np.fromfile(played, PSV, 2000).tofile(path)
    return path
