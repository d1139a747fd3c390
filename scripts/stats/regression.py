"""Logistic regression, by which ratings and the values of changes are found.

A score has the expectation 1 / (1 + exp(-x)), where x is the sum of the strengths that its row of the design holds: Elo
is logistic, as in elo.py. Newton's method finds the strengths under which the scores are likeliest. The errors come
from how the scores scatter, so that neither draws nor the bond between the games of a pair make them wrong (a
"sandwich": H. White, "Maximum likelihood estimation of misspecified models", 1982).
"""
from math import log

import numpy as np
from numpy.typing import NDArray

ELO = 400 / log(10)     # of one unit of strength
LARGEST = 4000 / ELO    # beyond which no score bounds a strength
LARGEST_STEP = 2.0      # of Newton's

Matrix = NDArray[np.float64]


def logistic_regression(design: Matrix, scores: Matrix, weights: Matrix | float = 1.0) -> tuple[Matrix, Matrix]:
    """The strengths, of least norm where the scores leave some open, and their covariances.

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
