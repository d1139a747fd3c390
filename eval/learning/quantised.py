"""Quantisation of the tables: from the learner's weights to the factors of a weights file, and back."""
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from eval.arrays import Array
from eval.tables import SCALE
from eval.tables.expansion import checked_factors
from eval.tables.factors import SHAPES, SPARSE, STARTS, WEIGHTS

Floats = NDArray[np.float32]

_LARGEST = np.iinfo(np.int16).max


def part(weights: Floats, name: str) -> Floats:
    """A view of the set `name` in a flat array of all WEIGHTS."""
    return weights[STARTS[name] : STARTS[name] + math.prod(SHAPES[name])]


def quantise_tables(weights: Floats,
                    threshold: float = 1) -> tuple[dict[str, NDArray[np.int16] | NDArray[np.uint32]], int]:
    """Round a flat array of all WEIGHTS, in centipawns, to (factors, tempo), in 1 / SCALE centipawn.

    The sparse sets keep only weights of at least `threshold` units after rounding. Raises UserError if a weight does
    not fit int16."""
    factors: dict[str, NDArray[np.int16] | NDArray[np.uint32]] = {}
    tempo = 0
    for name, shape in SHAPES.items():
        values = part(weights, name)
        if name in SPARSE:
            index = np.flatnonzero(np.abs(values) >= (threshold - 0.5) / SCALE)
            values = values[index]
        rounded = np.rint(values * np.float32(SCALE))
        largest = float(np.abs(rounded).max(initial=0))
        if not largest <= _LARGEST:
            raise UserError("a weight of {name} does not fit int16: {largest} centipawns", name=name,
                            largest=largest / SCALE)
        units = rounded.astype(np.int16)
        if name == "tempo":
            tempo = int(units[0])
        elif name in SPARSE:
            factors[f"{name}_index"] = index.astype(np.uint32)
            factors[f"{name}_value"] = units
        else:
            factors[name] = units.reshape(shape)
    return factors, tempo


def dense(factors: Mapping[str, Array], tempo: int) -> Floats:
    """The inverse of `quantise_tables`: a flat array of all WEIGHTS, float32 in centipawns. Raises UserError as
    `expand` does."""
    arrays = {name: np.asarray(array) for name, array in checked_factors(factors).items()}
    weights = np.zeros(WEIGHTS, np.float32)
    for name in SHAPES:
        values = part(weights, name)
        if name == "tempo":
            values[0] = tempo
        elif name in SPARSE:
            values[arrays[f"{name}_index"]] = arrays[f"{name}_value"]
        else:
            values[:] = arrays[name].ravel()
        values /= np.float32(SCALE)
    return weights
