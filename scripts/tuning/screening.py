"""Screening: what each of many changes of margins is worth, from searches that have a random half of them.

Two searches of one position differ in about half of the changes, so that each such pair tells of all of them: twice the
pairs that a single change needs do for any number. The changes are taken to add up, and their effects found by least
squares.
"""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import NORMAL_95
from scripts.games.rules import Rules
from scripts.runs import log
from scripts.runs.log import RunLog
from scripts.tuning.deep_values import DeepValue, digest_of
from scripts.tuning.root_error import Mean, error, same_move
from scripts.tuning.root_search import RootSearches, RunSearches, require_fixed
from scripts.workers.interface import in_order
from search.parameters import DEFAULTS

WHAT = "pairs of a screening"


@dataclass(frozen=True)
class Change:
    """Margins that change together."""

    text: str
    params: Mapping[str, int]

    @classmethod
    def parse(cls, text: str, player: SearchPlayer) -> "Change":
        """From `name=integer,…`, by what differs from the player. ValueError, quoting the text, if that is not margins
        alone, or nothing."""
        varied = player.varied(text)
        before = DEFAULTS | player.params
        params = {name: value for name, value in varied.params.items() if before[name] != value}
        if replace(varied, params=player.params) != player or not params:
            raise ValueError(f"{text!r} is no change of margins: give name=integer,… of search/parameters.py")
        return cls(text, params)


@dataclass(frozen=True)
class Pair:
    """Two searches of a position: which changes each had, and by how much the first has the larger error and share of
    equal moves (see root_error)."""

    first: list[int]
    second: list[int]
    error: float
    same_move: float


@dataclass(frozen=True)
class Effect:
    """What one change does to the error and to the share of equal moves, in percent."""

    change: Change
    error: Mean
    same_move: Mean


@dataclass(frozen=True)
class Screening:
    """What is screened, and how."""

    player: SearchPlayer        # with none of the changes
    changes: Sequence[Change]
    deep: Sequence[DeepValue]
    seed: int

    def __post_init__(self) -> None:
        """ValueError for what cannot be told apart, or comes out otherwise a second time."""
        require_fixed(self.player)
        taken: dict[str, str] = {}
        for change in self.changes:
            for name in change.params:
                if name in taken:
                    raise ValueError(f"{change.text!r} and {taken[name]!r} both change {name}, so they do not add up; "
                                     "screen one of them")
                taken[name] = change.text
        if not self.deep:
            raise ValueError("there are no deep values to screen by; give a file that holds some")

    def conditions(self) -> dict[str, object]:
        """All that the pairs depend on, as JSON has it."""
        return self.player.conditions(Rules()) | {"changes": [change.text for change in self.changes],
                                                  "deep": digest_of(self.deep),
                                                  "seed": self.seed}

    def drawn(self) -> Iterator[tuple[DeepValue, list[int], list[int]]]:
        """Positions, each as often as the others, with the changes of either search; without end."""
        for turn in count():
            rng = Random(f"{self.seed} {turn}")
            for deep in rng.sample(self.deep, len(self.deep)):
                yield deep, self.half(rng), self.half(rng)

    def half(self, rng: Random) -> list[int]:
        return [number for number in range(len(self.changes)) if rng.random() < 0.5]

    def with_changes(self, numbers: Iterable[int]) -> SearchPlayer:
        params = dict(self.player.params)
        for number in numbers:
            params |= self.changes[number].params
        return replace(self.player, params=params)

    def measured(self, start: int, end: int, search_all: RunSearches) -> Iterator[Pair]:
        """The pairs from one number to another, in their order."""
        drawn = list(islice(self.drawn(), start, end))
        tasks = (RootSearches(self.with_changes(numbers), [deep.sfen])
                 for deep, *halves in drawn for numbers in halves)
        found = (value for value, in in_order(search_all(enumerate(tasks))))
        for (deep, first, second), a, b in zip(drawn, found, found, strict=True):
            yield Pair(first, second, error(a, deep) - error(b, deep), same_move(a, deep) - same_move(b, deep))


def screen(screening: Screening, out: Path, wanted: int, search_all: RunSearches,
           on_done: Callable[[int], None] = lambda _: None) -> list[Pair]:
    """Search until the file holds so many pairs, and return all of them. `on_done` hears how many more there are.
    ValueError if the file is of another screening."""
    kept = RunLog(out, screening.conditions(), WHAT)
    try:
        pairs = pairs_of(kept.found, out)
        on_done(len(pairs))
        for pair in screening.measured(len(pairs), max(len(pairs), wanted), search_all):
            kept.add(asdict(pair))
            pairs.append(pair)
            on_done(1)
    finally:
        kept.close()
    return pairs


def pairs_of(records: list[dict[str, Any]], path: Path) -> list[Pair]:
    """ValueError if they are none."""
    try:
        return [Pair(**record) for record in records]
    except TypeError:
        raise log.not_of(path, WHAT) from None


def effects(pairs: Sequence[Pair], changes: Sequence[Change]) -> list[Effect]:
    """Of each change, by least squares. ValueError if there are too few pairs to tell them apart."""
    design = np.zeros((len(pairs), len(changes)))
    for row, pair in zip(design, pairs, strict=True):
        row[pair.first] += 1
        row[pair.second] -= 1
    if len(pairs) <= len(changes) or np.linalg.matrix_rank(design) < len(changes):
        raise ValueError(f"{len(pairs)} pairs do not tell {len(changes)} changes apart; search more")
    errors = least_squares(design, np.array([100 * pair.error for pair in pairs]))
    moves = least_squares(design, np.array([100 * pair.same_move for pair in pairs]))
    return [Effect(*fields) for fields in zip(changes, errors, moves, strict=True)]


def least_squares(design: np.ndarray, values: np.ndarray) -> list[Mean]:
    """The coefficients, each with its error."""
    inverse = np.linalg.inv(design.T @ design)
    found = inverse @ design.T @ values
    left = values - design @ found
    deviations = np.sqrt(np.diag(inverse) * (left @ left) / (len(design) - len(found)))
    return [Mean(value, NORMAL_95 * deviation, value / deviation if deviation else 0.0)
            for value, deviation in zip(found.tolist(), deviations.tolist(), strict=True)]


def chi_squared(means: Iterable[Mean]) -> float:
    """As large as their number is, in the mean, if none of them is anything but chance."""
    return sum(mean.z**2 for mean in means)
