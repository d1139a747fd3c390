"""The learner of the network: fits its floats to positions that a search and a game have judged.

The winning rate is 1 / (1 + exp(-logit)), where the logit is the network's output plus the mover's material over 600
centipawns. Its cross-entropy against the samples' targets (samples.pxd) is stepped down by Adam in mini-batches. A
batch is cut into as many parts as there are threads; each part sums gradients of its own, and these are added up in
order: so a run is reproducible for a given number of threads, to the bit.

A position and its mirror image (file 1 for file 9 and so on) have the same value, as the rules have it: an equivariant
network. For that, the units of each layer are partners, i and i + half of them: what one sees of a position, the other
sees of its mirror image. Their weights are the same, by inputs that are mirror images (or partners); so are their
gradients, which are averaged, and their moments. Learned freely, on positions turned at random, a network's values of
the two were 80 centipawns apart, and its losses worse.

The later layers are limited to what their integers hold (network/inference.pxd) after each step, so that quantisation
only rounds.
"""
from engine.types cimport u16
from eval.features cimport LISTED
from eval.network.inference cimport INPUTS, L1, L2, L3

cdef enum:
    ACTIVE = LISTED + 2         # inputs that a side has: the pieces in play and both kings

cdef struct Parameters:         # of the network, or a number for each of them: a gradient, a moment
    float[INPUTS][L1] first     # one row for each input; that of NO_FEATURE stays zero
    float[L1] first_bias
    float[2 * L1][L2] second    # the mover's half of the inputs comes first
    float[L2] second_bias
    float[L2][L3] third
    float[L3] third_bias
    float[L3] output
    float[1] output_bias

cdef struct Turned:             # the later layers' weights the other way round, for going back
    float[L2][2 * L1] second
    float[L3][L2] third

cdef struct Room:               # what one position needs on the way through
    int[2] count                # of its inputs, mover and other
    u16[2][ACTIVE] inputs
    float[2][L1] first          # clipped
    float[L2] second
    float[L3] third
    float[2][L1] first_delta    # of the loss by the layer's sums
    float[L2] second_delta
    float[L3] third_delta
