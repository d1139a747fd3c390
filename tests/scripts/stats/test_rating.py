"""Ratings: against published estimates, a public implementation's, two players' Elo, and plain simulation."""
from math import inf, isnan
from random import Random

import numpy as np
import pytest

from scripts.stats.elo import estimate, expected_score
from scripts.stats.rating import ELO, RatedGames, Rating, rate
from tests.faults import refused

# The American League of 1987: wins of Milwaukee, Detroit, Toronto, New York, Boston, Cleveland and Baltimore against
# one another. A. Agresti, "Categorical Data Analysis"; estimates and standard errors, against Baltimore, as printed in
# the manual of the R package BradleyTerry2.
BASEBALL = np.array([[0, 7, 9, 7, 7, 9, 11], [6, 0, 7, 5, 11, 9, 9], [4, 6, 0, 7, 7, 8, 12], [6, 8, 6, 0, 6, 7, 10],
                     [6, 2, 6, 7, 0, 7, 12], [4, 4, 5, 6, 6, 0, 6], [2, 4, 1, 3, 1, 7, 0]], float)
ABILITIES = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
STANDARD_ERRORS = [0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319]


def singles(points: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> list[RatedGames]:
    return [RatedGames(int(i), int(j), 1, 1) for (i, j), wins in np.ndenumerate(points) for _ in range(int(wins))]


def test_ratings_are_differences_from_the_anchor_or_the_mean() -> None:
    anchored = rate(7, singles(BASEBALL), anchor=6, elo=1000)
    assert [(rating.elo - 1000) / ELO for rating in anchored] == pytest.approx(ABILITIES, abs=5e-5)
    assert anchored[6] == Rating(1000, 0)
    free = rate(7, singles(BASEBALL))
    assert sum(rating.elo for rating in free) == pytest.approx(0, abs=1e-6)
    assert free[0].elo - free[3].elo == pytest.approx(ELO * (1.5814 - 1.2476), abs=0.02)
    # Each game on its own scatters about as much as the model says; the mean is known better than any one player is.
    assert all(rating.error / 1.96 / ELO == pytest.approx(error, rel=0.2)
               for rating, error in zip(anchored, STANDARD_ERRORS, strict=False))
    assert all(ours.error < others.error for ours, others in zip(free, anchored[:6], strict=False))


def test_draws_count_half() -> None:
    # choix 0.4.1, ilsr_pairwise_dense of the same points, in Elo.
    results = [RatedGames(0, 1, 30.5, 40), RatedGames(0, 2, 12, 15), RatedGames(2, 1, 20, 42)]
    assert [each.elo for each in rate(3, results)] == pytest.approx([144.80568, -62.51391, -82.29177], abs=1e-4)


def test_two_players_are_rated_as_their_match_is() -> None:
    pairs = [20, 170, 420, 260, 40]
    results = [RatedGames(0, 1, half_points / 2, 2) for half_points, count in enumerate(pairs) for _ in range(count)]
    first, second = rate(2, results, anchor=1)
    found = estimate(pairs)
    assert first.elo == pytest.approx(found.elo, abs=1e-6)
    assert first.error == pytest.approx(found.error, rel=0.01)
    assert second == Rating(0, 0)


@pytest.mark.slow
def test_the_errors_cover_the_truth_in_95_of_100_cases() -> None:
    """The two games of a pair are alike here, as they are with the same opening."""
    rng, truth, tournaments = Random(3), [0.0, 40.0, 120.0, -60.0], 50
    covered = 0
    for _ in range(tournaments):
        results = []
        for i in range(4):
            for j in range(i):
                for _ in range(60):
                    score = expected_score(truth[i] - truth[j])
                    same = 2.0 * (rng.random() < score)
                    apart = (rng.random() < score) + (rng.random() < score)
                    results.append(RatedGames(i, j, same if rng.random() < 0.4 else apart, 2))
        ratings = rate(4, results, anchor=0)
        covered += sum(abs(rating.elo - true) <= rating.error
                       for rating, true in zip(ratings[1:], truth[1:], strict=True))
    assert covered / (3 * tournaments) == pytest.approx(0.95, abs=0.05)


def test_players_beyond_comparison() -> None:
    # 0 and 1 share their games; 2 beat both; 3 lost to 0; 4 and 5 met only each other.
    results = [RatedGames(0, 1, 1, 2), RatedGames(2, 0, 2, 2), RatedGames(2, 1, 2, 2), RatedGames(0, 3, 1, 1),
               RatedGames(4, 5, 1, 2)]
    ratings = rate(6, results)
    assert [rating.elo for rating in ratings[:4]] == [0, 0, inf, -inf]
    assert all(isnan(rating.elo) for rating in ratings[4:])
    assert [rating.elo for rating in rate(6, results, anchor=5)][4:] == [0, 0]
    assert rate(2, [RatedGames(0, 1, 2, 2)], anchor=1) == [Rating(inf, inf), Rating(0, 0)]
    with refused(about="game"):
        rate(2, [])


def test_lopsided_results_converge() -> None:
    results = [RatedGames(0, 1, 999.5, 1000), RatedGames(1, 2, 999.5, 1000)]
    step = ELO * np.log(1999)
    assert [each.elo for each in rate(3, results)] == pytest.approx([step, 0, -step], abs=1e-6)
