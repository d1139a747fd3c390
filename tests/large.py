"""Wrong files that are large, and how much of them is kept in memory."""
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LARGE = 256 << 20       # bytes


def hollow(path: Path, beginning: bytes = b"", size: int = LARGE) -> Path:
    """A file of zeros behind its beginning, which takes no room on the disk."""
    path.write_bytes(beginning)
    os.truncate(path, size)
    return path


@contextmanager
def little_memory() -> Iterator[None]:
    """The block never holds more than a fraction of such a file."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < LARGE // 10
    finally:
        tracemalloc.stop()
