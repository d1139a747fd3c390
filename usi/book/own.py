"""The book of a session: found and opened as the options ask, and asked for moves."""
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine import Position
from engine.errors import Listed, UserError
from usi.book.choice import BookChoice, BookSettings, choose, legal_moves_of
from usi.book.db import LeftOut, refuse
from usi.book.lookup import Book, InMemory, OnTheFly
from usi.words.reasons import reason

NO_BOOK = "no_book"         # the name for no book, as in YaneuraOu
PACKAGE = Path(__file__).parent.parent
PACKAGED = Path(__file__).parent / "data" / "default.book.db"


class BookSource(NamedTuple):
    """The name and folder of the book to open; the packaged one if `name` is empty."""

    name: str
    folder: str
    on_the_fly: bool

    def path(self) -> Path:
        """The book's file, looked for relative to the package, then to the working directory.

        Raises UserError, saying where it was looked for, if it is nowhere.
        """
        if not self.name:
            return PACKAGED
        tried = list(dict.fromkeys(root / self.folder / self.name for root in (PACKAGE, Path.cwd())))
        for path in tried:
            if path.exists():
                return path
        raise UserError("there is no book {paths}", paths=Listed((repr(str(path)) for path in tried), " or "))

    def open(self, fault_in: Callable[[UserError], None] = refuse) -> Book:
        """The opened book, which passes malformed lines to `fault_in`. Raises OSError and UserError as its class
        does."""
        path = self.path()
        # The packaged book is sorted, so that an engine need not read it as it starts.
        return (OnTheFly if self.on_the_fly or path == PACKAGED else InMemory)(path, fault_in)


class OwnBook:
    """The session's book. It is opened once. Malformed lines are reported to `say` and skipped, and so is a book that
    cannot be used at all."""

    def __init__(self, say: Callable[[str], None], random: Random | None = None) -> None:
        self._say = say
        self._random = random or Random()
        self._source: BookSource | None = None      # asked for last
        self._state: tuple[int, int] | None = None  # of its file: time in nanoseconds, bytes
        self._book: Book | None = None
        self._left_out = LeftOut(lambda fault: self._say(str(fault)))
        self._numbers_may_differ = True             # no position was found yet, and the difference not reported

    def open(self, source: BookSource | None, look_again: bool = False) -> None:
        """Make `source` the book, or have none if it is None. With `look_again` a file that has changed, or could not
        be used, is opened again."""
        if source == self._source and not (source and look_again and self._has_changed(source)):
            return
        self._drop()
        self._source = source
        if source:
            try:
                self._state = _state(source)
                self._book = source.open(self._left_out)
                self._left_out.tell_of_others(self._book.path)
            except (OSError, ValueError, MemoryError) as error:
                self._give_up(error)

    def choose(self, position: Position, settings: BookSettings, searchmoves: tuple[str, ...]) -> BookChoice | None:
        """A book move for the position; None if the book has none, or there is no book."""
        if not self._book:
            return None
        try:
            choice = choose(self._book, position, settings, self._random, searchmoves)
            if self._numbers_may_differ:
                self._see_to_numbers(self._book, position, settings)
            return choice
        except (OSError, ValueError) as error:
            self._give_up(error)
            return None

    def _see_to_numbers(self, book: Book, position: Position, settings: BookSettings) -> None:
        """Report, once, if the book has a position at other plies only."""
        if position.move_number > settings.plies:
            return
        if legal_moves_of(book, position, settings):
            self._numbers_may_differ = False
        elif legal_moves_of(book, position, replace(settings, ignore_ply=True)):
            self._numbers_may_differ = False
            self._say(f"the book {book.path.name} has this position, but not as ply {position.move_number}, so it is "
                      "not used: to ignore the numbers of moves, setoption name IgnoreBookPly value true")

    def _has_changed(self, source: BookSource) -> bool:
        try:
            return not self._book or self._state != _state(source)
        except OSError:
            return True

    def _give_up(self, error: Exception) -> None:
        self._drop()
        self._say(f"{reason(error)}; playing without a book")

    def _drop(self) -> None:
        if self._book:
            self._book.close()
        self._book = None
        self._left_out = LeftOut(lambda fault: self._say(str(fault)))
        self._numbers_may_differ = True


def _state(source: BookSource) -> tuple[int, int]:
    status = source.path().stat()
    return status.st_mtime_ns, status.st_size
