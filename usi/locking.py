"""A file that one process writes at a time."""
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt

    # Nobody else can read what is locked there, so what is locked lies far behind the end.
    _PLACE = 1 << 30

    def lock(file: IO[Any]) -> None:
        """Until it is closed. OSError if another has it."""
        place = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        os.lseek(file.fileno(), _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file.fileno(), place, os.SEEK_SET)
else:
    import fcntl

    def lock(file: IO[Any]) -> None:
        """Until it is closed. OSError if another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def require_alone(file: IO[Any], path: Path) -> None:
    """Lock an open file until it is closed. ValueError, naming `path`, if another process has it."""
    try:
        lock(file)
    except OSError:
        raise ValueError(f"{path} is being written by another process; wait for it, or name another file") from None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let no other process into such a block for the same path, whose file may be replaced meanwhile. ValueError,
    naming it, if one is in it. The lock is on PATH.lock, which the block's end removes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f"{path.name}.lock")
    while True:
        with name.open("a") as file:
            require_alone(file, path)
            if not _is_at(file, name):      # the process that had it has removed the file between the two steps
                continue
            try:
                yield
            finally:
                with suppress(PermissionError):     # Windows removes no open file
                    name.unlink()
            return


def _is_at(file: IO[Any], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
