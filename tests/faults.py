"""Errors by what they say, not by how: their class and fields."""
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine import UserError


@contextmanager
def refused(kind: type[UserError] = UserError, /, **fields: object) -> Iterator[None]:
    """The block raises an error of this class whose fault has exactly these fields. `...` stands for any value; a
    phrase, and what is no number or text, is compared by its English words."""
    with pytest.raises(kind) as raised:
        yield
    found = raised.value.fault.fields
    assert set(found) == set(fields), str(raised.value)
    for name, value in fields.items():
        assert value is ... or found[name] == value or str(found[name]) == str(value), str(raised.value)
