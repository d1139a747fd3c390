"""Says at the head of every run which build is tested: the one in place, or the one that `make debug` made; and keeps
the tables that tests make up out of the user's cache."""
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.cpu import BUILT_FOR, DEBUG


def pytest_report_header(config: pytest.Config) -> str:
    return f"engine: {'debug' if DEBUG else 'release'} build for {BUILT_FOR} in {Path(engine.__file__).parent}"


@pytest.fixture(scope="session", autouse=True)
def cache() -> Iterator[Path]:
    """The cache of this run, for child processes too."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", folder)
        yield Path(folder) / "gakushi"
