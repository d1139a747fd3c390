"""The file that a run is kept in and continued from: its conditions as JSON in the first line, then a record on each.
"""
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.runs.conditions import require_same
from usi.locking import lock


def read(path: Path, what: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Conditions and records; a last line that is not whole is left out.

    ValueError, saying `what` was expected, if the file holds something else, OSError if it cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    first, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    try:
        conditions, *records = map(json.loads, [first, *lines])
    except ValueError:
        conditions, records = None, []
    if not all(isinstance(each, dict) for each in [conditions, *records]):
        raise not_of(path, what)
    return conditions, records


def not_of(path: Path, what: str) -> ValueError:
    return ValueError(f"{path} does not hold {what}")


class RunLog:
    """A run's file, open for more records."""

    def __init__(self, path: Path, conditions: Mapping[str, object], what: str) -> None:
        """Open or begin the file. ValueError if it was made under other conditions or holds something else than `what`
        it is to hold, or another run writes it."""
        self.path = path
        self.found: list[dict[str, Any]] = []       # the records that were there
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is a folder, or no ordinary file that could be read again; name another")
        self._file = path.open("a+", encoding="utf-8", newline="\n")
        try:
            lock(self._file)
        except OSError:
            self._file.close()
            raise ValueError(f"{path} is being written by another run; wait for it, or name another file") from None
        try:
            self._resume(conditions, what)
        except ValueError:
            self._file.close()
            raise

    def _resume(self, conditions: Mapping[str, object], what: str) -> None:
        text = self.path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:                       # a line was being written when the machine went down
            self._file.truncate(len(whole.encode()))
        if not whole:
            self.add(conditions)
            return
        kept, self.found = read(self.path, what)
        require_same(self.path, what, kept, conditions)

    def add(self, values: Mapping[str, object]) -> None:
        self._file.write(json.dumps(values) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()
