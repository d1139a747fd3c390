"""Checks of the files that are given to a command."""
from collections.abc import Iterable
from pathlib import Path

from engine.errors import UserError


def require_different(paths: Iterable[Path]) -> None:
    """Raise UserError for a file that is given twice, also under two names."""
    found: set[Path] = set()
    for path in paths:
        if path.resolve() in found:
            raise UserError("{path} is given twice; give each file once", path=path)
        found.add(path.resolve())
