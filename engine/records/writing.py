"""Records as files are written: the ending of a name decides the format and the encoding."""
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from engine.errors import UserError
from engine.records.csa import format_csa
from engine.records.jkf import format_jkf
from engine.records.ki2 import format_ki2
from engine.records.kif import format_kif
from engine.records.pgn import format_pgn
from engine.records.record import GameRecord, single_line
from engine.records.usi import format_usi


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
_CODECS = {"Shift_JIS": "cp932", "UTF-8": "utf-8"}
_DECLARED = re.compile(r"^(#KIF\b.*\bencoding=)\S+", re.MULTILINE)       # in KIF and KI2
PLAIN = (".csa", ".usi", ".sfen")               # without variations
# Letters that other encodings have in place of Shift_JIS's, as Windows has it: 〜 and － from a Mac, say.
_AS_IN_WINDOWS = str.maketrans("\u301c\u2212\u2016\u2014\u00a2\u00a3\u00ac",
                               "\uff5e\uff0d\u2225\u2015\uffe0\uffe1\uffe2")


def encoded(path: Path, *records: GameRecord, formats: Formats = FORMATS) -> bytes:
    """The bytes of a file of this name, with several games where the format has them. UserError for another ending, or
    if the format or its encoding cannot hold the game."""
    form, encoding = formats[require_record_suffix(path, formats)]
    text = form(*records)
    if form in (format_kif, format_ki2):
        text = _DECLARED.sub(rf"\g<1>{encoding}", text)
    if encoding == "Shift_JIS":
        text = text.translate(_AS_IN_WINDOWS)
    try:
        return text.encode(_CODECS[encoding])
    except UnicodeEncodeError as fault:
        letters, instead = fault.object[fault.start:fault.end], path.with_suffix(path.suffix + "u").name
        raise UserError(f"{letters!r} cannot be written in {encoding}, which {path.suffix} is in; write {instead} "
                        "instead") from None


def fitted(record: GameRecord, suffix: str) -> GameRecord:
    """The game without what a format would refuse: line ends in names and headers, which become blanks; the variations
    and the ends that it has no place for. Text that the format would not keep as it is, it leaves out itself.

    >>> fitted(GameRecord(moves=["7g7f"], terminal="WIN_BY_DEFAULT"), ".csa").terminal is None
    True
    """
    black, white = record.names
    record = replace(record, names=(single_line(black), single_line(white)),
                     headers={single_line(key): single_line(value) for key, value in record.headers.items()})
    if suffix in PLAIN:
        record.variations = {}
    if suffix == ".csa" and (record.terminal or "").endswith("_BY_DEFAULT"):
        record.terminal = None
    return _without_last(record) if suffix == ".pgn" else record


def _without_last(line: GameRecord) -> GameRecord:
    """A line without what could be played behind its last move, and its variations likewise."""
    return replace(line, variations={ply: [_without_last(variation) for variation in variations]
                                     for ply, variations in line.variations.items() if ply <= len(line.moves)})


def require_record_suffix(path: Path, formats: Formats = FORMATS) -> str:
    """The ending of a record's name, in small letters; UserError if it tells no format."""
    suffix = path.suffix.lower()
    if suffix not in formats:
        raise UserError(f"'{path}' does not end in {enumerated(formats)}, so its format is not known")
    return suffix
