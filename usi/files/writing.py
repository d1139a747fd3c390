"""Writing files: completely or not at all, and never over other work. Also closed output pipes.

What an output may replace is the same for all commands:

- a page, picture or table replaces its own kind, as `Output` recognises it, or an empty file (`require_replaceable`);
- records, books and weights, which cost somebody work, replace nothing: they choose an unused name (`write_new`), or
  ask for --force (`require_new`);
- what continues (positions, journals, checkpoints) extends its own run, and refuses every other file.
"""
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from engine.errors import Phrase, UserError
from engine.system import parts
from engine.system.parts import naming, part_of

SIGN = b"gakushi"           # in pages and pictures that are ours, near the beginning, in any case of letters
SEEN = 1 << 12              # bytes that are looked at
TRIED_BYTES = 1 << 16       # bytes that the disk must have room for before long work for a file begins


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """`parts.replacing`, with missing folders made."""
    with naming(path):
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
    with parts.replacing(path) as file:
        yield file


def write_file(path: Path, data: bytes) -> None:
    """Write a file as `replacing` does."""
    with replacing(path) as file:
        file.write(data)


def write_all(file: RawIOBase, data: bytes) -> None:
    """Write all to an unbuffered file. A disk may take a part before it says that it is full."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0:]


def append(path: Path, data: bytes) -> None:
    """Add data to the end of a file, which is made if it is missing, with its folders. Raises OSError, naming
    `path`; then the file has no part of the data."""
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab", buffering=0) as file:
            before = file.tell()
            try:
                write_all(file, data)
            except BaseException:
                with suppress(OSError):
                    file.truncate(before)
                raise


def write_new(path: Path, data: bytes) -> Path:
    """Write a new file: at `path`, or under the first free name of `unused`. The name is taken before the file is
    written, so two processes at once get different names."""
    while True:
        target = unused(path)
        with naming(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                open(target, "xb").close()
            except FileExistsError:
                if target.is_file():
                    continue        # another process was quicker
        try:
            write_file(target, data)
        except BaseException:
            with suppress(OSError):
                if not target.stat().st_size:
                    target.unlink()
            raise
        return target


def unused(path: Path) -> Path:
    """The name itself if it is free, or the first free one of NAME-2, NAME-3, …."""
    if not path.is_file():
        return path
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())


class Output(NamedTuple):
    """A kind of file that a command writes anew each time it runs."""

    name: Phrase
    begins: tuple[bytes, ...]   # how such a file begins: with one of these
    sign: bytes = b""           # what follows soon

    def is_own(self, path: Path) -> bool:
        """Whether the file is an earlier output of this kind, or empty, so it may be replaced. Raises OSError if it
        cannot be read."""
        with naming(path), path.open("rb") as file:
            head = file.read(SEEN)
        return not head or (head.startswith(self.begins) and self.sign in head.lower())


WEB_PAGE = Output(Phrase("page"), (b"<!DOCTYPE html>",), SIGN)
PICTURE = Output(Phrase("picture"), (b"\x89PNG", b"<svg", b"<?xml"), SIGN)


def require_replaceable(path: Path, kind: Output) -> None:
    """Raise UserError if the file exists and `kind` must not replace it. Raises OSError as `require_writable` raises
    it."""
    if path.is_file() and not kind.is_own(path):
        raise UserError("{file} is there, and is no {kind} that this program has made; name another file, or delete it",
                        file=path, kind=kind.name)
    require_writable(path)


def require_new(path: Path, force: bool) -> None:
    """Raise UserError if the file exists, unless `force`. Raises OSError as `require_writable` raises it."""
    if path.is_file() and not force:
        raise UserError("{file} exists; name another file, or replace it with --force", file=path)
    require_writable(path)


def require_writable(path: Path) -> None:
    """Raise OSError, naming `path`, unless a small file can be written there now, so that hours of work do not end
    without their file. An existing file stays as it is. Missing folders are made."""
    with naming(path):
        target = path.resolve()
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb", buffering=0) as device:
                device.write(b"")
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        with part_of(target, Path.unlink) as file:
            file.write(bytes(TRIED_BYTES))


def require_folder(path: Path) -> None:
    """Make the folder if it is missing. Raises OSError, naming `path`, unless files can be written in it."""
    with naming(path):
        path.mkdir(parents=True, exist_ok=True)
    with naming(path), part_of(path.resolve() / "folder", Path.unlink):
        pass


@contextmanager
def broken_pipes_alike() -> Iterator[None]:
    """Raise BrokenPipeError for a write to a closed pipe in the block on Windows, too, which reports an invalid
    argument."""
    try:
        yield
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None:
            raise BrokenPipeError(errno.EPIPE, "nobody reads this pipe") from None
        raise
