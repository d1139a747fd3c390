"""Files while they are written: under a name of their own next to the one that they will have."""
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, BinaryIO

PART = ".part"              # how such a name ends
SHOWN_LETTERS = 50          # of the file's name in that of its part: a name may have 255 bytes in all
_BEHIND_NAME = re.compile(rf"([0-9]{{1,10}})(?:\.[0-9a-f]+)?{re.escape(PART)}")     # the process, and chance

if sys.platform == "win32":
    import ctypes
    import msvcrt

    # Nobody else can read what is locked there, so what is locked lies far behind the end.
    _PLACE = 1 << 30
    _QUERY_LIMITED_INFORMATION = 0x1000
    _STILL_ACTIVE = 259

    def lock(file: IO[Any]) -> None:
        """Until it is closed. OSError if another has it."""
        place = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        os.lseek(file.fileno(), _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file.fileno(), place, os.SEEK_SET)

    def is_running(process: int) -> bool:
        """Whether there is a process of this number."""
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
        """Until it is closed. OSError if another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_running(process: int) -> bool:
        """Whether there is a process of this number."""
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:                 # somebody else's, but it runs
            pass
        return True


@contextmanager
def part_of(target: Path, finish: Callable[[Path], object]) -> Iterator[BinaryIO]:
    """A new file next to `target` for a block to write into. `finish` gets its path once all is on the disk; if
    anything fails, it is removed. OSError.

    Its name cannot be foretold, and only a new file is opened, so a link that was laid there is not followed. It is
    locked meanwhile. What a process that has died left behind is removed by the next one that writes `target`.
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
    """Let errors of the system raised in the block name this file: a write or a flush that fails names none, and the
    part is nobody's business."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and (error.filename is None or str(error.filename).endswith(PART)):
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _remove_abandoned(target: Path) -> None:
    """Remove what dead processes began to write for `target`. The lock protects those that cannot be seen from here, on
    another machine or in another container."""
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
