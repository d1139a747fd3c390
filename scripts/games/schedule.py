"""The pairings of a match and their order. In a round all games begin with the same opening, and each pair of players
that meet plays twice, with colours swapped."""
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from engine import BLACK


class Slot(NamedTuple):
    """A game's place in the order of a match."""

    round: int
    encounter: int          # index in the schedule's encounters
    in_encounter: int       # its number among the encounter's games
    black: int              # player
    white: int


class Schedule:
    """The order of the games of a match. Games are numbered from 0."""

    def __init__(self, encounters: Sequence[tuple[int, int]]) -> None:
        """`encounters` are pairs of players."""
        self.encounters = encounters

    @property
    def games_in_a_round(self) -> int:
        return 2 * len(self.encounters)

    def slot(self, number: int) -> Slot:
        round_, rest = divmod(number, self.games_in_a_round)
        encounter, second = divmod(rest, 2)
        in_encounter = 2 * round_ + second
        first, other = self.encounters[encounter]
        black, white = (first, other) if color_of_first(in_encounter) == BLACK else (other, first)
        return Slot(round_, encounter, in_encounter, black, white)


TWO_PLAYERS = Schedule([(0, 1)])


def color_of_first(number: int) -> int:
    """The side of an encounter's first player in its game of this number: games 2n and 2n + 1 are a pair."""
    return number % 2


def encounters(players: int, gauntlet: bool) -> list[tuple[int, int]]:
    """The pairs of players that meet: all of them, or in a gauntlet those with the first player."""
    return [pair for pair in combinations(range(players), 2) if not gauntlet or pair[0] == 0]
