"""The interface between a game and its players."""
from typing import NamedTuple

from engine import Position
from engine.errors import Phrase
from scripts.games.rules import End
from scripts.games.timecontrol import PlayerClock

Clocks = tuple[PlayerClock | None, PlayerClock | None]      # Black's and White's; None: the player has none


class PlayerAnswer(NamedTuple):
    """A player's answer: a move, `resign`, `win` or nonsense. The score is in centipawns for the player."""

    move: str
    time_ms: float
    score: int | None = None
    depth: int | None = None
    nodes: int | None = None


class Seat:
    """A player at the board, for one game. Players define `answer`, and the other methods if they need them. Every
    method but `end` may raise Offence."""

    def begin(self) -> None:
        """Begin the game."""

    def answer(self, position: Position, clocks: Clocks) -> PlayerAnswer:
        """The answer for the side to move."""
        raise NotImplementedError

    def wait(self, position: Position, clocks: Clocks) -> None:
        """Begin to wait for the opponent's move; called after each of the player's moves that does not end the game."""

    def end(self, outcome: str, orderly: bool) -> None:
        """End the game: `outcome` is win, lose or draw. If not `orderly`, the player must not be used again."""


class Offence(Exception):
    """A player broke the rules or failed to answer."""

    def __init__(self, end: End, fault: str | Phrase, time_ms: float = 0) -> None:
        super().__init__(str(fault))
        self.end = end
        self.fault = fault
        self.time_ms = time_ms      # spent on the move

    def __reduce__(self) -> tuple[type, tuple[End, str | Phrase, float]]:
        return type(self), (self.end, self.fault, self.time_ms)
