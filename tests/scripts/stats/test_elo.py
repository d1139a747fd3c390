"""The formulas against values worked out by other means: closed forms of simple cases, and plain simulation."""
from math import exp, inf, log, sqrt
from random import Random

import pytest

from scripts.stats.elo import Sprt, elo_of, estimate, expected_score, log_likelihood_ratio
from tests.each import each
from tests.faults import refused


@each(("score", "elo"), [(0.5, 0), (0.75, 190.8485), (0.64, 99.9510), (10 / 11, 400), (0, -inf)])
def test_elo_of_known_scores(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=1e-3)
    assert elo_of(1 - score) == pytest.approx(-elo, abs=1e-3)
    assert expected_score(elo) == pytest.approx(score)


def test_an_even_match_is_zero_within_its_error() -> None:
    found = estimate([10, 20, 40, 20, 10])
    # Variance (20 / 4 + 40 / 16) / 100 = 0.075; the deviation of the mean is sqrt(0.075 / 100) = 0.0273861.
    half_width = 1.959964 * 0.0273861
    assert found.elo == pytest.approx(0)
    assert found.error == pytest.approx(elo_of(0.5 + half_width), rel=1e-5)
    assert found.error == pytest.approx(37.44, abs=0.01)
    assert found.superiority == pytest.approx(0.5)
    # Of 100 pairs, half are won 2-0 and half drawn: mean 0.75, variance 0.0625, so 10 deviations; with 54 and 46 pairs
    # won and lost the mean is 0.54 and its deviation 0.04984, and the normal distribution has 0.7889 below.
    for pairs, superiority in (([0, 0, 50, 0, 50], 1), ([46, 0, 0, 0, 54], 0.7889)):
        assert estimate(pairs).superiority == pytest.approx(superiority, abs=1e-4)


@pytest.mark.parametrize(("pairs", "elo", "error", "superiority"), [
    ([0, 0, 7, 0, 0], 0, inf, 0.5), ([0, 0, 0, 0, 3], inf, inf, 1), ([3, 0, 0, 0, 0], -inf, inf, 0),
])
def test_pairs_all_alike(pairs: list[int], elo: float, error: float, superiority: float) -> None:
    found = estimate(pairs)
    assert (found.elo, found.error, found.superiority) == (elo, error, superiority)
    assert str(found).endswith(" ± unknown")


def test_the_error_covers_the_truth_in_95_of_100_matches() -> None:
    rng, chances, matches = Random(1), [0.1, 0.15, 0.3, 0.25, 0.2], 400
    truth = elo_of(sum(chance * score / 4 for score, chance in enumerate(chances)))
    covered = 0
    for _ in range(matches):
        results = rng.choices(range(5), chances, k=300)
        found = estimate([results.count(result) for result in range(5)])
        covered += abs(found.elo - truth) <= found.error
    assert covered / matches == pytest.approx(0.95, abs=0.03)


def test_likelihood_ratio_of_pairs_only_won_or_lost_is_bernoulli() -> None:
    won, lost, elo0, elo1 = 600, 400, 10, 60
    score0, score1 = expected_score(elo0), expected_score(elo1)
    exact = won * log(score1 / score0) + lost * log((1 - score1) / (1 - score0))
    assert log_likelihood_ratio([lost, 0, 0, 0, won], elo0, elo1) == pytest.approx(exact, rel=1e-3)


def test_sprt_bounds_and_verdicts() -> None:
    sprt = Sprt(0, 10)
    assert sprt.bounds == pytest.approx((-2.944439, 2.944439))      # ln 19
    assert sprt.verdict([100, 200, 400, 200, 100]) is None
    assert sprt.verdict([100, 200, 400, 300, 200]) == "elo1"
    assert sprt.verdict([200, 300, 400, 200, 100]) == "elo0"
    with refused(elo0=10, elo1=0):
        Sprt(10, 0)


@each(("pairs", "elo0", "elo1", "ratio"), [
    ([40, 240, 420, 250, 50], 0, 4, 0.50132), ([36, 1264, 2770, 1346, 29], 0, 2, 0.80089),
    ([12, 180, 400, 231, 21], 0, 10, 4.04168), ([3, 60, 148, 66, 8], -3, 1, 0.68456),
])
def test_likelihood_ratios_are_those_of_a_public_implementation(
    pairs: list[int], elo0: float, elo1: float, ratio: float
) -> None:
    # shogiarena 1.3.2, compute_llr: the first order of what is computed exactly here, so they part a little.
    assert log_likelihood_ratio(pairs, elo0, elo1) == pytest.approx(ratio, rel=0.006)


def with_mean(chances: list[float], mean: float) -> list[float]:
    """Probabilities of the five results, tilted until they have this mean."""
    low, high = -5.0, 5.0
    while True:
        tilt = (low + high) / 2
        tilted = [chance * exp(tilt * score) for score, chance in enumerate(chances)]
        found = sum(chance * score / 4 for score, chance in enumerate(tilted)) / sum(tilted)
        if abs(found - mean) < 1e-9:
            return [chance / sum(tilted) for chance in tilted]
        low, high = (tilt, high) if found < mean else (low, tilt)


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "wrong_verdict", "rate"), [(0, "elo1", 0.1), (40, "elo0", 0.05)])
def test_sprt_errs_as_often_as_it_may(truth: float, wrong_verdict: str, rate: float) -> None:
    """Simulated matches in which one of the hypotheses is true, and how often the other is accepted."""
    rng, matches = Random(2), 400
    chances = with_mean([0.1, 0.2, 0.4, 0.2, 0.1], expected_score(truth))
    sprt, wrong = Sprt(0, 40, alpha=0.1, beta=0.05), 0
    for _ in range(matches):
        pairs, verdict = [0] * 5, None
        while verdict is None:
            for result in rng.choices(range(5), chances, k=4):
                pairs[result] += 1
            verdict = sprt.verdict(pairs)
        wrong += verdict == wrong_verdict
    # Not much rarer either: then the matches would be longer than they have to be.
    assert rate / 3 < wrong / matches <= rate + 2 * sqrt(rate * (1 - rate) / matches), wrong / matches


def test_normalized_elo_is_the_score_in_deviations_of_a_game() -> None:
    """If the first player wins 60 % of independent games without draws, the deviation of a game is the root of 0.24."""
    found = estimate([160, 0, 480, 0, 360])
    assert found.normalized == pytest.approx(0.1 / 0.24**0.5 * 800 / log(10))
    assert found.normalized_error == pytest.approx(1.96 * 800 / log(10) / 2000**0.5, rel=1e-3)
    # Pairs in which each side wins with the same colour say more than as many games: they vary less.
    assert estimate([0, 0, 600, 400, 0]).normalized > found.normalized
    assert (estimate([0, 0, 9, 0, 0]).normalized, estimate([0, 0, 9, 0, 0]).normalized_error) == (0, inf)
    assert estimate([9, 0, 0, 0, 0]).normalized == -inf
