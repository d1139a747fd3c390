"""The text form of opening books, YaneuraOu's YANEURAOU-DB2016 1.00 (docs/BOOK.md describes it)."""
import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import NamedTuple

from engine.errors import Phrase, UserError
from engine.sfen import MOVE
from usi.files.reading import QUOTED, quoted
from usi.files.writing import replacing, write_new

HEADER = "#YANEURAOU-DB2016 1.00"
LONGEST_LINE = 1 << 16      # bytes; a position's line has a few hundred
MOST_LINES = 10_000         # below one position, which has at most 593 moves

_MOVE = b"(?:%b)" % MOVE.pattern.encode()
_UNKNOWN = rb"(?:-|[A-Za-z]+)"      # `none` and the like, for an unknown value
_COMMENT = rb"[ \t]*+(?:#|//)[^\n]*+"
_HEAD = re.compile(
    rb"[ \t]*+sfen[ \t]++([1-9PLNSGBRKplnsgbrk+/]+)[ \t]++([bw])[ \t]++(-|[0-9PLNSGBRplnsgbr]+)"
    rb"(?:[ \t]++([0-9]{1,9}))?(?:%b)?\s*+" % _COMMENT
)
_IDLE_LINE = re.compile(rb"[ \t\r]*+(?:(?:#|//)[^\n]*+)?\n")


def _move_line(group: bytes) -> bytes:
    """The pattern of a line with a move; `group`, `(` or `(?:`, opens each of its five columns. Columns on the right
    may be missing, and further ones are ignored. A line matches in one way at most, so that a bad one fails soon."""
    move = rb"%b%b)" % (group, _MOVE)
    number = rb"[ \t]++(?:(?:\+(?!-))?%b-?[0-9]{1,9})(?:\.[0-9]*)?|%b)" % (group, _UNKNOWN)
    return (rb"[ \t]*+%b(?:[ \t]++(?:%b|%b)(?:%b(?:%b(?:%b(?:[ \t]++[^\n]*+)?)?)?)?)?(?:%b)?[ \t\r]*+\n"
            % (move, move, _UNKNOWN, number, number, number, _COMMENT))


_MOVE_LINE = re.compile(rb"(?m:^)" + _move_line(b"("))
# A possessive repeat of whole lines, `(?:LINE)*+`, would do, but several versions of Python fail on one that holds
# groups (https://github.com/python/cpython/issues/101955) or several ways to match (106052).
_BEFORE_ODD_LINE = re.compile(rb"\n(?!%b|%b|\Z)" % (_move_line(b"(?:"), _IDLE_LINE.pattern))


class BookMove(NamedTuple):
    """A move of a book's position; figures that are not known are 0."""

    move: str
    ponder: str | None = None       # the expected reply
    score: int = 0                  # centipawns, for the side that moves
    depth: int = 0                  # of the search that found the score
    games: int = 0                  # in which it was played

    def __str__(self) -> str:
        return f"{self.move} {self.ponder or 'none'} {self.score} {self.depth} {self.games}"


class BookEntry(NamedTuple):
    """A position of a book and its moves."""

    placement: str          # its SFEN without the number of the move
    move_number: int | None     # that number, if the file has one
    moves: tuple[BookMove, ...]

    @property
    def sfen(self) -> str:
        return self.placement if self.move_number is None else f"{self.placement} {self.move_number}"


class BookBlock(NamedTuple):
    """A position as it stands in a file, known to be well formed but not taken apart."""

    placement: bytes
    move_number: int | None
    body: bytes             # the lines of its moves

    @property
    def order(self) -> tuple[bytes, str]:
        """The key by which files are sorted: the bytes of the `sfen` line, so ply 10 comes before 9."""
        return self.placement, "" if self.move_number is None else str(self.move_number)

    def entry(self) -> BookEntry:
        moves = tuple(
            BookMove(move.decode(), ponder.decode() or None, int(score or 0), int(depth or 0), int(games or 0))
            for move, ponder, score, depth, games in _MOVE_LINE.findall(self.body)
        )
        return BookEntry(self.placement.decode(), self.move_number, moves)


def read_entries(found: Iterable[BookBlock], path: Path) -> list[BookEntry]:
    """The entries of one position. Raises UserError, naming `path`, if there are more than MOST_LINES lines: reading
    them would take its time from the clock."""
    result: list[BookEntry] = []
    lines = 0
    for block in found:
        lines += block.body.count(b"\n") + 1
        if lines > MOST_LINES:
            raise _too_many_lines(path, b"sfen " + block.placement)
        result.append(block.entry())
    return result


def open_book(path: Path) -> BufferedIOBase:
    """The opened file. Raises OSError if it cannot be opened, UserError if it is no ordinary file: a pipe cannot be
    searched."""
    if path.exists() and not path.is_file():
        raise UserError("{path!r} is a folder, or no ordinary file; give a book's file", path=str(path))
    return open(path, "rb")


def refuse(fault: UserError) -> None:
    """The default for malformed lines: raise."""
    raise fault


class LeftOut:
    """A receiver of a book's malformed lines that skips them, where `refuse` raises. It passes the first few to `say`,
    each once, although a file may be read several times."""

    NAMED = 3

    def __init__(self, say: Callable[[Phrase], None]) -> None:
        self._say = say
        self._faults: set[str] = set()

    def __call__(self, fault: UserError) -> None:
        if str(fault) not in self._faults and len(self._faults) < self.NAMED:
            self._say(Phrase("{fault}; this line is left out", fault=fault))
        self._faults.add(str(fault))

    def tell_of_others(self, path: Path) -> None:
        """Report how many malformed lines were not named."""
        if (more := len(self._faults) - self.NAMED) > 0:
            self._say(Phrase("{path}: {count} more line left out" if more == 1 else
                             "{path}: {count} more lines left out", path=path, count=more))


