"""The file that a book is made from and continued from: how it is made as JSON in the first line, then a position on
each."""
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from usi.book.db import BookMove, quoted
from usi.locking import lock

KIND = "positions thought about, for a book"


class Journal:
    """What has been found, kept as it comes: whatever ends the process costs the line that was being written."""

    def __init__(self, path: Path, conditions: Mapping[str, int | str]) -> None:
        """Open or begin the file. OSError if that cannot be done; ValueError if it was made otherwise, is no journal,
        or is being written by another process."""
        self.found: dict[str, list[BookMove]] = {}
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is a folder, or no ordinary file that could be read again; name another")
        self._file = path.open("a+b")
        try:
            self._read(path, {"kind": KIND, **conditions})
        except (OSError, ValueError):
            self._file.close()
            raise

    def _read(self, path: Path, wanted: dict[str, int | str]) -> None:
        try:
            lock(self._file)
        except OSError:
            raise ValueError(f"{path} is being written by another process; wait for it, or name another file") from None
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        first, *lines = whole.splitlines() or [b""]
        if whole:
            _require_same(path, first, wanted)
        for number, line in enumerate(lines, start=2):
            try:
                placement, moves = json.loads(line)
                self.found[placement] = [BookMove(*move) for move in moves]
            except (TypeError, ValueError):
                raise ValueError(f"{path}:{number}: {quoted(line)} is no position with its moves; remove that line, "
                                 "and the position is thought about again") from None
        self._file.truncate(len(whole))     # the rest was being written when the last process was ended
        if not whole:
            self._append(wanted)

    def add(self, placement: str, moves: Sequence[BookMove]) -> None:
        """OSError if it cannot be written."""
        self.found[placement] = list(moves)
        self._append([placement, moves])

    def close(self) -> None:
        self._file.close()

    def _append(self, values: object) -> None:
        self._file.write(json.dumps(values).encode() + b"\n")
        self._file.flush()


def _require_same(path: Path, line: bytes, wanted: Mapping[str, int | str]) -> None:
    try:
        found = dict(json.loads(line))
    except (TypeError, ValueError):
        found = {}
    if found.get("kind") != KIND:
        raise ValueError(f"{path}:1: {quoted(line)} does not begin a journal of 'engine book think'; name another file")
    if differing := [name for name in wanted if found.get(name) != wanted[name]]:
        was = ", ".join(f"{name} {found.get(name)}" for name in differing)
        raise ValueError(f"{path} was made with {was}; think on so, or name another file")
