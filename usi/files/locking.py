"""Locks on files that only one process may write at a time."""
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from engine.errors import UserError
from engine.system.parts import lock


class Locked(UserError):
    """Another process is writing the file."""


def require_alone(file: IO[Any], path: Path) -> None:
    """Lock an open file until it is closed. Raises Locked, naming `path`, if another process holds the lock."""
    try:
        lock(file)
    except OSError:
        raise Locked("{path} is being written by another process; wait for it, or name another file",
                     path=path) from None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold an exclusive lock during the block. The lock file is PATH.lock, so PATH itself may be replaced; it is
    removed at the end. Raises Locked, naming `path`, if another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f"{path.name}.lock")
    while True:
        with open_lock(name) as file:
            require_alone(file, path)
            if not _is_at(file, name):      # the last holder has removed the file between the two steps
                continue
            try:
                yield
            finally:
                with suppress(PermissionError):     # Windows cannot remove an open file
                    name.unlink()
            return


def open_lock(path: Path) -> IO[Any]:
    """The lock file, opened or made. Symbolic links are not followed. Raises OSError."""
    return open(path, "a", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), 0o666))


def _is_at(file: IO[Any], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
