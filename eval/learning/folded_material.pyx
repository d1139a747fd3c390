"""The material as units of a network, for forms whose output is the whole value.

Two pairs of units in each layer carry the mover's material: one from 0 to RANGE, the other from -RANGE to 0. Material
beyond that range does not count. In the integers of the common form a unit holds 127 steps, so a piece's value is exact
to half a STEP. These units take the places of those that matter least to the output. This changes the network's values,
so the network has to learn on.
"""
import numpy as np

from eval.learning.network_learner import limits_of
from eval.network import COMMON

from engine.types cimport PLACES
from eval.features cimport FEATURES, index
from eval.material cimport SLOPE, values
from eval.network.inference cimport L1, L2, L3

STEP = 15               # centipawns
RANGE = 127 * STEP
STARTS = (0.0, 1.0)     # of both pairs' units, without material


def feature_worths():
    """The worth of each piece feature for the side whose view it is in, in centipawns: int[FEATURES]."""
    cdef int place
    worths = np.zeros(FEATURES, int)
    for place in range(PLACES):
        if index[place]:
            worths[index[place]] = values.place[place]
    return worths


def least(importance):
    """A unit of each of the two pairs (unit, unit + half) of a layer that matter least, by its units' importance."""
    half = len(importance) // 2
    return np.argsort(importance[:half] + importance[half:], kind="stable")[:len(STARTS)]


def with_material(parameters, form=COMMON):
    """The parameters (a record of PARAMETERS) of a network whose output includes the material, made from a network to
    which the material is added, within the limits of this form."""
    net = parameters.copy()
    output = np.abs(net["output"])
    second = np.abs(net["third"]) @ output
    first = np.abs(net["second"]) @ second
    units = [least(importance) for importance in (first[:L1] + first[L1:], second, output)]
    for start, i, j, k in zip(STARTS, *units):
        for a, b, c in ((i, j, k), (i + L1 // 2, j + L2 // 2, k + L3 // 2)):     # it, and its mirror image
            net["first"][:, a] = 0
            net["first"][:FEATURES, a] = feature_worths() / <double>RANGE
            net["first_bias"][a] = start
            net["second"][[a, L1 + a]] = 0
            net["second"][:, b] = 0
            net["second"][a, b] = 1         # the mover's half
            net["second_bias"][b] = 0
            net["third"][b] = 0
            net["third"][:, c] = 0
            net["third"][b, c] = 1
            net["third_bias"][c] = 0
            net["output"][c] = RANGE / <double>SLOPE / 2
            net["output_bias"] -= start * net["output"][c]
    for name, limit in limits_of(form).items():
        net[name] = np.clip(net[name], -limit, limit)
    return net
