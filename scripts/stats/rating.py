"""Ratings of many players from the games between them: the Bradley-Terry model, by maximum likelihood; and the logistic
regression behind it.

A draw counts as half a win and half a loss. The likelihood has a maximum if each player has scored against each other,
directly or over others (L. R. Ford, "Solution of a ranking problem from binary comparisons", 1957).
"""
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, nan

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from scripts.stats.elo import NORMAL_95


@dataclass(frozen=True)
class RatedGames:
    """Games that belong together: one, or the two of a pair."""

    first: int          # player
    second: int
    points: float       # of the first
    games: int


@dataclass(frozen=True)
class Rating:
    """A player's strength in Elo: infinite if it won or lost all games against the compared players, nan if the games
    do not compare it."""

    elo: float
    error: float        # half the width of the 95 % interval


def rate(players: int, results: Sequence[RatedGames], anchor: int | None = None, elo: float = 0) -> list[Rating]:
    """A rating for each player. The anchor's rating is `elo`, and errors are those of the differences from the anchor.
    Without an anchor, the mean rating of the compared players is `elo`. Raises UserError if there is no game."""
    if not results:
        raise UserError("no game was played, so there is nothing to rate")
    points = np.zeros((players, players))
    for result in results:
        points[result.first, result.second] += result.points
        points[result.second, result.first] += result.games - result.points
    reach = reachable(points > 0)
    group = connected(reach, anchor)
    inside = [result for result in results if result.first in group and result.second in group]
    games = np.array([result.games for result in inside], float)
    scores = np.array([result.points for result in inside]) / games
    rows = np.eye(players)[:, group]
    design = np.array([rows[result.first] - rows[result.second] for result in inside]).reshape(-1, len(group))
    strengths, covariances = logistic_regression(design, scores, games)
    # Each player's difference from the anchor, or from the mean.
    origin = np.full(len(group), 1 / len(group)) if anchor is None else np.eye(players)[anchor, group]
    contrasts = np.eye(len(group)) - origin
    errors = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", contrasts, covariances, contrasts), 0)) * NORMAL_95
    found = dict(zip(group, zip(contrasts @ strengths, errors, strict=True), strict=True))
    ratings = []
    for player in range(players):
        if player in found:
            strength, error = found[player]
            ratings.append(Rating(float(strength * ELO + elo), float(error * ELO)))
        else:
            above, below = bool(reach[player, group[0]]), bool(reach[group[0], player])
            ratings.append(Rating(inf if above else -inf if below else nan, inf))
    return ratings


def reachable(scored: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which players scored against which, directly or over others. Each is taken to have scored against itself."""
    reach = scored | np.eye(len(scored), dtype=bool)
    for over in range(len(reach)):
        reach |= np.outer(reach[:, over], reach[over])
    return reach


def connected(reach: NDArray[np.bool_], anchor: int | None) -> list[int]:
    """The players who can be compared: the anchor's group, or the largest."""
    both = reach & reach.T
    row = anchor if anchor is not None else int(both.sum(axis=1).argmax())
    return [int(player) for player in np.flatnonzero(both[row])]


ELO = 400 / log(10)     # of one unit of strength
LARGEST = 4000 / ELO    # beyond which no score bounds a strength
LARGEST_STEP = 2.0      # of Newton's

Matrix = NDArray[np.float64]


def logistic_regression(design: Matrix, scores: Matrix, weights: Matrix | float = 1.0) -> tuple[Matrix, Matrix]:
    """The strengths and their covariances. If the scores do not determine all strengths, these are the ones of the
    smallest norm.

    design: a row for each score. scores: between 0 and 1. weights: games of each score, which count as one
    observation. A strength beyond LARGEST ends the search: the scores do not bound it.
    """
    strengths = np.zeros(design.shape[1])
    for _ in range(1000):
        expected = 1 / (1 + np.exp(-design @ strengths))
        information = design.T @ (design * (weights * expected * (1 - expected))[:, None])
        bread = np.linalg.pinv(information)
        step = bread @ (design.T @ (weights * (scores - expected)))
        strengths = strengths + step * min(1.0, LARGEST_STEP / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-12 or np.abs(strengths).max() > LARGEST:
            break
    surprises = design * (weights * (scores - expected))[:, None]
    return strengths, bread @ surprises.T @ surprises @ bread
