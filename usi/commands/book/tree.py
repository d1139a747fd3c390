"""What a book plays, as a tree: `engine book tree`."""
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from engine import Position
from usi.book.choice import BookSettings, candidates, legal_moves_of
from usi.book.lookup import Book
from usi.commands.wording import Style, format_move, last_move, show_score

INDENT = 2


@dataclass(frozen=True)
class Branch:
    """A move, and what follows it."""

    move: str
    score: int              # for the side that plays it
    share: float            # how often it is played in its position
    branches: tuple["Branch", ...]


def branches_of(book: Book, position: Position, plies: int, least: float) -> tuple[Branch, ...]:
    """What is played from a position on, by both sides, with the options at their defaults: this many plies, and only
    lines that are played at least so often. Raises as `Book.find` does."""
    settings = BookSettings()
    if not plies or position.ply > settings.plies:
        return ()
    found = []
    for candidate in candidates(legal_moves_of(book, position, settings), settings):
        if candidate.share >= least:
            move, after = candidate.move, position.copy()
            after.push(move.move)
            found.append(Branch(move.move, move.score, candidate.share,
                                branches_of(book, after, plies - 1, least / candidate.share)))
    return tuple(found)


def tree_as_lines(branches: tuple[Branch, ...], position: Position, style: Style, indent: int = 0) -> Iterator[str]:
    """A line for each move that is one of several, followed by the moves that are the only ones; each with
    its share, if that is not all, and the last of a line with its score."""
    for branch in branches:
        after, words = position.copy(), []
        while True:
            words.append(format_move(after, branch.move, style, last_move(after)))
            if (share := f"{branch.share:.0%}") != "100%":
                words.append(share)
            after.push(branch.move)
            if len(branch.branches) != 1:
                break
            (branch,) = branch.branches
        yield " " * indent + " ".join([*words, show_score(branch.score)])
        yield from tree_as_lines(branch.branches, after, style, indent + INDENT)


def tree_as_json(branches: tuple[Branch, ...]) -> list[dict[str, Any]]:
    """For `engine book tree --json`."""
    return [asdict(branch) for branch in branches]
