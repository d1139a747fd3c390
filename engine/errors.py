"""Phrase and UserError, texts that can be translated, and checks of arguments. Each error names the argument and quotes
its value."""
from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from operator import index
from os import PathLike, fspath
from typing import Any, Self, TypeVar

Kind = TypeVar("Kind")
Translate = Callable[[str], str]    # a template in another language, or the template itself if that lacks it


class Phrase:
    """A text with fields. `str` is the English sentence; `told` translates it.

    A template is filled as by `str.format`, or stands as it is if there are no fields. Fields that are phrases or
    errors themselves are told in the same language. Fields should be small and picklable, and must not change later.

    >>> fault = Phrase("{side} has {count} kings", side=Phrase("Black"), count=2)
    >>> japanese = {"Black": "先手", "{side} has {count} kings": "{side}の玉が {count} 枚あります"}
    >>> str(fault), fault.told(japanese.__getitem__)
    ('Black has 2 kings', '先手の玉が 2 枚あります')
    """

    def __init__(self, template: str, /, **fields: object) -> None:
        self.template = template
        self.fields = fields

    @classmethod
    def of(cls, phrase: Phrase) -> Self:
        """The same words in this class."""
        return cls(phrase.template, **phrase.fields)

    def told(self, translate: Translate) -> str:
        words = translate(self.template)
        return words.format(**{name: _told(value, translate) for name, value in self.fields.items()}) \
            if self.fields else words

    def __str__(self) -> str:
        return self.told(str)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return copyreg.__newobj__, (type(self), self.template), self.__dict__   # type: ignore[attr-defined]


def _told(value: object, translate: Translate) -> object:
    if isinstance(value, Phrase):
        return value.told(translate)
    text = fspath(value) if isinstance(value, PathLike) else value
    if isinstance(text, str | bytes) and len(text) > LONGEST_FIELD:
        text = value = shortened(text)
    return _OneLine(text) if isinstance(text, str) and "\n" in text else value


class _OneLine(str):
    """A text whose line breaks are escaped when a template uses it as `{field}`; `{field!r}` escapes them anyway."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return format(one_line(self), form)


def one_line(text: object) -> str:
    """The text, such as a file's name, with line breaks escaped as in JSON. Otherwise the text behind a line break
    could look like a message of its own.

    >>> print(one_line("game\\nError.kif"))
    game\\u000aError.kif
    """
    return str(text).replace("\n", "\\u000a")


LONGEST_FIELD = 400     # characters of a message's field


def shortened(text: str | bytes) -> str | bytes:
    """The text or bytes for a message; a very long one loses its middle.

    >>> shortened("7g7f"), len(shortened(10**6 * "P"))
    ('7g7f', 401)
    """
    if len(text) <= LONGEST_FIELD:
        return text
    half = LONGEST_FIELD // 2
    if isinstance(text, str):
        return f"{text[:half]}…{text[-half:]}"
    return text[:half] + "…".encode() + text[-half:]


def quoted(value: object) -> str:
    """The value in an error's quotes."""
    return str(shortened(repr(value)))


class Listed(Phrase):
    """A list for people; `last` (" or ", " and " or "; ") stands before the last item.

    >>> str(Listed([".kif", ".csa", ".pgn"], " or "))
    '.kif, .csa or .pgn'
    """

    def __init__(self, items: Iterable[object], between: str = ", ") -> None:
        super().__init__(between)
        self.items = tuple(items)

    def told(self, translate: Translate) -> str:
        words = [str(_told(item, translate)) for item in self.items]
        comma = ", " if self.template in (" or ", " and ") else self.template
        return translate(self.template).join([*filter(None, [translate(comma).join(words[:-1])]), *words[-1:]])


class UserError(Phrase, ValueError):
    """An error that the user can fix. The text of the error quotes the fault and says what to do.

    Commands print it on one line, as they print OSError. Any other exception is a bug and shows its traceback.
    """

    __module__ = "engine"       # where people import it from

    def at(self, place: object) -> Self:
        """The same error, of the same class, with the place of the fault before its words.

        >>> UserError("no such file").at("game.kif")
        UserError('game.kif: no such file')
        """
        placed: Any = copy(self)
        placed.template, placed.fields = PLACED, {"place": place, "fault": self}
        return placed   # type: ignore[no-any-return]

    @property
    def fault(self) -> UserError:
        """The error without its places."""
        fault: Any = self
        while fault.template == PLACED:
            fault = fault.fields["fault"]
        return fault    # type: ignore[no-any-return]


PLACED = "{place}: {fault}"


class OutOfMemory(Phrase, MemoryError):
    """A MemoryError that says what the memory was for."""


@contextmanager
def telling(place: object) -> Iterator[None]:
    """Put a place, a file or a part of one, into the UserErrors of the block."""
    try:
        yield
    except UserError as error:
        raise error.at(place) from None


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
        raise TypeError(f"{name}={quoted(value)}: give a whole number, not {type(value).__name__}") from None
    if number < least:
        raise UserError("{name}={number}: {least} is the least", name=name, number=number, least=least)
    if number > most:
        raise UserError("{name}={number}: {most} is the most", name=name, number=number, most=most)
    return number


def text(name: str, value: object) -> str:
    """The value, if it is a str (of a subclass such as numpy.str_, the plain str); raises TypeError otherwise.

    >>> text("sfen", None)
    Traceback (most recent call last):
    ...
    TypeError: sfen=None: give a str, not NoneType
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={quoted(value)}: give a str, not {type(value).__name__}")
    return str.__str__(value)


def of_type(name: str, value: Kind, *kinds: type) -> Kind:
    """The value, if it is an instance of one of these; raises TypeError otherwise.

    >>> of_type("position", "startpos", dict)
    Traceback (most recent call last):
    ...
    TypeError: position='startpos': give a dict, not str
    """
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name}={quoted(value)}: give {'an' if names[0] in 'AEIOaeio' else 'a'} {names}, not "
                        f"{type(value).__name__}")
    return value


def require_texts(name: str, values: Iterable[object]) -> list[str]:
    """The texts of a list. Raises TypeError for an item that is no text, and for a single text, which would be taken
    for a list of letters."""
    if isinstance(values, str):
        raise TypeError(f"{name}={quoted(values)}: give a list of moves, not one text")
    return [text(name, value) for value in values]


def require_square(square: object) -> str:
    """The name of a square, with its type and length checked. Raises TypeError unless it is a str, UserError if it is
    too short or too long."""
    if not isinstance(square, str):
        raise TypeError(f"square={quoted(square)}: give a str such as 5e, not {type(square).__name__}")
    if len(square) != 2:
        raise UserError("{square!r} is not a square; write it as 5e", square=square)
    return str.__str__(square)


def require_side(color: object) -> int:
    """The number of a side, 0 or 1. Raises TypeError unless it is an integer, UserError for another number."""
    side = whole("color", color, -INT_MAX)
    if side not in (0, 1):
        raise UserError("{side} is not a side; 0 is Black, 1 is White", side=side)
    return side
