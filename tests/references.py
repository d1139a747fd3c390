"""cshogi, which many tests hold us against. PyPI has builds of it for x86-64 on Linux and Windows alone: elsewhere the
tests that come to use it are skipped, and say so."""
import platform
import sys
from typing import Any

import pytest


class _Absent:
    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):    # what pytest asks of everything that it comes upon
            raise AttributeError(name)
        pytest.skip("PyPI has no build of cshogi for this system")


def _found() -> Any:
    if sys.platform not in ("linux", "win32") or platform.machine().lower() not in ("x86_64", "amd64"):
        return _Absent()
    import cshogi
    import cshogi.CSA
    import cshogi.KIF
    import cshogi.PGN
    import cshogi.usi

    return cshogi


cshogi = _found()
