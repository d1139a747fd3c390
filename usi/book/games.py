"""The games that a book is made from."""
import re
from collections.abc import Iterator
from pathlib import Path

from engine.notation.files import read_records
from engine.notation.record import Record
from engine.notation.sfen import parse_position

SUFFIXES = (".csa", ".kif", ".kifu", ".sfen", ".usi")       # of the files taken from a folder

_USI_LINE = re.compile(rb"\s*(?:position\s+)?(?:startpos|sfen|[1-9+A-Za-z]+(?:/[1-9+A-Za-z]+){8})(?:\s|$)")
_COMMENT = re.compile(rb"\s*(?:#|$)")


def files_of(sources: tuple[Path, ...]) -> Iterator[Path]:
    """The files named, and all records in the folders named, however deep."""
    for source in sources:
        if source.is_dir():
            yield from sorted(path for path in source.rglob("*") if path.suffix.lower() in SUFFIXES)
        else:
            yield source


def games_of(path: Path) -> Iterator[Record]:
    """Every game of a file: CSA, KIF, or one to a line in USI, `startpos moves …` or `sfen … moves …`.

    OSError if it cannot be read; ValueError for what is no record, and for moves that are not legal.
    """
    data = path.read_bytes()
    lines = [(number, line) for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1)
             if not _COMMENT.match(line)]
    if lines and _USI_LINE.match(lines[0][1]):
        for number, line in lines:
            yield _usi_game(line.decode("utf-8", "backslashreplace"), number)
    else:
        yield from read_records(data)


def _usi_game(line: str, number: int) -> Record:
    try:
        sfen, moves = parse_position(line.strip().removeprefix("position"))
        record = Record(sfen, moves)
        record.position()       # it plays the moves, so that an illegal one is found
    except ValueError as fault:
        raise ValueError(f"line {number}: {fault}") from None
    return record
