"""A player quick enough for tests, engines that misbehave, and weights."""
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.arena.search_player import SearchPlayer
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, close_engines
from tests.weights import tempo_only

STUB = Path(__file__).with_name("stub_engine.py")


@pytest.fixture
def quick() -> SearchPlayer:
    return SearchPlayer(nodes=50, hash_mb=1, eval_file="material")


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that adds to material 12 centipawns for being on the move."""
    path = tmp_path_factory.mktemp("weights") / "file"
    tempo_only(path, 12)
    return path


@pytest.fixture
def stub() -> Iterator[Callable[..., UsiPlayer]]:
    """Makes players that behave as stub_engine.py has it; their engines end with the test."""
    def player(behaviour: str, **settings: Any) -> UsiPlayer:
        command = (sys.executable, "-I", "-S", str(STUB), behaviour)
        return UsiPlayer(behaviour, command, settings.pop("control", TimeControl(nodes=1)), **settings)
    yield player
    close_engines()
