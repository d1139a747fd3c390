"""Weighing: the value of each change of the search, from the games of many screenings and matches together.

Every pair of games is a row: +1 for a change that only the first side has, -1 for one that only the second has. The
values of the changes add up to the Elo between the sides; a ridge regression finds them.
"""
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from scripts.games.tally import pair_points, text_table
from scripts.stats.elo import NORMAL_95
from scripts.stats.rating import ELO
from scripts.tuning.screening import Games, drawn

Matrix = NDArray[np.float64]
Margins = frozenset[tuple[str, int]]     # margins that change together, with their values
PRIORS = np.arange(0.0, 50.5, 0.5)      # Elo: the standard deviations of the changes' values that are considered
RANK = 1e-9                             # singular values below this share of the largest are taken as 0


@dataclass(frozen=True)
class Weighed:
    """The values of changes in Elo with standard deviations: the regression's estimates, and their posterior."""

    found: Matrix               # by least squares
    found_deviations: Matrix    # infinite where the games do not tell changes apart
    values: Matrix              # the posterior's means
    deviations: Matrix
    prior: float                # the standard deviation of the changes' values around 0


def weigh(design: Matrix, scores: Matrix) -> Weighed:
    """The values, also with a normal prior around 0, so that the luckiest of many changes do not look better than they
    are. The prior's deviation is not known, so each of PRIORS is weighted by the likelihood of the scores under it (J.
    Berger, "Statistical decision theory and Bayesian analysis", 1985, on hierarchical Bayes). A score is taken to be
    linear in Elo.

    design: a row for each pair of games. scores: the first side's mean score in the pair, between 0 and 1.
    """
    left, singular, right = np.linalg.svd(design / (4 * ELO), full_matrices=False)
    surprises = scores - 0.5
    noise = float(np.mean(surprises**2)) or 1.0
    along = left.T @ surprises
    told = singular > RANK * singular.max(initial=0)
    found = right[told].T @ (along[told] / singular[told])
    found_variances = noise * np.sum((right[told] / singular[told, None])**2, axis=0)
    found_variances[np.sum(right[told]**2, axis=0) < 1 - RANK] = np.inf

    variances = noise + (PRIORS[:, None] * singular)**2             # a row for each prior
    badness = np.sum(np.log(variances / noise) + along**2 * (1 / variances - 1 / noise), axis=1)
    weights = np.exp(-(badness - badness.min()) / 2)
    weights /= weights.sum()
    gains = PRIORS[:, None]**2 * singular / variances
    means = gains * along @ right
    own = PRIORS[:, None]**2 * np.maximum(1 - gains * singular @ right**2, 0)
    values = weights @ means
    spread = weights @ (own + (means - values)**2)
    return Weighed(found, np.sqrt(found_variances), values, np.sqrt(spread), float(weights @ PRIORS))


def settings_of(text: str) -> Margins:
    """The settings of a change in the form of screenings, `name=integer,…`."""
    items = (item.partition("=") for item in text.split(","))
    return frozenset((name, int(value)) for name, _, value in items)


def text_of(change: Margins) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(change))


def weigh_files(files: Mapping[str, tuple[Mapping[str, Any], Games]]) -> tuple[list[str], list[int], Weighed]:
    """The changes, the number of games in which only one side had each, and their posterior. `files` has the conditions
    and games of screenings, and of matches between two versions of our search, by name. A match counts for the screened
    changes that its players differ in; their other differences count as one more change. Raises UserError if a file is
    of other games, or no file has a complete pair."""
    screened = {file: [settings_of(text) for text in conditions.get("changes", ())]
                for file, (conditions, _) in files.items()}
    known = sorted({change for changes in screened.values() for change in changes}, key=len, reverse=True)
    rows: list[Mapping[Margins, int]] = []
    scores: list[float] = []
    for file, (conditions, games) in files.items():
        changes = screened[file]
        in_match = {} if changes else _differences(file, conditions, known)
        for pair, both in pair_points(games).items():
            rows.append(in_match or dict(zip(changes, drawn(conditions["seed"], pair, len(changes)).tolist(),
                                             strict=True)))
            scores.append(both / 2)
    if not rows:
        raise UserError("there is no complete pair of games in these files; play more")
    found = list(dict.fromkeys(change for row in rows for change in row))
    design = np.array([[row.get(change, 0) for change in found] for row in rows], float)
    counts = 2 * np.count_nonzero(design, 0)
    return [text_of(change) for change in found], counts.tolist(), weigh(design, np.array(scores))


def _differences(file: str, conditions: Mapping[str, Any], known: Sequence[Margins]) -> dict[Margins, int]:
    """The changes between the players of a match: +1 if the first has it, -1 if the second does. If both players set a
    margin, the first is taken to have changed the second's value."""
    players = conditions.get("players", ())
    if len(players) != 2 or not all("params" in player for player in players):
        raise UserError("{file} is neither a screening nor a match between two versions of our search; leave it out",
                        file=file)
    first, second = (player["params"] for player in players)
    found = {}
    for sign, own, other in ((1, first, second), (-1, second, first)):
        left = {(name, value) for name, value in own.items()
                if name not in other or (sign == 1 and other[name] != value)}
        for change in known:
            if change <= left:
                found[change] = sign
                left -= change
        if left:
            found[frozenset(left)] = sign
    if not found:
        raise UserError("the players of {file} have the same margins, so it tells nothing of changes; leave it out",
                        file=file)
    return found


def table(changes: Sequence[str], games: Sequence[int], weighed: Weighed) -> list[str]:
    """Lines for `weigh_files`: the changes, the most valuable first, with 95 % errors, and the prior."""
    def cell(value: float, deviation: float) -> str:
        return f"{value:+.1f} ± {NORMAL_95 * deviation:.1f}" if isfinite(deviation) else "unknown"

    rows = sorted(zip(changes, games, weighed.found, weighed.found_deviations, weighed.values, weighed.deviations,
                      strict=True), key=lambda row: -row[4])
    return [*text_table([["change", "games", "found", "expected"],
                         *([change, str(count), cell(found, error), cell(value, deviation)]
                           for change, count, found, error, value, deviation in rows)]),
            f"prior: ± {NORMAL_95 * weighed.prior:.1f}"]
