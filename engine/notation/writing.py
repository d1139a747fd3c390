"""Records as files are written: the ending of a name decides the format and the encoding."""
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from engine.notation.csa import format_csa
from engine.notation.jkf import format_jkf
from engine.notation.ki2 import format_ki2
from engine.notation.kif import format_kif
from engine.notation.pgn import format_pgn
from engine.notation.record import Record
from engine.notation.usi import format_usi


def enumerated(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> enumerated(["a", "b", "c"]), enumerated(["a"])
    ('a, b or c', 'a')
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# What is written by the endings of names, and in which encoding; Python's name for it may differ from people's.
Formats = Mapping[str, tuple[Callable[..., str], str]]
FORMATS: Formats = {
    ".kif": (format_kif, "Shift_JIS"), ".kifu": (format_kif, "UTF-8"), ".csa": (format_csa, "UTF-8"),
    ".ki2": (format_ki2, "Shift_JIS"), ".ki2u": (format_ki2, "UTF-8"), ".jkf": (format_jkf, "UTF-8"),
}
# … and those that hold less: no times, or moves alone.
ALL_FORMATS: Formats = {
    **FORMATS, ".pgn": (format_pgn, "UTF-8"), ".usi": (format_usi, "UTF-8"), ".sfen": (format_usi, "UTF-8"),
}
ENDINGS = enumerated(FORMATS)
_CODECS = {"Shift_JIS": "cp932", "UTF-8": "utf-8"}
_DECLARED = re.compile(r"^(#KIF\b.*\bencoding=)\S+", re.MULTILINE)


def encoded(path: Path, *records: Record, formats: Formats = FORMATS) -> bytes:
    """The bytes of a file of this name, with several games where the format has them. ValueError for another ending, or
    if the format or its encoding cannot hold the game."""
    form, encoding = formats[require_record_suffix(path, formats)]
    text = _DECLARED.sub(rf"\g<1>{encoding}", form(*records))
    try:
        return text.encode(_CODECS[encoding])
    except UnicodeEncodeError as fault:
        letters, instead = fault.object[fault.start:fault.end], path.with_suffix(path.suffix + "u").name
        raise ValueError(f"{letters!r} cannot be written in {encoding}, which {path.suffix} is in; write {instead} "
                         "instead") from None


def require_record_suffix(path: Path, formats: Formats = FORMATS) -> str:
    """The ending of a record's name, in small letters; ValueError if it tells no format."""
    suffix = path.suffix.lower()
    if suffix not in formats:
        raise ValueError(f"'{path}' does not end in {enumerated(formats)}, so its format is not known")
    return suffix
