"""A player quick enough for tests."""
import pytest

from game import Player


@pytest.fixture
def quick() -> Player:
    return Player(nodes=50, hash_mb=1)
