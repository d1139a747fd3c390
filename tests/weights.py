"""Weights for tests: a tempo alone, in a file, or random ones, as an evaluator. Both are made of factors, because whole
tables have over 100 MB."""
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.evaluator import Evaluator
from eval.files import write_weights
from eval.tables import SCALE, EvalTables
from eval.tables.expansion import expand
from eval.tables.factors import SHAPES, SPARSE

SETS = {"kk": 200.0, "p": 200.0, "kp": 200.0, "kp_vector": 100.0, "pp": 100.0, "pp_vector": 100.0, "pp_rank": 50.0,
        "kk_turn": 200.0, "p_turn": 50.0, "kp_turn": 50.0, "kp_vector_turn": 50.0}


Factors = dict[str, NDArray[np.int16] | NDArray[np.uint32]]


def no_factors() -> Factors:
    """The arrays of `eval.tables.factors`, all zeros."""
    factors: Factors = {name: np.zeros(shape, np.int16) for name, shape in SHAPES.items()
                        if name != "tempo" and name not in SPARSE}
    for name in SPARSE:
        factors |= {f"{name}_index": np.zeros(0, np.uint32), f"{name}_value": np.zeros(0, np.int16)}
    return factors


def tempo_only(path: Any, tempo: int) -> None:
    """A weights file whose only weight is the bonus for the side to move, in centipawns."""
    write_weights(path, no_factors(), tempo * SCALE, "a test")


def random_evaluator(seed: int) -> Evaluator:
    """Tables by which similar positions differ by pawns."""
    rng = np.random.default_rng(seed)
    factors = no_factors()
    for name, size in SETS.items():
        factors[name] = np.rint(SCALE * rng.uniform(-size, size, SHAPES[name])).astype(np.int16)
    return Evaluator(EvalTables.from_arrays(*expand(factors), tempo=int(rng.integers(-3000, 3000))))
