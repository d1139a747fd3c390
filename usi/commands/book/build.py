"""New books: made from games, by how often and how well each move was played, or merged from other books."""
import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise, zip_longest
from operator import attrgetter
from pathlib import Path

from engine import Position
from engine.records.record import DRAWS, GameRecord
from eval.material import SLOPE
from usi.book.db import BookBlock, BookEntry, BookMove, blocks, combined, open_book


@dataclass
class MoveResults:
    """The games with one move, and their results."""

    games: int = 0
    decided: int = 0                # of these, games whose result is known
    points: float = 0.0             # scored in those by the side that made the move
    replies: Counter[str] = field(default_factory=Counter)


class Builder:
    """A book in the making, from the first `max_ply` plies of games."""

    def __init__(self, max_ply: int) -> None:
        self._max_ply = max_ply
        self._tallies: dict[str, dict[str, MoveResults]] = {}     # by SFEN, then by move

    def add(self, record: GameRecord) -> None:
        """Count a game. Raises UserError if a move is not legal; nothing of the game is counted then."""
        position = Position(record.initial_sfen)
        played: list[tuple[str, int, str, str | None]] = []
        for move, reply in zip_longest(record.moves, record.moves[1:]):
            if position.move_number > self._max_ply:
                break
            sfen, turn = position.sfen, position.turn
            position.push(move)
            played.append((sfen, turn, move, reply))
        for sfen, turn, move, reply in played:
            tally = self._tallies.setdefault(sfen, {}).setdefault(move, MoveResults())
            tally.games += 1
            if reply:
                tally.replies[reply] += 1
            if record.winner is not None or record.terminal in DRAWS:
                tally.decided += 1
                tally.points += 0.5 if record.winner is None else float(record.winner == turn)

    def entries(self, min_count: int, scores: bool) -> Iterator[BookEntry]:
        """The book's entries in order, with the moves played at least `min_count` times; with `scores`, scored by their
        results."""
        for sfen, tallies in sorted(self._tallies.items()):
            moves = combined(_book_move(move, tally, scores) for move, tally in tallies.items()
                             if tally.games >= min_count)
            if moves:
                placement, _, ply = sfen.rpartition(" ")
                yield BookEntry(placement, int(ply), moves)


def _book_move(move: str, tally: MoveResults, scores: bool) -> BookMove:
    reply = max(tally.replies, key=lambda reply: (tally.replies[reply], reply), default=None)
    return BookMove(move, reply, centipawns(tally.points, tally.decided) if scores else 0, 0, tally.games)


def centipawns(points: float, games: int) -> int:
    """The evaluation in centipawns that predicts this score, by the curve that the evaluation is trained with. One win
    and one loss are added, so that few games do not say much.

    >>> centipawns(5, 10), centipawns(7, 8), centipawns(0, 0)
    (0, 832, 0)
    """
    return round(SLOPE * math.log((points + 1) / (games - points + 1)))


_order = attrgetter("order")


def merged(paths: Iterable[Path]) -> Iterator[BookEntry]:
    """All positions of these books, each once, with the moves of all books. A sorted book is streamed, so it may be
    larger than memory; others are sorted in memory. Raises as `blocks` does."""
    streams = [_in_order(path) for path in paths]
    for _, group in groupby(heapq.merge(*streams, key=_order), key=_order):
        entries = [block.entry() for block in group]
        yield entries[0]._replace(moves=combined(move for entry in entries for move in entry.moves))


def _in_order(path: Path) -> Iterator[BookBlock]:
    is_sorted = all(before.order <= after.order for before, after in pairwise(_all_of(path)))
    return _all_of(path) if is_sorted else iter(sorted(_all_of(path), key=_order))


def _all_of(path: Path) -> Iterator[BookBlock]:
    with open_book(path) as file:
        yield from blocks(file, path)
