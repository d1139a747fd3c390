"""What goes wrong by the user's doing, and checks of what callers pass: each error names the argument and quotes its
value."""
from operator import index


class UserError(ValueError):
    """An error that the user can mend: its text quotes what is wrong and says what to do.

    Commands print it as one line, as they do with the system's errors; any other error is a fault of ours, and shows
    its traceback.
    """

    __module__ = "engine"       # where people import it from


INT_MAX = 2**31 - 1         # of the core's int …
LONG_MAX = 2**63 - 1        # … and of its 64-bit counts


def whole(name: str, value: object, least: int, most: int = INT_MAX) -> int:
    """The value as an int. TypeError if it is no whole number: a float is not cut; UserError if it is out of range.

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
    """The value, which has to be a str; TypeError if it is not.

    >>> text("sfen", None)
    Traceback (most recent call last):
    ...
    TypeError: sfen=None: give a str, not NoneType
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a str, not {type(value).__name__}")
    return value
