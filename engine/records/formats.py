"""The table of record formats. Recognising, reading, writing, converting, saving, the commands' help and the table in
docs/TOOLS.md derive from FORMATS: a new format is a module with its reader and writer, and a row here.
"""
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.errors import Listed, UserError
from engine.records.csa import format_csa, is_csa, parse_csa
from engine.records.jkf import format_jkf, is_jkf, parse_jkf
from engine.records.ki2 import format_ki2, is_ki2, parse_ki2
from engine.records.kif import format_kif, is_kif, parse_kif
from engine.records.pgn import format_pgn, is_pgn, parse_pgn
from engine.records.plain import is_plain, parse_plain
from engine.records.record import GameRecord
from engine.records.usi import format_usi, is_usi, parse_usi

Part = Literal["variations", "comments", "times", "names", "headers", "nags", "results"]
PARTS: tuple[Part, ...] = ("variations", "comments", "times", "names", "headers", "nags", "results")
SHIFT_JIS, UTF_8 = "Shift_JIS", "UTF-8"


@dataclass(frozen=True)
class Format:
    """A record format.

    `suffixes` maps the ending of a file's name to the encoding in which the file is written. `read` takes a text and
    whether it is strict, as `find_records` explains it; `write` takes the games, one unless `several`, and leaves out
    what the format has no place for. `holds` lists the parts of a game, besides its start and moves, that a file keeps.
    """

    name: str
    recognises: Callable[[str], bool]       # whether a text is meant as this format, with or without faults
    read: Callable[[str, bool], list[GameRecord]]
    write: Callable[..., str] | None = None
    suffixes: Mapping[str, str] = field(default_factory=dict)
    read_too: tuple[str, ...] = ()          # endings of files that are read, but not written
    several: bool = False                   # whether a file may hold more than one game
    holds: frozenset[Part] = frozenset()


def _single(read: Callable[[str, bool], GameRecord]) -> Callable[[str, bool], list[GameRecord]]:
    return lambda text, strict: [read(text, strict)]


_NAGS: frozenset[Part] = frozenset({"nags"})
_ALL = frozenset(PARTS) - _NAGS         # PGN alone has NAGs

# A text is read in the last of these formats that recognises it; later formats are stricter.
FORMATS = (
    Format("KIF", is_kif, _single(parse_kif), format_kif, {".kif": SHIFT_JIS, ".kifu": UTF_8}, holds=_ALL),
    Format("moves", is_plain, _single(parse_plain)),            # as people type them
    Format("KI2", is_ki2, _single(parse_ki2), format_ki2, {".ki2": SHIFT_JIS, ".ki2u": UTF_8}, holds=_ALL - {"times"}),
    Format("CSA", is_csa, parse_csa, format_csa, {".csa": UTF_8}, several=True, holds=_ALL - {"variations"}),
    Format("JKF", is_jkf, parse_jkf, format_jkf, {".jkf": UTF_8}, holds=_ALL),
    Format("PGN", is_pgn, parse_pgn, format_pgn, {".pgn": UTF_8}, (".psn",), several=True,
           holds=(_ALL | _NAGS) - {"times", "headers"}),
    Format("USI", is_usi, parse_usi, format_usi, {".usi": UTF_8, ".sfen": UTF_8}, several=True),
)
WRITTEN = tuple(form for form in FORMATS if form.write)
SUFFIXES = {suffix: form for form in FORMATS for suffix in form.suffixes}
READ_SUFFIXES = (*SUFFIXES, *(suffix for form in FORMATS for suffix in form.read_too))


def names() -> Iterator[str]:
    """The names of the formats that can be written."""
    return (form.name for form in WRITTEN)


def suffixes_by_encoding() -> dict[str, list[str]]:
    """The file endings by encoding."""
    found: dict[str, list[str]] = {}
    for suffix, form in SUFFIXES.items():
        found.setdefault(form.suffixes[suffix], []).append(suffix)
    return found


def recognised(text: str) -> Format:
    """The format of a text. Raises UserError if it is in none.

    >>> recognised("startpos moves 7g7f").name
    'USI'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for form in reversed(FORMATS):
        if form.recognises(text):
            return form
    line = text.strip().splitlines()[0]
    raise UserError("this is no record in {formats}: it begins with {line!r}", formats=Listed(names(), " or "),
                    line=line[:60])


def format_of(path: Path) -> Format:
    """The format of a file, by its ending. Raises UserError if that tells none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UserError("'{path}' does not end in {endings}, so its format is not known", path=path,
                        endings=Listed(SUFFIXES, " or "))
    return SUFFIXES[suffix]
