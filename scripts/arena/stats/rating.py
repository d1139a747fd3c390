"""Ratings of many players from the games between them: the Bradley-Terry model, by maximum likelihood.

A draw counts as half a win and half a loss. Elo is logistic, as in elo.py. What makes the likelihood greatest is found
by Newton's method; it is finite for players of whom each has, directly or over others, scored against each other
(L. R. Ford, "Solution of a ranking problem from binary comparisons", 1957). The errors come from how the pairs of games
scattered, so that neither draws nor the bond between the games of a pair make them wrong (a "sandwich": H. White,
"Maximum likelihood estimation of misspecified models", 1982).
"""
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, nan

import numpy as np
from numpy.typing import NDArray

from scripts.arena.stats.elo import NORMAL_95

ELO = 400 / log(10)     # of one unit of the model
LARGEST_STEP = 2.0      # of Newton's, in units of the model


@dataclass(frozen=True)
class Result:
    """Games that belong together: one, or the two of a pair."""

    first: int          # player
    second: int
    points: float       # of the first
    games: int


@dataclass(frozen=True)
class Rating:
    """A player's strength in Elo. Infinite: above, or below, all that the games allow to be compared; nan: the games
    do not compare it at all."""

    elo: float
    error: float        # half the width of the 95 % interval


Matrix = NDArray[np.float64]


def rate(players: int, results: Sequence[Result], anchor: int | None = None, elo: float = 0) -> list[Rating]:
    """A rating for each player. The anchor has `elo`, and errors are of the differences from it; without an anchor the
    mean of those that are compared is `elo`. ValueError without any game."""
    if not results:
        raise ValueError("no game was played, so there is nothing to rate")
    points = np.zeros((players, players))
    for result in results:
        points[result.first, result.second] += result.points
        points[result.second, result.first] += result.games - result.points
    reach = reachable(points > 0)
    group = connected(reach, anchor)
    inside = [result for result in results if result.first in group and result.second in group]
    place = {player: index for index, player in enumerate(group)}
    local = [Result(place[result.first], place[result.second], result.points, result.games) for result in inside]
    strengths = fit(points[np.ix_(group, group)])
    origin = place[anchor] if anchor is not None else None
    zero = strengths[origin] if origin is not None else strengths.mean()
    errors = deviations(strengths, local, origin) * NORMAL_95
    found = dict(zip(group, zip(strengths - zero, errors, strict=True), strict=True))
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
    """Who scored against whom, directly or over others; everyone against himself."""
    reach = scored | np.eye(len(scored), dtype=bool)
    for over in range(len(reach)):
        reach |= np.outer(reach[:, over], reach[over])
    return reach


def connected(reach: NDArray[np.bool_], anchor: int | None) -> list[int]:
    """The players who can be compared: the anchor's group, or the largest."""
    both = reach & reach.T
    row = anchor if anchor is not None else int(both.sum(axis=1).argmax())
    return [int(player) for player in np.flatnonzero(both[row])]


def expected(strengths: Matrix) -> Matrix:
    """The score of each player against each other."""
    return 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))


def information(strengths: Matrix, games: Matrix) -> Matrix:
    """Minus the second derivatives of the log-likelihood: the Fisher information of the games, each on its own."""
    score = expected(strengths)
    weight = games * score * (1 - score)
    return np.diag(weight.sum(axis=1)) - weight


def fit(points: Matrix) -> Matrix:
    """The strengths, with mean 0, under which these points are likeliest."""
    strengths = np.zeros(len(points))
    games = points + points.T
    for _ in range(1000):
        slope = (points - games * expected(strengths)).sum(axis=1)
        step = np.linalg.pinv(information(strengths, games)) @ slope
        step *= min(1.0, LARGEST_STEP / max(np.abs(step).max(), 1e-300))
        strengths = strengths + step
        if np.abs(step).max() < 1e-12:
            break
    return strengths


def deviations(strengths: Matrix, results: Iterable[Result], origin: int | None) -> Matrix:
    """Standard deviations of the differences from one player, or from the mean."""
    count = len(strengths)
    score = expected(strengths)
    games, scatter = np.zeros((count, count)), np.zeros((count, count))
    for result in results:
        i, j = result.first, result.second
        games[i, j] += result.games
        games[j, i] += result.games
        surprise = (result.points - result.games * score[i, j]) ** 2
        scatter[i, i] += surprise
        scatter[j, j] += surprise
        scatter[i, j] -= surprise
        scatter[j, i] -= surprise
    bread = np.linalg.pinv(information(strengths, games))
    covariance = bread @ scatter @ bread
    contrast = np.eye(count) - (np.full((count, count), 1 / count) if origin is None else np.eye(count)[origin])
    variances: Matrix = np.einsum("ij,jk,ik->i", contrast, covariance, contrast)
    return np.sqrt(np.maximum(variances, 0))
