"""Quantisation of the network: from the learner's floats to the integers that play, and back."""
import numpy as np

from engine.errors import UserError
from eval.learning.network_learner import PARAMETERS
from eval.network import OURS, SHAPES
from eval.network.inference import checked_layers


def quantise_network(parameters, form=OURS):
    """Round a record of PARAMETERS to the integer arrays of a network (eval.network.SHAPES) of this form. Biases
    include the half that makes shifts round. Raises UserError if a weight does not fit its type."""
    arrays = {}
    for name, (dtype, _) in SHAPES.items():
        rounded = np.rint(parameters[name] * <double>form.units[name]) + form.halves.get(name, 0)
        limits = np.iinfo(dtype)
        if rounded.min() < limits.min or rounded.max() > limits.max:
            raise UserError("{name} has weights from {least:.0f} to {most:.0f} in its unit, which {dtype} does not "
                            "hold", name=name, least=rounded.min(), most=rounded.max(), dtype=dtype)
        arrays[name] = rounded.astype(dtype)
    return arrays


def floats_of(arrays, form=OURS):
    """The inverse of `quantise_network`: a record of PARAMETERS from a network's integer arrays. Raises UserError as
    `EvalNetwork.from_arrays` does."""
    parameters = np.zeros(1, PARAMETERS)[0]
    for name, layer in checked_layers(arrays, form).items():
        parameters[name] = (np.asarray(layer, float) - form.halves.get(name, 0)) / <double>form.units[name]
    return parameters
