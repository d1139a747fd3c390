"""Shows the contents of a book: `engine book show`."""
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine import Position
from engine.errors import Phrase
from engine.records.kif import usi_to_kif
from usi.book.choice import BookSettings, candidates, moves_of, why_unplayed
from usi.book.db import BookMove, combined
from usi.book.lookup import Book
from usi.words.language import _
from usi.words.wording import pad, pad_left

STRICT = BookSettings(flipped=False)

# The ways to find a position, the strictest first: the settings, and the words for them.
WAYS = (
    (STRICT, ""),
    (replace(STRICT, flipped=True), "from the other side (used with FlippedBook)"),
    (replace(STRICT, ignore_ply=True), "at another ply (used with IgnoreBookPly)"),
    (replace(STRICT, ignore_ply=True, flipped=True),
     "from the other side and at another ply (used with FlippedBook and IgnoreBookPly)"),
)


@dataclass(frozen=True)
class Shown:
    """A position found in a book; `how` says in words how it differs, and is empty if it does not."""

    sfen: str
    how: str
    moves: tuple[BookMove, ...]
    illegal: tuple[BookMove, ...]


def look_up(book: Book, position: Position) -> Shown | None:
    """The book's entry for a position, also flipped or at another ply; None if there is none. Raises as `Book.find`
    does."""
    for settings, how in WAYS:
        moves = combined(moves_of(book, position, settings))
        if moves:
            legal = tuple(move for move in moves if position.is_legal(move.move))
            return Shown(position.sfen, how, legal, tuple(move for move in moves if move not in legal))
    return None


def where_it_left(book: Book, position: Position) -> Phrase | None:
    """The place, in words, where the moves that led to this position left the book."""
    before = position.copy()
    while before.moves:
        move = before.pop()
        if look_up(book, before):
            return Phrase("the line left it with move {number}, {move}", number=len(before.moves) + 1, move=move)
    return Phrase("nor does it have any position before that") if position.moves else None


def as_json(shown: Shown) -> dict[str, Any]:
    """The object of `engine book show --json`."""
    shares = _shares(shown)
    return {
        "sfen": shown.sfen,
        "found": shown.how or "as it is",
        "moves": [{**move._asdict(), "share": shares.get(move.move, 0.0)} for move in shown.moves],
        "illegal": [move.move for move in shown.illegal],
    }


def as_lines(shown: Shown) -> Iterator[str]:
    """The lines for the terminal: a row for each move, best first."""
    position, shares = Position(shown.sfen), _shares(shown)
    yield f"sfen {shown.sfen}"
    if shown.how:
        yield _("found {how}", how=_(shown.how))
    heads = ((_("score"), 8), (_("depth"), 7), (_("games"), 8), (_("share"), 7))
    yield pad(_("move"), 6) + "".join(pad_left(head, width) for head, width in heads) + "  " + _("reply")
    for move in shown.moves:
        after = position.copy()
        after.push(move.move)
        reply = usi_to_kif(after, move.ponder, move.move) if move.ponder and after.is_legal(move.ponder) else ""
        yield (f"{move.move:6}{move.score:8}{move.depth:7}{move.games:8}{shares.get(move.move, 0):7.0%}"
               f"  {move.ponder or '-':6}{usi_to_kif(position, move.move)} {reply}").rstrip()
    if shown.illegal:
        yield _("not legal here: {moves}", moves=" ".join(move.move for move in shown.illegal))
    yield _("share: how often a move is played with the options at their defaults")
    if why := why_unplayed(shown.moves, BookSettings(), position.move_number):
        yield _("nothing is played here: {why}", why=why)


def _shares(shown: Shown) -> dict[str, float]:
    return {candidate.move.move: candidate.share for candidate in candidates(shown.moves, BookSettings())}
