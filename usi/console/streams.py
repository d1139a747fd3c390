"""The standard streams of commands: there, able to take any text, and safe from what they show."""
import codecs
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from usi.words.visible import visible

PLAINLY = "gakushi-plainly"     # a name for `codecs.register_error`
PLAIN = {"±": "+-", "–": "-", "…": "...", "½": "1/2", "×": "x", "≥": ">=", "→": "->", "“": '"', "”": '"'}


class VisibleStream:
    """A text stream that writes control characters and marks of direction as visible text (usi/words/visible.py). It
    has no `buffer`, which would pass everything on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str | bytes) -> int:
        """Write a text. click also writes bytes, for a shell that completes words; no bytes it writes to see whether
        that is possible, and would then write nothing else."""
        if text == b"":
            raise TypeError("this is a stream of text")
        self._stream.write(visible(text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self._stream, name)


def unguarded(stream: TextIO) -> TextIO:
    """The stream for sequences of our own that command a terminal, such as colours."""
    return stream._stream if isinstance(stream, VisibleStream) else stream


@contextmanager
def guarded_streams() -> Iterator[None]:
    """For the block, standard output and standard error are visible streams that no text can end a command by. Python
    has None in place of closed ones, and the next file opened would get the number of the stream, and with it what C or
    a child process prints: the null device takes their place. Letters that an output's encoding lacks (CP932, EUC-JP,
    ASCII) are written plainly."""
    codecs.register_error(PLAINLY, _plainly)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8", errors="replace"))    # noqa: SIM115
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINLY)
    sys.stdout, sys.stderr = map(VisibleStream, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """A handler for `codecs.register_error`: a byte of a file's name as it was, other letters by PLAIN."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    byte = ord(letter) - 0xDC00
    return bytes([byte]) if 0x80 <= byte <= 0xFF else PLAIN.get(letter, "?"), error.start + 1
