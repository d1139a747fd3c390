"""The end of a game by the rules, before the side to move does anything; the same for every kind of game."""
from typing import Literal, NamedTuple

from engine.board import Position
from engine.pieces import KING, WHITE_PIECE
from engine.records.record import OFFENCES, GameRecord

# "repetition" is the fourth occurrence without perpetual check; "mate" any position without a legal move; "try" a king
# that has arrived under TryRule; "length" the last ply allowed.
Reason = Literal["repetition", "perpetual check", "try", "mate", "length"]

PERPETUAL_CHECK = "PERPETUAL_CHECK"     # the name of this ending for people; records only have the word for an offence

TRY_GOALS = ("5a", "5i")    # by the side whose king arrives

# CSA has no word for the last: the side to move has nothing left but to resign.
_TERMINALS: dict[Reason, str] = {"repetition": "SENNICHITE", "mate": "TSUMI", "length": "MAX_MOVES", "try": "TORYO"}


class GameOver(NamedTuple):
    """`winner` is 0 for Black, 1 for White, None for a draw."""

    winner: int | None
    reason: Reason

    @property
    def terminal(self) -> str:
        """The ending's name in a record (engine.records.record)."""
        if self.reason == "perpetual check":
            assert self.winner is not None
            return OFFENCES[1 - self.winner]
        return _TERMINALS[self.reason]


def game_over(position: Position, rule: str = "CSARule27", max_plies: int = 0) -> GameOver | None:
    """The end of the game that led to `position`; None if it goes on. `rule` is the entering-king rule. The game is
    drawn after `max_plies` plies, those of the opening included; 0 means no limit.

    >>> game_over(Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"))
    GameOver(winner=0, reason='mate')
    """
    side, other = position.turn, 1 - position.turn
    match position.repetition():
        case "draw":
            return GameOver(None, "repetition")
        case "win":
            return GameOver(side, "perpetual check")
        case "loss":
            return GameOver(other, "perpetual check")
    if rule == "TryRule" and _has_tried(position, other):
        return GameOver(other, "try")
    if position.is_mate():
        return GameOver(other, "mate")
    if max_plies and position.move_number > max_plies:
        return GameOver(None, "length")
    return None


def ending_of(record: GameRecord) -> tuple[str, int | None] | None:
    """The end of a game and the winner, 0, 1 or None: from the record, or else by the rules after its last move. The
    ending is one of TERMINALS, or PERPETUAL_CHECK. None if the game just stops.

    >>> ending_of(GameRecord("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", ["G*5b"]))
    ('TSUMI', 0)
    """
    over = game_over(record.position(len(record.moves)))
    if over and over.reason == "perpetual check" and record.terminal in (None, over.terminal):
        return PERPETUAL_CHECK, over.winner
    if record.terminal:
        return record.terminal, record.winner
    return (over.terminal, over.winner) if over else None


def _has_tried(position: Position, side: int) -> bool:
    """Whether the last move brought this side's king to its goal."""
    goal = TRY_GOALS[side]
    return (bool(position.moves) and position.moves[-1][2:4] == goal
            and position.piece_at(goal) % WHITE_PIECE == KING)
