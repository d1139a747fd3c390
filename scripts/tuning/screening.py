"""Screening: measuring the value in Elo of many changes of the search, from games in which each side has some of them.

For every pair of games, a random half of the changes is drawn for one side; the other side has the other half. So each
game tests every change, and the games of one match measure all of them. The values are assumed to add up in Elo;
`weighing` finds them.
"""
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from scripts.games.game import Pairing, play_game
from scripts.games.openings import digest_of, require_room
from scripts.games.played import GAMES, PlayedGame
from scripts.games.rules import Rules
from scripts.games.schedule import TWO_PLAYERS
from scripts.games.search_player import SearchPlayer
from search.parameters import DEFAULTS
from usi.files.journal import Journal
from usi.workers.pool import worker_pool
from usi.workers.tasks import own_files

Games = dict[int, PlayedGame]


@dataclass(frozen=True)
class MarginChange:
    """Margins that change together."""

    text: str
    params: Mapping[str, int]

    @classmethod
    def parse(cls, text: str, player: SearchPlayer) -> "MarginChange":
        """Read `name=integer,…`, and keep the margins that differ from the player's. Raises UserError, quoting the
        text, if it names anything but margins, or changes none."""
        varied = player.varied(text)
        before = DEFAULTS | player.params
        params = {name: value for name, value in varied.params.items() if before[name] != value}
        if replace(varied, params=player.params) != player or not params:
            raise UserError("{text!r} is no change of margins: give name=integer,… of search/parameters.py", text=text)
        return cls(text, params)


@dataclass(frozen=True)
class Screening:
    """A player, the changes of it that are measured, and the games that measure them."""

    player: SearchPlayer        # with none of the changes
    changes: Sequence[MarginChange]
    openings: Sequence[str]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1

    def __post_init__(self) -> None:
        """Check the changes. Raises UserError if two change the same margin, because their values do not add up."""
        taken: dict[str, str] = {}
        for change in self.changes:
            for name in change.params:
                if name in taken:
                    raise UserError("{text!r} and {other!r} both change {margin}, so they do not add up; screen one of "
                                    "them", text=change.text, other=taken[name], margin=name)
                taken[name] = change.text

    def conditions(self) -> dict[str, object]:
        """Everything that the games depend on, for JSON."""
        return self.player.conditions(self.rules) | {
            "changes": {change.text: self.with_changes([number]).fingerprint
                        for number, change in enumerate(self.changes)},
            "rules": vars(self.rules), "seed": self.seed,
            "openings": digest_of(self.openings)}

    def signs(self, pair: int) -> NDArray[np.int8]:
        """+1 for each change that the first side of a pair has, -1 for each that the second has."""
        return drawn(self.seed, pair, len(self.changes))

    def with_changes(self, numbers: Sequence[int]) -> SearchPlayer:
        params = dict(self.player.params)
        for number in numbers:
            params |= self.changes[number].params
        return replace(self.player, params=params)

    def pairing(self, number: int) -> Pairing:
        """The game of this number; games 2n and 2n + 1 are a pair."""
        slot = TWO_PLAYERS.slot(number)
        signs = self.signs(slot.round)
        sides = [self.with_changes(np.flatnonzero(signs == sign).tolist()) for sign in (1, -1)]
        turn, place = divmod(slot.round, len(self.openings))
        opening = self.openings[_shuffled(f"{self.seed} openings {turn}", len(self.openings))[place]]
        return Pairing(opening, (sides[slot.black], sides[slot.white]), self.rules)


def drawn(seed: int, pair: int, count: int) -> NDArray[np.int8]:
    """For each change, the side of the pair that has it: +1 the first, -1 the second."""
    rng = Random(f"{seed} {pair}")
    return np.array([rng.choice((-1, 1)) for _ in range(count)], np.int8)


@lru_cache(2)
def _shuffled(seed: str, count: int) -> list[int]:
    return Random(seed).sample(range(count), count)


def screen(screening: Screening, out: Path, wanted: int, jobs: int = 1,
           scheduler: str | None = None) -> Iterator[Games]:
    """Play until the file holds `wanted` games, an even number. Yields all games before the first new one and after
    each. See `worker_pool` for `jobs` and `scheduler`. Raises UserError if the file is of another screening."""
    if wanted < 2 or wanted % 2:
        raise UserError("{count} games make no pairs; give an even number", count=wanted)
    require_room(screening.openings, screening.rules.max_plies)
    with closing(Journal(out, GAMES, screening.conditions())) as kept:
        yield kept.found
        missing = [number for number in range(wanted) if number not in kept.found]
        if not missing:
            return
        files = own_files([screening.player.eval_file])
        with worker_pool(play_game, jobs, scheduler=scheduler, files=files) as play_all:
            for number, game in play_all((number, screening.pairing(number)) for number in missing):
                kept.add(number, game)
                yield kept.found
