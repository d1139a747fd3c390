"""Temporary files next to their target, for atomic writing."""
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, BinaryIO

PART = ".part"              # how such a name ends
SHOWN_LETTERS = 50          # of the target's name in the temporary name, which may have 255 bytes
_BEHIND_NAME = re.compile(rf"([0-9]{{1,10}})(?:\.[0-9a-f]+)?{re.escape(PART)}")     # the process's id; random digits

if sys.platform == "win32":
    import ctypes
    import msvcrt

    # On Windows others cannot read locked bytes, so lock one far behind the end.
    _PLACE = 1 << 30
    _QUERY_LIMITED_INFORMATION = 0x1000
    _STILL_ACTIVE = 259

    def lock(file: IO[Any]) -> None:
        """Lock a file until it is closed. Raises OSError if another process has locked it."""
        place = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        os.lseek(file.fileno(), _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file.fileno(), place, os.SEEK_SET)

    def is_running(process: int) -> bool:
        """Whether a process with this id exists."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = ctypes.c_void_p(kernel.OpenProcess(_QUERY_LIMITED_INFORMATION, False, ctypes.c_uint32(process)))
        status = ctypes.c_uint32()
        try:
            return bool(kernel.GetExitCodeProcess(handle, ctypes.byref(status))) and status.value == _STILL_ACTIVE
        finally:
            kernel.CloseHandle(handle)
else:
    import fcntl

    def lock(file: IO[Any]) -> None:
        """Lock a file until it is closed. Raises OSError if another process has locked it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_running(process: int) -> bool:
        """Whether a process with this id exists."""
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:                 # another user's, but it runs
            pass
        return True


@contextmanager
def part_of(target: Path, finish: Callable[[Path], object]) -> Iterator[BinaryIO]:
    """Open a new file next to `target` for the block to write. After the block, once everything is on disk, calls
    `finish` with the file's path. If anything fails, the file is removed. Raises OSError.

    The name is unpredictable and must be new, so a prepared link is not followed. The file is locked while it is
    written. Files that dead processes left are removed by the next writer of `target`.
    """
    _remove_abandoned(target)
    part = target.with_name(f".{target.name[:SHOWN_LETTERS]}.{os.getpid()}.{token_hex(4)}{PART}")
    file = open(part, "xb")     # noqa: SIM115 - Windows can move it only after it is closed
    try:
        with file:
            with suppress(OSError):         # some file systems have no locks
                lock(file)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":
                finish(part)
        if sys.platform == "win32":
            finish(part)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make OSErrors of the block name this path: failed writes name no file, or the temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and (error.filename is None or str(error.filename).endswith(PART)):
            error.filename, error.filename2 = os.fspath(path), None
        raise


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to in a block. The file replaces `path` after the block has succeeded and all data are on disk;
    until then, and after any failure, the old file stays. A pipe or a terminal is written to directly. Raises OSError,
    which names `path`."""
    with naming(path):
        target = path.resolve()
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as device:      # a pipe or a terminal cannot be replaced; a folder is refused here
                yield device
            return
        with part_of(target, lambda part: os.replace(part, target)) as file:
            yield file
            if target.exists():
                with suppress(OSError):
                    os.chmod(file.name, stat.S_IMODE(target.stat().st_mode))


def _remove_abandoned(target: Path) -> None:
    """Remove files that dead processes began to write for `target`. A file of a process on another machine or in
    another container is kept, because it is locked."""
    beginning = f".{target.name[:SHOWN_LETTERS]}."
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if not entry.name.startswith(beginning) or not entry.is_file(follow_symlinks=False):
                continue
            match = _BEHIND_NAME.fullmatch(entry.name[len(beginning):])
            if match and not is_running(int(match[1])):
                with suppress(OSError):
                    with open(entry.path, "rb") as left:
                        lock(left)
                        if sys.platform != "win32":
                            os.unlink(entry.path)
                    if sys.platform == "win32":
                        os.unlink(entry.path)
