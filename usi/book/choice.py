"""The choice of a move from a book."""
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine import Position
from engine.errors import Phrase
from engine.sfen import flip_move, flip_sfen
from usi.book.db import BookMove, combined
from usi.book.lookup import Book

HALVINGS = 6        # halvings of a move's chance between the best move and the worst that is played


@dataclass(frozen=True)
class BookSettings:
    """Options for the use of the book."""

    plies: int = 16             # the last ply of the game at which it is asked
    eval_diff: int = 30         # centipawns that a move may be worse than the best
    depth_limit: int = 16       # least depth of a move's search, if the depth is known; 0: any
    ignore_ply: bool = False    # take a position at any ply
    by_games: bool = False      # choose in proportion to the games alone, even among searched moves
    flipped: bool = True        # also take a position with the sides exchanged


@dataclass(frozen=True)
class BookCandidate:
    """A move that might be chosen, and with what probability."""

    move: BookMove
    share: float


@dataclass(frozen=True)
class BookChoice:
    """The move chosen and the reply expected, if there is one."""

    chosen: BookMove
    ponder: str | None
    candidates: tuple[BookCandidate, ...]

    @property
    def bestmove(self) -> str:
        return self.chosen.move


def moves_of(book: Book, position: Position, settings: BookSettings) -> list[BookMove]:
    """The book's moves in a position under these settings, legal or not. Raises as `Book.find` does."""
    placement, _, ply = position.sfen.rpartition(" ")
    moves = _moves_at(book, placement, int(ply), settings)
    if not moves and settings.flipped:
        return [move._replace(move=flip_move(move.move), ponder=move.ponder and flip_move(move.ponder))
                for move in _moves_at(book, flip_sfen(placement), int(ply), settings)]
    return moves


def _moves_at(book: Book, placement: str, ply: int, settings: BookSettings) -> list[BookMove]:
    return [move for entry in book.find(placement) if settings.ignore_ply or entry.move_number in (ply, None)
            for move in entry.moves]


def legal_moves_of(book: Book, position: Position, settings: BookSettings) -> tuple[BookMove, ...]:
    """The legal moves of `moves_of`, each once, best first."""
    return combined(move for move in moves_of(book, position, settings) if position.is_legal(move.move))


def candidates(moves: Sequence[BookMove], settings: BookSettings) -> tuple[BookCandidate, ...]:
    """The moves of a position that the settings admit.

    A depth of 0 means unknown, as in books made from games, so `depth_limit` ignores it. Moves are compared with the
    best of all moves, even if that one was not searched deeply enough itself. Better moves get more weight. Where no
    move was searched, moves of more games do. With `by_games`, only the numbers of games count, if there are any.
    """
    best = max((move.score for move in moves), default=0)
    good = [move for move in moves
            if best - move.score <= settings.eval_diff and not 0 < move.depth < settings.depth_limit]
    weights: list[float] = [move.games if settings.by_games else 0 for move in good]
    if not any(weights):
        weights = [2 ** (-HALVINGS * (best - move.score) / max(settings.eval_diff, 1)) for move in good]
        if any(move.games for move in good) and not any(move.depth for move in good):
            weights = [weight * move.games for weight, move in zip(weights, good, strict=True)]
    return tuple(BookCandidate(move, weight / sum(weights)) for move, weight in zip(good, weights, strict=True))


def why_unplayed(moves: Sequence[BookMove], settings: BookSettings, ply: int) -> Phrase | None:
    """The reason, in words, why none of a position's legal moves is played, and the option to change; None if one is
    played, or if there are none."""
    if ply > settings.plies:
        return Phrase("this is ply {ply}, and the book is asked up to ply {most}: set BookMoves to {ply} or more",
                      ply=ply, most=settings.plies)
    if not moves or candidates(moves, settings):
        return None
    best = max(move.score for move in moves)
    depth = max(move.depth for move in moves if best - move.score <= settings.eval_diff)
    return Phrase("the best moves were searched to depth {depth}, less than BookDepthLimit {limit}: set that to "
                  "{depth} or less", depth=depth, limit=settings.depth_limit)


def choose(book: Book, position: Position, settings: BookSettings, random: Random,
           searchmoves: Sequence[str] = ()) -> BookChoice | None:
    """A move for a position, one of `searchmoves` if there are any; None if the book, as set up, has none.

    Raises as `Book.find` does.
    """
    if position.move_number > settings.plies:
        return None
    moves = legal_moves_of(book, position, settings)
    allowed = candidates([move for move in moves if not searchmoves or move.move in searchmoves], settings)
    if not allowed:
        return None
    (drawn,) = random.choices(allowed, [candidate.share for candidate in allowed])
    return BookChoice(drawn.move, _reply(book, position, drawn.move, settings), allowed)


def _reply(book: Book, position: Position, move: BookMove, settings: BookSettings) -> str | None:
    after = position.copy()
    after.push(move.move)
    if move.ponder and after.is_legal(move.ponder):
        return move.ponder
    replies = legal_moves_of(book, after, settings)
    return replies[0].move if replies else None
