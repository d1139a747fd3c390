"""Messages and exit codes for errors outside of the engine: files, the output, memory, Ctrl-C."""
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from engine.errors import UserError
from usi.console.installation import IMPORT_ERRORS, faults
from usi.files.writing import broken_pipes_alike
from usi.words.language import _
from usi.words.reasons import reason

INTERRUPTED = 130       # the exit code of a program that Ctrl-C has ended
# Errors of a write to standard output. Errors of a command's own files always name the file.
OF_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


@contextmanager
def explaining_imports() -> Iterator[None]:
    """Raise UserError if imports in the block fail because of another's package of the same name, or a damaged
    installation."""
    try:
        yield
    except IMPORT_ERRORS:
        for fault in faults():
            raise fault from None
        raise


@contextmanager
def ending_in_words() -> Iterator[None]:
    """Turn exceptions into the exit codes that `engine --help` lists. An OSError that no command has caught comes from
    standard output."""
    try:
        with broken_pipes_alike():
            yield
    except KeyboardInterrupt:
        _leave(INTERRUPTED, _("interrupted"))
    except BrokenPipeError:         # the reader has closed the pipe
        _leave(1, "")
    except OSError as error:
        why = reason(error)
        _leave(1, _("Error: {fault}", fault=why if error.errno not in OF_OUTPUT or error.filename is not None else _(
            "standard output cannot be written: {reason}; free some space, or send it elsewhere", reason=why)))
    except (MemoryError, UserError) as error:
        _leave(1, _("Error: {fault}", fault=reason(error)))


def _leave(status: int, message: str) -> None:
    with suppress(OSError):
        if message:
            click.echo(message, err=True)
    # Buffered output would fail once more as the process ends.
    with suppress(OSError, ValueError, AttributeError):
        if status != INTERRUPTED:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(status)
