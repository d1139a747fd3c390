"""The Elo difference of a match with its error, and a sequential test.

Games come in pairs, one opening played from both sides. The two games of a pair are not independent, so statistics are
of pairs, not of games: `pairs` is always the number of pairs in which the first player scored 0, ½, 1, 1½ and 2 points
(the "pentanomial" frequencies). Scores are points per game, between 0 and 1; Elo is logistic.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, isinf, log, log10, sqrt
from typing import Literal

from engine.errors import UserError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)    # per game, of the five results of a pair
NORMAL_95 = 1.959964                    # standard deviations on each side of the mean that hold 95 %
NORMALIZED = 800 / log(10)              # of nElo: M. Van den Bergh, "Normalized Elo" (2021)
UNSEEN = 1e-3                           # the count assumed for a result that has not occurred


@dataclass(frozen=True)
class Estimate:
    """The first player's strength against the second's."""

    elo: float
    error: float            # half the width of the 95 % interval; infinite if all pairs are alike, which gives no error
    superiority: float      # likelihood that the first is the stronger: between 0 and 1
    normalized: float       # nElo: the score above ½ in standard deviations of a game, times 800 / ln 10
    normalized_error: float     # half the width of its 95 % interval

    def __str__(self) -> str:
        return f"{self.elo:+.1f} ± {'unknown' if isinf(self.error) else f'{self.error:.1f}'}"


def elo_of(score: float) -> float:
    """The Elo difference at which this score is expected: plus or minus infinity from 1 up or 0 down."""
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return 400 * log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """The score per game expected of the player who is stronger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def estimate(pairs: Sequence[int]) -> Estimate:
    """Elo, its error and the likelihood of superiority by the normal approximation. Raises UserError without pairs."""
    count = sum(pairs)
    if not count:
        raise UserError("no pair of games is complete, so there is no Elo to estimate")
    mean = sum(n * score for n, score in zip(pairs, SCORES, strict=True)) / count
    variance = sum(n * (score - mean) ** 2 for n, score in zip(pairs, SCORES, strict=True)) / count
    deviation = sqrt(variance / count)      # of the mean
    low, high = elo_of(mean - NORMAL_95 * deviation), elo_of(mean + NORMAL_95 * deviation)
    if deviation:
        superiority = (1 + erf((mean - 0.5) / (deviation * sqrt(2)))) / 2
    else:
        superiority = 0.5 + 0.5 * ((mean > 0.5) - (mean < 0.5))
    game = sqrt(2 * variance)               # standard deviation of a game's score
    normalized = (mean - 0.5) / game if game else inf * (mean - 0.5) if mean != 0.5 else 0.0
    return Estimate(elo_of(mean), (high - low) / 2 if deviation else inf, superiority, NORMALIZED * normalized,
                    NORMALIZED * NORMAL_95 / sqrt(2 * count) if game else inf)


def tilt(frequencies: Sequence[float], score: float) -> float:
    """The multiplier t for which the distribution frequency / (1 + t (s - score)) has the mean `score`; s is the score
    of a result. Given the observed frequencies, it is the likeliest distribution with this mean."""
    low, high = -1 / (1 - score), 1 / score
    for _ in range(60):
        middle = (low + high) / 2
        slope = sum(p * (s - score) / (1 + middle * (s - score)) for p, s in zip(frequencies, SCORES, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """The logarithm of the likelihood ratio of the pairs, for a difference of `elo1` against one of `elo0`.

    Each hypothesis may choose the likeliest of all distributions with its mean (the generalised likelihood ratio; see
    M. Van den Bergh, "A practical introduction to the GSPRT").
    """
    counts = [max(n, UNSEEN) for n in pairs]
    frequencies = [n / sum(counts) for n in counts]
    score0, score1 = expected_score(elo0), expected_score(elo1)
    tilt0, tilt1 = tilt(frequencies, score0), tilt(frequencies, score1)
    return sum(n * log((1 + tilt0 * (s - score0)) / (1 + tilt1 * (s - score1)))
               for n, s in zip(counts, SCORES, strict=True))


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of `elo0` against `elo1`: a verdict as soon as the games allow one."""

    elo0: float
    elo1: float
    alpha: float = 0.05     # probability of accepting elo1 though elo0 is true
    beta: float = 0.05      # probability of accepting elo0 though elo1 is true

    def __post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            raise UserError("SPRT of {elo0:g} against {elo1:g}: give the smaller Elo first", elo0=self.elo0,
                            elo1=self.elo1)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        return log_likelihood_ratio(pairs, self.elo0, self.elo1)

    def verdict(self, pairs: Sequence[int]) -> Literal["elo0", "elo1"] | None:
        """The hypothesis accepted, or None while the games do not decide."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None
