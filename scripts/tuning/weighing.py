"""Weighing: what the games of many screenings and matches together say of each change of the search.

Every pair of games is a row: +1 for a change that only the first side has, -1 for one that only the second has. The
values of the changes add up to the Elo between the sides; a ridge regression finds them.
"""
from dataclasses import dataclass

import numpy as np

from scripts.stats.rating import ELO
from scripts.tuning.screening import Matrix

PRIORS = np.arange(0.0, 50.5, 0.5)      # Elo: the standard deviations of the changes' values that are tried


@dataclass(frozen=True)
class Weighed:
    """What is to be expected of changes, in Elo: their values and the standard deviations of these, and that of the
    prior, by which the values of such changes differ from 0."""

    values: Matrix
    deviations: Matrix
    prior: float


def weigh(design: Matrix, scores: Matrix) -> Weighed:
    """Values with a normal prior around 0, so that the luckiest of many changes do not look better than they are. Its
    deviation is the one of PRIORS under which the scores are likeliest (C. Morris, "Parametric empirical Bayes
    inference", 1983). A score is taken to be linear in Elo.

    design: a row for each pair of games. scores: the first side's mean score in the pair, between 0 and 1.
    """
    left, singular, right = np.linalg.svd(design / (4 * ELO), full_matrices=False)
    surprises = scores - 0.5
    noise = float(np.mean(surprises**2)) or 1.0
    along = left.T @ surprises

    def badness(prior: float) -> float:
        variances = noise + (prior * singular)**2
        return float(np.sum(np.log(variances / noise) + along**2 * (1 / variances - 1 / noise)))

    prior = float(min(PRIORS, key=badness))
    gains = prior**2 * singular / (noise + (prior * singular)**2)
    known = np.sum(right.T**2 * (gains * singular), axis=1)
    return Weighed(right.T @ (gains * along), prior * np.sqrt(np.maximum(1 - known, 0)), prior)
