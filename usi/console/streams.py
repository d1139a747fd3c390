"""The standard streams of commands: always open, able to take any text, and with control characters made visible."""
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
        """Write a text. Bytes are accepted because click writes them for a shell's completion, after a test with empty
        bytes."""
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
    """The stream for our own control sequences, such as colours."""
    return stream._stream if isinstance(stream, VisibleStream) else stream


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Make standard output and standard error visible streams during the block; no text raises an error there. The null
    device replaces closed streams: otherwise the next file opened would get the stream's number, and with it the output
    of C code and child processes. Letters that an encoding lacks (CP932, EUC-JP, ASCII) are replaced by plain ones."""
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
    """An error handler for `codecs.register_error`: bytes of file names stay as they were, other letters become plain
    ones (PLAIN)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    byte = ord(letter) - 0xDC00
    return bytes([byte]) if 0x80 <= byte <= 0xFF else PLAIN.get(letter, "?"), error.start + 1
