"""Positions of all kinds, and fingerprints of searches that take no longer than the searches here."""
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.arena import search_player
from usi.commands.bench.measure import positions as bench_positions


@pytest.fixture(scope="module", autouse=True)
def short_fingerprints() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_player, "FINGERPRINT_NODES", 20)
        yield


@pytest.fixture(scope="session")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("positions") / "bench.sfen"
    path.write_text("\n".join(bench_positions()) + "\n")
    return path
