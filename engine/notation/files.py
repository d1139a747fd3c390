"""Records as files hold them: the encoding and the format are found out."""

import re
from os import PathLike
from pathlib import Path

from engine.notation.csa import parse_csa
from engine.notation.kif import parse_kif
from engine.notation.record import Record

# How the first line of a CSA file begins, blank lines aside; no line of KIF begins so.
_CSA = re.compile(r"\s*(?:'|V[1-3]|N[+-]|\$|P[I1-9+-]|[+-]\s|[+-][0-9]{4}[A-Z]{2}|%|/\s)")


def read_records(source: str | bytes | PathLike[str]) -> list[Record]:
    """Read every game of a CSA or KIF file (a KIF file has one).

    `source` is a path (a `Path`, not a str), the bytes of a file, or its text. Bytes are UTF-8, with or without a byte
    order mark, or else Shift_JIS (cp932). ValueError if they are neither, or for what the parsers do not accept;
    OSError if the file cannot be read.
    """
    if isinstance(source, PathLike):
        source = Path(source).read_bytes()
    text = source if isinstance(source, str) else _decode(source)
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise ValueError(f"there is no record in {text!r}")
    return parse_csa(text) if _CSA.match(text) else [parse_kif(text)]


def read_record(source: str | bytes | PathLike[str]) -> Record:
    """Read the one game of a CSA or KIF file, as `read_records` does; ValueError if there are several.

    >>> read_record("PI\\n+\\n+7776FU\\n").moves
    ['7g7f']
    """
    records = read_records(source)
    if len(records) != 1:
        raise ValueError(f"there are {len(records)} games, not one; read them with read_records")
    return records[0]


def _decode(data: bytes) -> str:
    for encoding in ("utf-8", "cp932"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ValueError(f"a record that begins with {data[:40]!r} is in neither UTF-8 nor Shift_JIS")
