"""The moves that a book plays, as a tree: `engine book tree`."""
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import Position
from usi.book.choice import BookSettings, candidates, legal_moves_of
from usi.book.lookup import Book
from usi.words.wording import Style, format_move, show_score

INDENT = 2


@dataclass(frozen=True)
class Branch:
    """A move, and what follows it."""

    move: str
    score: int              # for the side that plays it
    share: float            # how often it is played in its position
    branches: "Branches"


class Branches:
    """The lines that both sides play from a position with default options, up to a number of plies and down to a share.
    Moves are looked up lazily, because a whole tree may be larger than memory. Raises as `Book.find` does."""

    def __init__(self, book: Book, position: Position, plies: int, least: float) -> None:
        self._book = book
        self._position = position.copy()
        self._plies = plies
        self._least = least
        settings = BookSettings()
        self._found = [] if not plies or position.move_number > settings.plies else [
            candidate for candidate in candidates(legal_moves_of(book, position, settings), settings)
            if candidate.share >= least]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Branch]:
        for candidate in self._found:
            move, after = candidate.move, self._position.copy()
            after.push(move.move)
            yield Branch(move.move, move.score, candidate.share,
                         Branches(self._book, after, self._plies - 1, self._least / candidate.share))


def tree_as_lines(branches: Branches, position: Position, style: Style, indent: int = 0) -> Iterator[str]:
    """A line for each move that is one of several, followed by the moves that are the only ones; each with
    its share, if that is not all, and the last of a line with its score."""
    for branch in branches:
        after, words = position.copy(), []
        while True:
            words.append(format_move(after, branch.move, style))
            if (share := f"{branch.share:.0%}") != "100%":
                words.append(share)
            after.push(branch.move)
            if len(branch.branches) != 1:
                break
            (branch,) = branch.branches
        yield " " * indent + " ".join([*words, show_score(branch.score)])
        yield from tree_as_lines(branch.branches, after, style, indent + INDENT)


class JsonTree(list[Any]):
    """The list of `engine book tree --json`. `json.dump` makes its items as it writes them."""

    def __init__(self, branches: Branches) -> None:
        super().__init__()
        self._branches = branches

    def __len__(self) -> int:
        return len(self._branches)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return ({"move": branch.move, "score": branch.score, "share": branch.share,
                 "branches": JsonTree(branch.branches)} for branch in self._branches)
