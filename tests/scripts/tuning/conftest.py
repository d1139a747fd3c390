"""Fingerprints of searches that take no longer than the searches here."""
from collections.abc import Iterator

import pytest

from scripts.arena import search_player


@pytest.fixture(scope="module", autouse=True)
def short_fingerprints() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_player, "FINGERPRINT_NODES", 20)
        yield
