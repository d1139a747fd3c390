"""Weights made up for tests: none but a tempo, or random ones."""
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.evaluator import Evaluator
from eval.factors import WEIGHTS, expand
from eval.files import write_weights
from eval.quantised import part, quantise
from eval.tables import SCALE, EvalTables

SETS = {"kk": 200.0, "p": 200.0, "kp": 200.0, "kp_vector": 100.0, "pp": 100.0, "pp_vector": 100.0, "pp_rank": 50.0}


def tempo_only(path: Any, tempo: int) -> None:
    """A weights file that knows only what it is worth, in centipawns, to be on the move."""
    factors, _ = quantise(np.zeros(WEIGHTS, np.float32))
    write_weights(path, factors, tempo * SCALE, "a test")


def random_evaluator(seed: int) -> Evaluator:
    """Tables by which positions that are alike are worth something else, by pawns."""
    rng = np.random.default_rng(seed)
    weights: NDArray[np.float32] = np.zeros(WEIGHTS, np.float32)
    for name, size in SETS.items():
        values = part(weights, name)
        values[:] = rng.uniform(-size, size, values.size)
    factors, _ = quantise(weights)
    return Evaluator(EvalTables.from_arrays(*expand(factors), tempo=int(rng.integers(-3000, 3000))))
