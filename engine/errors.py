"""UserError, and checks of arguments. Each error names the argument and quotes its value."""
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index


class UserError(ValueError):
    """An error that the user can fix. Its text quotes the fault and says what to do.

    Commands print it on one line, as they print OSError. Any other exception is a bug and shows its traceback.
    """

    __module__ = "engine"       # where people import it from


@contextmanager
def telling(place: object) -> Iterator[None]:
    """Put the place of a fault, a file or a part of one, into the UserErrors of the block."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{place}: {error}") from None


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
    """The value, if it is a str (of a subclass such as numpy.str_, the plain str); raises TypeError otherwise.

    >>> text("sfen", None)
    Traceback (most recent call last):
    ...
    TypeError: sfen=None: give a str, not NoneType
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a str, not {type(value).__name__}")
    return str.__str__(value)


def require_texts(name: str, values: Iterable[object]) -> list[str]:
    """The texts of a list. Raises TypeError for an item that is no text, and for a single text, which would be taken
    for a list of letters."""
    if isinstance(values, str):
        raise TypeError(f"{name}={values!r}: give a list of moves, not one text")
    return [text(name, value) for value in values]


def require_square(square: object) -> str:
    """The name of a square, as far as its type and length go. Raises TypeError unless it is a str, UserError if it is
    too short or too long."""
    if not isinstance(square, str):
        raise TypeError(f"square={square!r}: give a str such as 5e, not {type(square).__name__}")
    if len(square) != 2:
        raise UserError(f"{square!r} is not a square; write it as 5e")
    return str.__str__(square)


def require_side(color: object) -> int:
    """The number of a side, 0 or 1. Raises TypeError unless it is an integer, UserError if it is another."""
    side = whole("color", color, -INT_MAX)
    if side not in (0, 1):
        raise UserError(f"{side} is not a side; 0 is Black, 1 is White")
    return side
