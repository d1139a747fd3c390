"""A player quick enough for tests, and engines that misbehave."""
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import pytest

from scripts.games.search_player import SearchPlayer
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer, close_engines
from tests.scripts.stub_engine import serve
from tests.threads import EngineThreads, Work
from usi.client import client

STUB = (sys.executable, "-I", "-S", str(Path(__file__).with_name("stub_engine.py")))


@pytest.fixture(scope="module", autouse=True)
def quick_players(short_fingerprints: None) -> None:
    """Compute no long fingerprint in any of these tests."""


@pytest.fixture(scope="session")
def quick() -> SearchPlayer:
    return SearchPlayer(nodes=50, hash_mb=1, eval_file="material")


@pytest.fixture
def real_stub() -> Iterator[Callable[..., UsiPlayer]]:
    """A maker of players with a behaviour of stub_engine.py; their engines end with the test."""
    def player(behaviour: str, **settings: Any) -> UsiPlayer:
        return UsiPlayer(behaviour, (*STUB, behaviour), settings.pop("control", PlayerLimits(nodes=1)), **settings)
    yield player
    close_engines()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the stub engines as threads of this process. Yields the lines sent to any of them."""
    lines: list[str] = []

    class Heard:
        def __init__(self, given: TextIO) -> None:
            self._given = given

        def readline(self) -> str:
            line = self._given.readline()
            lines.extend(line.splitlines())
            return line

    def find(command: Sequence[str]) -> Work | None:
        *start, behaviour = command
        return (lambda given, *rest: serve(behaviour, Heard(given), *rest)) if tuple(start) == STUB else None

    monkeypatch.setattr(client, "GROUPS", EngineThreads(find))
    return lines


@pytest.fixture
def stub(told: list[str], real_stub: Callable[..., UsiPlayer]) -> Callable[..., UsiPlayer]:
    """A maker of players like `real_stub`'s, whose engines are threads if this process starts them."""
    return real_stub
