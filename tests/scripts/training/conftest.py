"""Positions to learn from."""
import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from eval.learning.records import PSV
from eval.loading import MATERIAL, PACKAGED
from scripts.training import files, selfplay

GAMES = 80


def self_play(name: str, games: int, evaluation: str = MATERIAL) -> Path:
    """Games of very short searches, played once for all processes of the run."""
    path = Path(os.environ["XDG_CACHE_HOME"]) / f"{name}.psv"
    if not path.exists():
        player = selfplay.SelfPlayer(selfplay.SelfPlayRecipe(None, 60), ["startpos"], Random(1), evaluation)
        own = path.with_suffix(f".{os.getpid()}")
        np.concatenate([player.play().records for _ in range(games)]).tofile(own)
        own.replace(path)
    return path


@pytest.fixture(scope="session")
def played() -> Path:
    return self_play("played", GAMES)


@pytest.fixture(scope="session")
def much_played() -> Path:
    """Games scored by the packaged network, so that even a few of them teach much beyond material."""
    return self_play("much_played", 240, str(PACKAGED))


@pytest.fixture
def small(played: Path, tmp_path: Path) -> Path:
    path = tmp_path / "small.psv"
    np.fromfile(played, PSV, 2000).tofile(path)
    return path


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 500)
