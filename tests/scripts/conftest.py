"""A player quick enough for tests, and weights."""
from pathlib import Path

import pytest

from game import Player
from tests.weights import tempo_only


@pytest.fixture
def quick() -> Player:
    return Player(nodes=50, hash_mb=1, eval_file="material")


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that adds to material 12 centipawns for being on the move."""
    path = tmp_path_factory.mktemp("weights") / "file"
    tempo_only(path, 12)
    return path