def blocks(stream: BufferedIOBase, path: Path, start: int = 0,
           fault_in: Callable[[UserError], None] = refuse) -> Iterator[BookBlock]:
    """The positions of a file, from the one on whose `sfen` line begins at byte `start`.

    Each line that is not of this form is reported to `fault_in`, with `path`, the line, and its number, or the byte
    where it begins if `start` is not 0. If that returns, the line is left out, with the moves below it if it should
    have been a position. Raises UserError if this is no book at all.
    """
    stream.seek(start)
    if not start and stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        stream.seek(0)
    offset, number = start, 1
    for lines in _paragraphs(stream, path):
        if number == 1:
            _require_known_form(lines[0], path)
        head = _HEAD.fullmatch(lines[0])
        body = b"".join(lines[1:])
        odd: tuple[int, ...] = () if head or _IDLE_LINE.fullmatch(lines[0]) else (0,)
        if head and _BEFORE_ODD_LINE.search(b"\n" + body):
            odd = tuple(i for i in range(1, len(lines)) if _BEFORE_ODD_LINE.match(b"\n" + lines[i]))
            body = b"".join(line for i, line in enumerate(lines) if i and i not in odd)
        for i in odd:
            fault = UserError("{line} is neither a position ('sfen BOARD b|w HANDS PLY'), nor a move below one ('MOVE "
                              "REPLY SCORE DEPTH COUNT'), nor a comment ('#')", line=quoted(lines[i]))
            fault_in(fault.at(Phrase("{path}, byte {number}", path=path, number=offset + sum(map(len, lines[:i])))
                              if start else f"{path}:{number + i}"))
        if head:
            yield BookBlock(b" ".join(head.group(1, 2, 3)), int(head[4]) if head[4] else None, body)
        offset += sum(map(len, lines))
        number += len(lines)


def lines_of(stream: BufferedIOBase, path: Path) -> Iterator[bytes]:
    """The remaining lines of the stream. Raises UserError, naming `path`, for a line too long for a book."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise UserError("a line of {count} bytes or more is in no book, and one begins {line}; give a book",
                            count=LONGEST_LINE, line=quoted(line[:QUOTED])).at(path)
        yield line


def _paragraphs(stream: BufferedIOBase, path: Path) -> Iterator[list[bytes]]:
    """The remaining lines in groups: each line before the first position alone, then the lines of each position as a
    list."""
    lines: list[bytes] = []
    for line in lines_of(stream, path):
        if lines and (_begins_position(line) or not _begins_position(lines[0])):
            yield lines
            lines = []
        elif len(lines) == MOST_LINES:
            raise _too_many_lines(path, lines[0])
        lines.append(line)
    if lines:
        lines[-1] = lines[-1].removesuffix(b"\n") + b"\n"
        yield lines


def _too_many_lines(path: Path, above: bytes) -> UserError:
    """The error for more than MOST_LINES lines below the line `above`."""
    return UserError("{line} has more than {most} lines below it; give a book", line=quoted(above),
                     most=MOST_LINES).at(path)


def _begins_position(line: bytes) -> bool:
    return line.lstrip(b" \t").startswith(b"sfen")


def _require_known_form(line: bytes, path: Path) -> None:
    known = HEADER.split()[0].encode()
    if line.startswith(b"#YANEURAOU-") and not line.startswith(known):
        raise UserError("{line} is a form that is not known; give a file that begins {header!r}", line=quoted(line),
                        header=HEADER).at(f"{path}:1")


class Written(NamedTuple):
    """The result of writing a book."""

    positions: int
    kept: Path | None       # the copy of an older book with more positions, if there was one


def write_book(path: Path, entries: Iterable[BookEntry], note: str) -> Written:
    """Write entries as a book, with a comment line that says how it was made. The file is sorted if the entries are.
    The file appears once it is complete. Raises OSError if it cannot be written."""
    count = 0
    kept = None
    with replacing(path) as file:
        file.write(f"{HEADER}\n# {note}\n".encode("ascii"))
        for entry in entries:
            file.write((f"sfen {entry.sfen}\n" + "".join(f"{move}\n" for move in entry.moves)).encode("ascii"))
            count += 1
        if count < positions_in(path):
            kept = write_new(path.with_name(f"{path.name}.bak"), path.read_bytes())
    return Written(count, kept)


def positions_in(path: Path) -> int:
    """The number of positions of a book; 0 if the file does not exist. Raises OSError if it cannot be read."""
    if not path.is_file():
        return 0
    with open(path, "rb") as file:
        return sum(map(_begins_position, iter(partial(file.readline, LONGEST_LINE), b"")))


def combined(moves: Iterable[BookMove]) -> tuple[BookMove, ...]:
    """Each move once, best first. Games add up; score and reply come from the deeper search, or from the first entry.

    >>> [str(move) for move in combined([BookMove("7g7f", "3c3d", 5, 8, 2), BookMove("7g7f", None, 9, 10, 1)])]
    ['7g7f 3c3d 9 10 3']
    """
    found: dict[str, BookMove] = {}
    for new in moves:
        old = found.get(new.move, new)
        deep, other = (new, old) if new.depth > old.depth else (old, new)
        games = old.games + new.games if new.move in found else new.games
        found[new.move] = deep._replace(ponder=deep.ponder or other.ponder, games=games)
    return tuple(sorted(found.values(), key=lambda move: (-move.score, -move.games, move.move)))
