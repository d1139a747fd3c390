"""UserError, and checks of arguments. Each error names the argument and quotes its value."""
from operator import index


class UserError(ValueError):
    """An error that the user can fix. Its text quotes the fault and says what to do.

    Commands print it on one line, as they print OSError. Any other exception is a bug and shows its traceback.
    """

    __module__ = "engine"       # where people import it from


INT_MAX = 2**31 - 1         # the largest int of the core
LONG_MAX = 2**63 - 1        # the largest 64-bit count of the core


def whole(name: str, value: object, least: int, most: int = INT_MAX) -> int:
    """The value as an int. Raises TypeError unless it is an integer (floats are not truncated), UserError if it is out
    of range.

    >>> whole("depth", 3, 1)
    3
    """
    try:
        number = index(value)   # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}={value!r}: give a whole number, not {type(value).__name__}") from None
    if number < least:
        raise UserError(f"{name}={number}: {least} is the least")
    if number > most:
        raise UserError(f"{name}={number}: {most} is the most")
    return number


def text(name: str, value: object) -> str:
    """The value, if it is a str; raises TypeError otherwise.

    >>> text("sfen", None)
    Traceback (most recent call last):
    ...
    TypeError: sfen=None: give a str, not NoneType
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a str, not {type(value).__name__}")
    return value
