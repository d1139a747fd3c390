"""Positions that transpose and repeat, with made-up scores."""
from random import Random

from engine import Position
from usi.book.db import BookMove

# King, rook and a gold of each side that go to and fro.
MOVES = ("5i5h", "5h5i", "2h3h", "3h2h", "4i4h", "4h4i", "5a5b", "5b5a", "8b7b", "7b8b", "6a6b", "6b6a")
POSITIONS = 64          # to which they lead


def after(placement: str, move: str) -> str:
    position = Position(f"{placement} 1")
    position.push(move)
    return position.sfen.rpartition(" ")[0]


def shuffling(placement: str, seed: int, spread: int = 40) -> list[BookMove]:
    """Possible results of a search, always the same for the same seed."""
    random = Random(f"{placement} {seed}")
    position = Position(f"{placement} 1")
    legal = [move for move in MOVES if position.is_legal(move)]
    found = [BookMove(move, None, random.randint(-spread, spread), random.randint(8, 12)) for move in legal]
    return sorted(found, key=lambda move: -move.score)
