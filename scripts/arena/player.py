"""What a game asks of a player, whoever it is."""
from typing import NamedTuple, Protocol

from engine import Position
from scripts.arena.timecontrol import PlayerClock
from scripts.games.rules import End

Clocks = tuple[PlayerClock | None, PlayerClock | None]      # Black's and White's; None: the player has none


class Answer(NamedTuple):
    """What a player said: a move, `resign`, `win` or nonsense; and what it knew, the score in centipawns for itself."""

    move: str
    time_ms: int
    score: int | None = None
    depth: int | None = None
    nodes: int | None = None


class Seat(Protocol):
    """A player at the board, for one game. Every method may raise Offence."""

    def begin(self) -> None: ...

    def answer(self, position: Position, clocks: Clocks) -> Answer:
        """The answer for the side to move."""

    def wait(self, position: Position, clocks: Clocks) -> None:
        """The opponent is to move now; called after each of the player's own moves."""

    def end(self, outcome: str, orderly: bool) -> None:
        """The game is over: `outcome` is win, lose or draw; not `orderly`: the player is not to be used again."""


class Offence(Exception):
    """A player did not answer as it must."""

    def __init__(self, end: End, detail: str, time_ms: int = 0) -> None:
        super().__init__(detail)
        self.end = end
        self.detail = detail
        self.time_ms = time_ms      # spent on the move
