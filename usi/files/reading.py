"""Text files from users: records and lists of positions. A file that is too large, or does not begin like text, is
refused before all of it is read."""
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from engine.errors import UserError

QUOTED = 80         # characters of a bad line that an error shows

STDIN = "-"
LARGEST_MB = 512
SEEN_FIRST = 1 << 16        # bytes
PART = 1 << 20
PADDING = b"\0\x1a"
_NO_TEXT = re.compile(rb"(?:..)*?\0\0", re.DOTALL)      # UTF-16 has no such letter either


def read_text_file(source: str | Path) -> bytes:
    """The bytes of a file, or of standard input if `source` is "-".

    Raises OSError if it cannot be read. Raises UserError if it has more than LARGEST_MB, or does not begin like
    text."""
    if source == STDIN:
        return _read(sys.stdin.buffer)
    with open(source, "rb") as file:
        _require_size(os.fstat(file.fileno()).st_size)
        return _read(file)


def is_file(name: str) -> bool:
    """Whether there is a file of this name; False for a text too long for a name."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def require_different(paths: Iterable[Path]) -> None:
    """Raise UserError for a file that is given twice, also under two names."""
    found: set[Path] = set()
    for path in paths:
        if path.resolve() in found:
            raise UserError("{path} is given twice; give each file once", path=path)
        found.add(path.resolve())


def _read(stream: BinaryIO) -> bytes:
    head = stream.read(SEEN_FIRST)
    whole = len(head) < SEEN_FIRST      # then zeros at the end only fill the last block of a disk
    if match := _NO_TEXT.match(head.rstrip(PADDING) if whole else head):
        raise UserError("this is no text: byte {number} and the next are zero; give a record", number=match.end() - 2)
    data = bytearray(head)
    while part := stream.read(PART):        # read(n) allocates n bytes, even for a short file
        data += part
        _require_size(len(data))
    return bytes(data)


def _require_size(size: int) -> None:
    if size > LARGEST_MB << 20:
        raise UserError("this has more than {most} MB, which no record has; give a record, or a part of it",
                        most=LARGEST_MB)


def quoted(line: bytes) -> str:
    """The bytes as text in quotes for an error message, shortened if they are long."""
    text = line.strip().decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "…")
