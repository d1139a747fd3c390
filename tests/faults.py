"""Checks of errors by class and fields instead of by wording, so that a better sentence breaks no test."""
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest
from click.testing import Result

from engine import UserError
from engine.errors import PLACED, Listed, Phrase


class refused:
    """An error: its class, and all fields of its fault. As a context manager, the block raises it.

    `...` stands for any value of a field, another `refused` for a phrase or an error. Other phrases, paths and lists
    are compared by their English words, which are few. `at` is a part of a place of the fault, such as the number of a
    line, or several parts. Where templates that mean different things have the same fields, or none, `about` is a word
    of the template, its subject.
    """

    def __init__(self, kind: type[Phrase] = UserError, /, *, about: str = "", at: object = None,
                 **fields: object) -> None:
        self._kind = kind
        self._about = about
        self._at = at
        self._fields = fields
        self._raises: list[pytest.RaisesExc[BaseException]] = []

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in self._fields.items())
        return f"refused({self._kind.__name__}, about={self._about!r}, at={self._at!r}{fields})"

    def __enter__(self) -> Self:
        assert issubclass(self._kind, BaseException)
        self._raises.append(pytest.raises(self._kind))
        self._info = self._raises[-1].__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> bool:
        is_expected = self._raises.pop().__exit__(kind, error, trace)
        if is_expected:
            self.check(self._info.value)
        return is_expected

    @property
    def error(self) -> UserError:
        """The error that the block has raised."""
        error = self._info.value
        assert isinstance(error, UserError)
        return error

    @property
    def fields(self) -> dict[str, Any]:
        return self.error.fault.fields

    def ended(self, done: Result) -> None:
        """Check that a command ended by this error, and showed it."""
        assert done.exception, done.output
        errors = [error for error in _causes(done.exception) if isinstance(error, self._kind)]
        assert errors, (done.output, done.exception)
        self.check(errors[0])
        assert str(errors[0]) in done.output

    def check(self, error: object) -> None:
        """Fail unless this is the error."""
        assert isinstance(error, self._kind), repr(error)
        phrase: object = error
        places: list[object] = []
        while isinstance(phrase, Phrase) and phrase.template == PLACED:
            places.append(phrase.fields["place"])
            phrase = phrase.fields["fault"]
        assert isinstance(phrase, Phrase), repr(error)
        assert set(phrase.fields) == set(self._fields), repr(error)
        for name, value in self._fields.items():
            _compare(value, phrase.fields[name])
        assert self._about in phrase.template, repr(error)
        parts = [part for place in places for part in (place, *getattr(place, "fields", {}).values())]
        for at in self._at if isinstance(self._at, tuple) else (self._at,):
            assert at is None or any(_is_at(at, part) for part in parts), repr(error)


def _is_at(place: object, part: object) -> bool:
    return place == part or (isinstance(place, str | Path) and str(place) in str(part))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__context__


def _compare(expected: object, found: object) -> None:
    if isinstance(expected, refused):
        expected.check(found)
    elif isinstance(expected, list):
        assert isinstance(found, Listed), repr(found)
        assert list(map(str, found.items)) == list(map(str, expected))
    else:
        assert expected is ... or found == expected or str(found) == str(expected), repr(found)
