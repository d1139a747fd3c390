"""Files that a long work is continued from: how it is done as JSON in the first line, then a result on each."""
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from usi.book.db import quoted
from usi.locking import lock

Row = TypeVar("Row")


@dataclass(frozen=True)
class Kind(Generic[Row]):
    """What a journal holds."""

    name: str                       # in its first line
    command: str                    # that writes it
    row: str                        # what a line is, in words
    read: Callable[[Any], Row]      # from JSON; TypeError, KeyError or ValueError if it is none


class Journal(Generic[Row]):
    """What has been found, kept as it comes: whatever ends the process costs the line that was being written."""

    def __init__(self, path: Path, kind: Kind[Row], conditions: Mapping[str, int | str | None]) -> None:
        """Open or begin the file. OSError if that cannot be done; ValueError if it was made otherwise, is no journal of
        this kind, or is being written by another process."""
        self.rows: list[Row] = []
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is a folder, or no ordinary file that could be read again; name another")
        self._file = path.open("a+b")
        try:
            self._read(path, kind, {"kind": kind.name, **conditions})
        except (OSError, ValueError):
            self._file.close()
            raise

    def _read(self, path: Path, kind: Kind[Row], wanted: dict[str, int | str | None]) -> None:
        try:
            lock(self._file)
        except OSError:
            raise ValueError(f"{path} is being written by another process; wait for it, or name another file") from None
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        first, *lines = whole.splitlines() or [b""]
        if whole:
            _require_same(path, kind, first, wanted)
        for number, line in enumerate(lines, start=2):
            try:
                self.rows.append(kind.read(json.loads(line)))
            except (TypeError, KeyError, ValueError):
                raise ValueError(f"{path}:{number}: {quoted(line)} is no {kind.row}; remove that line, and this is "
                                 "done again") from None
        self._file.truncate(len(whole))     # the rest was being written when the last process was ended
        if not whole:
            self.append(wanted)

    def append(self, values: object) -> None:
        """Write a line. OSError if that cannot be done."""
        self._file.write(json.dumps(values).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _require_same(path: Path, kind: Kind[Any], line: bytes, wanted: Mapping[str, int | str | None]) -> None:
    try:
        found = dict(json.loads(line))
    except (TypeError, ValueError):
        found = {}
    if found.get("kind") != kind.name:
        raise ValueError(f"{path}:1: {quoted(line)} does not begin a journal of '{kind.command}'; name another file")
    if differing := [name for name in wanted if found.get(name) != wanted[name]]:
        was = ", ".join(f"{name} {found.get(name)}" for name in differing)
        raise ValueError(f"{path} was made with {was}; continue with the same settings, or name another file")
