"""A player quick enough for tests, and engines that misbehave."""
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.arena.search_player import SearchPlayer
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, close_engines

STUB = Path(__file__).with_name("stub_engine.py")


@pytest.fixture(scope="session")
def quick() -> SearchPlayer:
    return SearchPlayer(nodes=50, hash_mb=1, eval_file="material")


@pytest.fixture
def stub() -> Iterator[Callable[..., UsiPlayer]]:
    """Makes players that behave as stub_engine.py has it; their engines end with the test."""
    def player(behaviour: str, **settings: Any) -> UsiPlayer:
        command = (sys.executable, "-I", "-S", str(STUB), behaviour)
        return UsiPlayer(behaviour, command, settings.pop("control", TimeControl(nodes=1)), **settings)
    yield player
    close_engines()
