"""Pipes that nobody reads any more, by one name on every system."""
import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def broken_pipes_alike() -> Iterator[None]:
    """A write in the block to such a pipe is a BrokenPipeError on Windows, too, which calls it an invalid argument."""
    try:
        yield
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None:
            raise BrokenPipeError(errno.EPIPE, "nobody reads this pipe") from None
        raise
