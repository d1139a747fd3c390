"""A file that one process writes at a time."""
import os
import sys
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
