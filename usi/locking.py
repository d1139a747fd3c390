"""A file that one process at a time writes."""
import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**62        # a byte that no file has: what is locked there cannot be read by others

    def lock(file: IO[bytes]) -> bool:
        """Lock an open file until it is closed or its process ends; False if another process has done so."""
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def lock(file: IO[bytes]) -> bool:
        """Lock an open file until it is closed or its process ends; False if another process has done so."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
