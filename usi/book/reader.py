"""An opening book, open for programs to read."""
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from random import Random

from engine.board import Position
from engine.errors import of_type
from usi.book.choice import BookSettings, choose, legal_moves_of
from usi.book.db import BookEntry, BookMove, blocks, open_book
from usi.book.lookup import Book, InMemory, OnTheFly
from usi.book.own import PACKAGED


class OpeningBook:
    """A book in YaneuraOu's text form (docs/BOOK.md), or the packaged one. A `with` block closes it at the end.

    Positions are found at any move number and also with the sides exchanged; the moves of several entries are merged.

    >>> with OpeningBook() as book:
    ...     best = book.moves(Position())[0]
    >>> best.move, best.depth > 0
    ('2g2f', True)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, on_the_fly: bool = False) -> None:
        """`on_the_fly` searches a sorted file instead of reading all of it, as is done with the packaged one. Raises
        OSError if it cannot be read, UserError, naming the line, if it is malformed, holds no position or is not
        sorted."""
        self.path = PACKAGED if path is None else Path(of_type("path", path, str, PathLike))
        self._book: Book = (OnTheFly if on_the_fly or path is None else InMemory)(self.path)

    def moves(self, position: Position) -> tuple[BookMove, ...]:
        """The legal moves that the book has in a position, the best first; none if it does not have it."""
        return legal_moves_of(self._book, of_type("position", position, Position), _ANY)

    def choose(self, position: Position, *, by_games: bool = False, random: Random | None = None) -> BookMove | None:
        """A move for play, drawn among those nearly as good as the best (docs/BOOK.md), or with `by_games` among all,
        in proportion to the games that they were played in; None if the book has none."""
        found = choose(self._book, of_type("position", position, Position),
                       _ANY if not by_games else _BY_GAMES, random or Random())
        return found.chosen if found else None

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and bool(self.moves(position))

    def __iter__(self) -> Iterator[BookEntry]:
        """All positions of the file, in its order."""
        with open_book(self.path) as file:
            for block in blocks(file, self.path):
                yield block.entry()

    def close(self) -> None:
        """Close the file, or release what was read."""
        self._book.close()

    def __enter__(self) -> "OpeningBook":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_ANY = BookSettings(plies=10**6, depth_limit=0, ignore_ply=True)
_BY_GAMES = BookSettings(plies=10**6, eval_diff=10**6, depth_limit=0, ignore_ply=True, by_games=True)
