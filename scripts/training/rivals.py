"""Rivals of the engine in self-play: our search with another evaluation, or another USI engine."""
from collections.abc import Callable
from typing import NamedTuple, Protocol

from engine import Position
from engine.errors import UserError
from scripts.games.player import Offence
from scripts.games.rules import Rules, result_of_answer
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer
from search import Result, Searcher

SPAR_NODES = 20_000     # of a move of a USI engine, if its settings limit nothing


class RivalReply(NamedTuple):
    """A rival's answer: a legal move, `resign` or `win`. The score is in centipawns for the side to move; None if the
    rival gave none."""

    move: str
    score: int | None


class Rival(Protocol):
    """A rival in self-play. `begin` and `answer` raise Offence if it breaks the rules or fails."""

    searcher: Searcher | None       # our search, for strays; None: the rival is an engine

    def begin(self) -> None:
        """Begin a game."""

    def answer(self, position: Position) -> RivalReply: ...

    def end(self, orderly: bool) -> None:
        """End the game. If not `orderly`, the rival has failed."""


class OwnSearch:
    """Our search with another evaluation."""

    def __init__(self, searcher: Searcher, search: Callable[[Searcher, Position], Result]) -> None:
        self.searcher: Searcher | None = searcher
        self._search = search

    def begin(self) -> None:
        pass

    def answer(self, position: Position) -> RivalReply:
        assert self.searcher
        result = self._search(self.searcher, position)
        return RivalReply(result.bestmove or "win", result.score)    # it is not mated, or the game would be over

    def end(self, orderly: bool) -> None:
        pass


def spar_player(text: str) -> UsiPlayer:
    """The USI engine of a command with settings, in the form of UsiPlayer.parse. Raises UserError as there, and for
    limits of a clock."""
    player = UsiPlayer.parse(text, PlayerLimits(nodes=SPAR_NODES))
    if player.control.on_the_clock or player.ponder:
        raise UserError("{text!r}: an engine that spars has no clock and does not ponder; limit it by nodes=, depth= "
                        "or movetime=", text=text)
    return player


def engine_name(text: str, max_plies: int) -> str:
    """The engine's own name. Raises UserError as `spar_player`, and if it does not start."""
    return str(spar_player(text).conditions(Rules(max_plies))["id"])


class UsiEngine:
    """A USI engine, kept running from game to game. Raises UserError as `spar_player`."""

    def __init__(self, text: str, max_plies: int) -> None:
        self.searcher: Searcher | None = None
        self._rules = Rules(max_plies)
        self._player = spar_player(text)

    def begin(self) -> None:
        self._seat = self._player.seat(self._rules)
        self._seat.begin()

    def answer(self, position: Position) -> RivalReply:
        clock = self._player.clock
        answer = self._seat.answer(position, (clock, clock))
        over = result_of_answer(position, answer.move, self._rules)
        if over and over.end in ("illegal move", "false declaration"):
            raise Offence(over.end, over.detail)
        return RivalReply(answer.move, answer.score)

    def end(self, orderly: bool) -> None:
        self._seat.end("draw", orderly)
