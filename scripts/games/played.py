"""A game that was played: its moves, its end, and the players' reports."""
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from engine.errors import Phrase
from engine.sfen import parse_position, parse_sfen
from scripts.games.rules import OFFENCES, End
from usi.files.journal import Kind, typed

Thought = tuple[int, int | None, int | None, int | None]


@dataclass(frozen=True)
class PlayedGame:
    """A game and its result."""

    winner: int | None              # BLACK, WHITE, or None for a draw
    end: End
    record: str                     # for Position.from_usi, opening and moves
    opening_plies: int              # how many of the moves are the opening's
    # A report for each answer after the opening, also for a last answer that was no move: milliseconds; then the score
    # in centipawns for the player, depth and nodes, each None if the player did not report it.
    thoughts: list[Thought] = field(default_factory=list)
    detail: str = ""                # of an offence
    began: str = ""                 # ISO 8601

    @cached_property
    def moves(self) -> list[str]:
        return parse_position(self.record)[1]

    @cached_property
    def first(self) -> int:
        """The side that moved first after the opening."""
        return (parse_sfen(parse_position(self.record)[0]).turn + self.opening_plies) % 2

    @property
    def plies(self) -> int:
        """Number of moves after the opening."""
        return len(self.moves) - self.opening_plies

    @property
    def offender(self) -> int | None:
        """The side that broke the rules or failed to answer; None if neither did."""
        return None if self.winner is None or self.end not in OFFENCES else self.winner ^ 1

    def of(self, side: int) -> list[Thought]:
        """The reports of one side."""
        return self.thoughts[side ^ self.first::2]


def now() -> str:
    """The time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _read(row: Mapping[str, Any]) -> tuple[int, PlayedGame]:
    if type(row["number"]) is not int:
        raise TypeError("games go by numbers")
    return row["number"], typed(PlayedGame, {name: row[name] for name in _FIELDS})


def _write(number: int, game: PlayedGame) -> dict[str, object]:
    return {"number": number} | {name: getattr(game, name) for name in _FIELDS}


_FIELDS = [field.name for field in fields(PlayedGame)]
GAMES: Kind[int, PlayedGame] = Kind(Phrase("the games of a match"), Phrase("game"), _read, _write, was_unnamed=True)
