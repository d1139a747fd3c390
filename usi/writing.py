"""Files that we write: whole or not at all, and never over something better."""
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

PART = ".part"              # how a name ends while the file is being written
TRIED_BYTES = 1 << 16       # what a disk has to have room for before a long work for a file begins


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file for a block to write into, which takes the place of `path` once the block has ended well and all is on the
    disk. Until then, or if anything fails, what was there before stays. OSError names `path`."""
    with _naming(path):
        target = path.resolve()
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as device:      # a pipe or a terminal cannot be replaced; a folder is refused here
                yield device
            return
        part = target.with_name(f".{target.name}.{os.getpid()}{PART}")
        try:
            with open(part, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                with suppress(OSError):
                    part.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file as `replacing` does."""
    with replacing(path) as file:
        file.write(data)


def unused(path: Path) -> Path:
    """The name itself, or if there is a file of that name, the first of NAME-2, NAME-3, … that is free."""
    if not path.is_file():
        return path
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())


def require_writable(path: Path) -> None:
    """OSError, naming `path`, unless a small file can be written there now. What is there already stays as it is."""
    with _naming(path):
        target = path.resolve()
        if target.is_dir():
            raise IsADirectoryError(f"'{path}' is a folder; name a file")
        if not target.parent.is_dir():
            raise FileNotFoundError(f"'{path}' cannot be written: there is no folder '{path.parent}'")
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb", buffering=0) as device:
                device.write(b"")
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(f"'{path}' may not be written over; look at its permissions, or name another")
        part = target.with_name(f".{target.name}.{os.getpid()}{PART}")
        try:
            with open(part, "wb") as file:
                file.write(bytes(TRIED_BYTES))
                file.flush()
                os.fsync(file.fileno())
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors raised in the block name the target file, not the temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and (error.filename is None or str(error.filename).endswith(PART)):
            error.filename = str(path)
        raise
