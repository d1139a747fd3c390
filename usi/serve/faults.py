"""Errors of a page's requests, in words for the page."""
import logging

from engine.errors import Phrase, UserError
from usi.words.reasons import reason

_log = logging.getLogger(__name__)


def told_fault(error: BaseException) -> Phrase:
    """The error in words. Any other error than a user's is a bug: its traceback goes to the log, by default standard
    error."""
    if isinstance(error, UserError | OSError | MemoryError):
        return reason(error)
    _log.error("a bug; please report it", exc_info=error)
    return Phrase("this is a bug of the program ({name}); the terminal where engine serve runs shows more, please "
                  "report it", name=type(error).__name__)
