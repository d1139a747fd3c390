"""The learner of the network: fits its floats to the results of searches and games.

The winning rate is 1 / (1 + exp(-logit)), where the logit is the network's output plus the mover's material over 600
centipawns. The loss is its cross-entropy against the samples' targets (samples.pxd). Adam minimises it in mini-batches.
Each thread sums the gradient of its part of a batch, and the parts are added in a fixed order, so a run with a given
number of threads is reproducible to the bit.

The network is equivariant: a position and its mirror image (file 1 for file 9 and so on) get the same value. The units
of each layer form pairs, i and i + half: one sees the position, the other its mirror image. Partners share their
weights, with mirrored inputs (or partner units) exchanged. Therefore they also share their moments and their gradients,
which are averaged. Networks learned without this differed by 80 centipawns between position and image, and had larger
losses.

After each step the later layers' weights are clipped to the range of their integers (network/inference.pxd), so that
quantisation only rounds.
"""
from engine.types cimport u16
from eval.features cimport LISTED
from eval.network.inference cimport INPUTS, L1, L2, L3

cdef enum:
    ACTIVE = LISTED + 2         # inputs of a side: the pieces in play and both kings

cdef struct Parameters:         # the network's weights; also a gradient or moment for each
    float[INPUTS][L1] first     # a row for each input; NO_FEATURE's stays zero
    float[L1] first_bias
    float[2 * L1][L2] second    # the mover's half of the inputs comes first
    float[L2] second_bias
    float[L2][L3] third
    float[L3] third_bias
    float[L3] output
    float[1] output_bias

cdef struct Turned:             # the later layers' weights transposed, for the backward pass
    float[L2][2 * L1] second
    float[L3][L2] third

cdef struct Room:               # the data of one position's passes
    int[2] count                # number of inputs, of mover and opponent
    u16[2][ACTIVE] inputs
    float[2][L1] first          # clipped
    float[L2] second
    float[L3] third
    float[2][L1] first_delta    # gradient of the loss by the layer's sums
    float[L2] second_delta
    float[L3] third_delta
