"""A log of results for resumable runs, in JSON lines. Line 1 holds the kind and the settings, each later line one
result. A crash loses at most the last line. Files of another kind are never changed."""
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import Listed, Phrase, UserError
from engine.system.parts import naming
from usi.files.locking import require_alone
from usi.files.reading import quoted
from usi.files.writing import write_all

Key = TypeVar("Key")
Value = TypeVar("Value")
T = TypeVar("T")

SHOWN = 40          # letters of a condition that an error quotes


class OtherRun(UserError):
    """A file belongs to a run with other conditions."""


@dataclass(frozen=True)
class Kind(Generic[Key, Value]):
    """A kind of journal: its name, and how its rows are written and read."""

    name: Phrase                                    # its English stands in the first line
    row: Phrase                                     # what a line is
    read: Callable[[Any], tuple[Key, Value]]        # from JSON; TypeError, KeyError or UserError if it is none
    write: Callable[[Key, Value], object]           # to JSON
    was_unnamed: bool = False                       # the first line of older files does not have the name


class Journal(Generic[Key, Value]):
    """A log of results by key, written as they come. Without a path nothing is kept."""

    def __init__(self, path: Path | None, kind: Kind[Key, Value], conditions: Mapping[str, object]) -> None:
        """Open or begin the file. Raises OSError if that cannot be done. Raises UserError if it is no journal of this
        kind, OtherRun if it was made under other conditions, Locked if another process is writing it."""
        self.found: dict[Key, Value] = {}
        self._write = kind.write
        self._file = None
        self._path = path
        if not path:
            return
        if path.exists() and not path.is_file():
            raise UserError("{path} is a folder, or no ordinary file that could be read again; name another", path=path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b", buffering=0)      # unbuffered: a failed write is not repeated at the end
        try:
            require_alone(self._file, path)
            with naming(path):
                self._resume(path, kind, conditions)
        except (OSError, ValueError):
            self._file.close()
            raise

    def _resume(self, path: Path, kind: Kind[Key, Value], conditions: Mapping[str, object]) -> None:
        assert self._file
        beginning = _line({"kind": str(kind.name), **conditions})
        self._file.seek(0)
        data = self._file.read()
        if b"\n" in data:
            first, *lines = _whole_lines(data)
            require_same(path, kind.name, _conditions(first, path, kind), conditions,
                         remedy=Phrase("continue with the same settings, or name another file"))
            self.found = _rows(lines, path, kind)
            self._file.truncate(data.rfind(b"\n") + 1)      # the last process ended while it wrote the rest
        elif beginning.startswith(data):                    # likewise; or the file is new
            self._file.truncate(0)
            self._append(beginning)
        else:
            raise _other_kind(path, kind, data)

    def add(self, key: Key, value: Value) -> None:
        """Keep a result. Raises OSError, naming the file, if it cannot be written."""
        self.found[key] = value
        if self._file:
            self._append(_line(self._write(key, value)))

    def _append(self, line: bytes) -> None:
        assert self._file
        assert self._path
        with naming(self._path):
            write_all(self._file, line)

    def close(self) -> None:
        if self._file:
            self._file.close()


def read_journal(path: Path, kind: Kind[Key, Value]) -> tuple[dict[str, Any], dict[Key, Value]]:
    """The conditions and rows of a journal; an incomplete last line is left out.

    Raises UserError if the file is none of this kind, OSError if it cannot be read.
    """
    data = path.read_bytes()
    if b"\n" not in data:
        raise _other_kind(path, kind, data)
    first, *lines = _whole_lines(data)
    return _conditions(first, path, kind), _rows(lines, path, kind)


def _whole_lines(data: bytes) -> list[bytes]:
    return data[:data.rfind(b"\n")].split(b"\n")


def _conditions(first: bytes, path: Path, kind: Kind[Any, Any]) -> dict[str, Any]:
    try:
        conditions = json.loads(first)
    except (ValueError, RecursionError):
        conditions = None
    name = str(kind.name)
    if not isinstance(conditions, dict) or conditions.pop("kind", kind.was_unnamed and name) != name:
        raise _other_kind(path, kind, first)
    return conditions


def _rows(lines: list[bytes], path: Path, kind: Kind[Key, Value]) -> dict[Key, Value]:
    found = {}
    for number, line in enumerate(lines, start=2):
        try:
            key, value = kind.read(json.loads(line))
        except (TypeError, KeyError, ValueError, RecursionError):
            raise UserError("{line} is no {name}; remove that line, and this is done again", line=quoted(line),
                            name=kind.row).at(f"{path}:{number}") from None
        found[key] = value
    return found


def _line(values: object) -> bytes:
    return json.dumps(values).encode() + b"\n"


def _other_kind(path: Path, kind: Kind[Any, Any], line: bytes) -> UserError:
    return UserError("{path} does not hold {name}: it begins with {line}; name another file", path=path, name=kind.name,
                     line=quoted(line))


REMEDY = Phrase("name another file, or delete it")


def require_same(path: Path, what: Phrase, kept: Mapping[str, Any], wanted: Mapping[str, Any],
                 free: Collection[str] = (), remedy: Phrase = REMEDY) -> None:
    """Raise OtherRun, naming the differences, unless the stored conditions equal the wanted ones, apart from those in
    `free`."""
    stored = json.loads(json.dumps(wanted))
    if differing := [name for name in stored if name not in free and kept.get(name) != stored[name]]:
        texts = {name: json.dumps(kept.get(name), ensure_ascii=False) for name in differing}
        short = ", ".join(f"{name} {text}" for name, text in texts.items() if len(text) <= SHOWN)
        raise OtherRun("{path} holds {what} that differs in {names}; {remedy} (there it is {values})" if short else
                       "{path} holds {what} that differs in {names}; {remedy}",
                       path=path, what=what, names=Listed(differing), remedy=remedy, values=short)


def typed(kind: type[T], values: object) -> T:
    """The dataclass whose JSON this is. Raises TypeError if a field is not known, or of another type."""
    if not isinstance(values, dict):
        raise TypeError(f"{values!r} is no {kind.__name__}")
    hints = get_type_hints(kind)
    return kind(**{name: _fitted(hints[name], value) for name, value in values.items()})


def _fitted(hint: Any, value: Any) -> Any:
    """Convert a JSON value to this type; arrays become tuples where the type says so."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        for one in arguments:
            try:
                return _fitted(one, value)
            except TypeError:
                continue
    elif origin is Literal:
        if value in arguments:
            return value
    elif origin in (list, tuple):
        if isinstance(value, list):
            every = arguments[:1] * len(value) if origin is list or arguments[-1] is Ellipsis else arguments
            if len(every) == len(value):
                return origin(_fitted(one, each) for one, each in zip(every, value, strict=True))
    elif origin is dict:
        if isinstance(value, dict):
            return {_fitted(arguments[0], name): _fitted(arguments[1], each) for name, each in value.items()}
    elif isinstance(hint, type) and is_dataclass(hint):
        return typed(hint, value)
    elif hint is Any or type(value) is hint or (hint is float and type(value) is int):
        return value
    raise TypeError(f"{value!r} is no {hint}")
