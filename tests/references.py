"""cshogi, which many tests hold us against. PyPI has no build of it for some systems and Pythons (the extra
`references` in pyproject.toml): where it is not installed, the tests that use it are skipped, each by its name."""
from importlib.util import find_spec
from typing import Any

import pytest


class _Absent:
    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):    # what pytest asks of everything that it comes upon
            raise AttributeError(name)
        pytest.skip("cshogi is not installed")


def _found() -> Any:
    if not find_spec("cshogi"):
        return _Absent()
    import cshogi
    import cshogi.CSA
    import cshogi.KIF
    import cshogi.PGN
    import cshogi.usi

    return cshogi


cshogi = _found()
