"""Quantisation of the network: from the learner's floats to the integers that play, and back."""
import numpy as np

from engine.errors import UserError
from eval.learning.network_learner import PARAMETERS
from eval.network import SHAPES
from eval.network.inference import checked_layers

from eval.network.inference cimport (FIRST_SHIFT, FIRST_TOP, FIRST_UNIT, LATER_UNIT, LOGIT, SECOND_SHIFT, SECOND_UNIT,
                                     THIRD_SHIFT)

# The integer that stands for 1 in each array; and the half added to biases, so that the shift after them rounds.
UNITS = {"first": FIRST_UNIT, "first_bias": FIRST_UNIT, "second": SECOND_UNIT, "second_bias": FIRST_TOP * SECOND_UNIT,
         "third": LATER_UNIT, "third_bias": LOGIT, "output": LATER_UNIT, "output_bias": LOGIT}
HALVES = {"first_bias": 1 << (FIRST_SHIFT - 1), "second_bias": 1 << (SECOND_SHIFT - 1),
          "third_bias": 1 << (THIRD_SHIFT - 1)}


def quantise_network(parameters):
    """Round a record of PARAMETERS to the integer arrays of a network (eval.network.SHAPES). Biases include the half
    that makes shifts round. Raises UserError if a weight does not fit its type."""
    arrays = {}
    for name, (dtype, _) in SHAPES.items():
        rounded = np.rint(parameters[name] * <double>UNITS[name]) + HALVES.get(name, 0)
        limits = np.iinfo(dtype)
        if rounded.min() < limits.min or rounded.max() > limits.max:
            raise UserError("{name} has weights from {least:.0f} to {most:.0f} in its unit, which {dtype} does not "
                            "hold", name=name, least=rounded.min(), most=rounded.max(), dtype=dtype)
        arrays[name] = rounded.astype(dtype)
    return arrays


def floats_of(arrays):
    """The inverse of `quantise_network`: a record of PARAMETERS from a network's integer arrays. Raises UserError as
    `EvalNetwork.from_arrays` does."""
    parameters = np.zeros(1, PARAMETERS)[0]
    for name, layer in checked_layers(arrays).items():
        parameters[name] = (np.asarray(layer, float) - HALVES.get(name, 0)) / <double>UNITS[name]
    return parameters
