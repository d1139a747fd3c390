"""The network of the evaluation: king-piece features, two views side by side, integers throughout.

A side sees 1,710 inputs: the 1,548 piece features (features.pxd), and where its own king and the other's stand, 81
squares each; White with the board turned round. Those that are there, 40 at most, are summed over rows of the first
layer, which both sides share, to 256 numbers a side: its view. The mover's comes first, the other's after:

    both views (int16, in 1/508)        -> clipped to 0..127 (in 1/127)     2 * 256
    second layer (int8, in 1/256)       -> clipped to 0..2032 (in 1/2032)   32
    third layer (int16, in 1/1024)      -> clipped to 0..2032 (in 1/2032)   32
    output (int16, in 1/1024)           -> logit (in 1/2080768), of 600 centipawns, beside the mover's material

A bias is in the unit of its layer's sums, and has half of what the shift after it drops: so shifts round. No input
stands for a king and a piece together, so a king's move changes one row of each view, as any other does.

The first layer's sums may wrap at 16 bits, the same in any order, so that an update and a full refresh agree whatever
the weights are. That no position makes them wrap is proved of a network before it is written; its unit is coarse, to
leave room for that, and costs nothing, for what it drops is small beside the activations' own rounding. The kernels
agree to the bit: an activation is 127 at most, so AVX2's 16-bit sums of two products saturate nowhere
(2 * 127 * 128 < 2 ** 15), and no later sum exceeds 32 bits, since the weights and biases are limited when a network is
made (512 * 127 * 128 + 2 ** 24 and 32 * 2032 * 2 ** 14 + 2 ** 24 are below 2 ** 31).
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport PLACES, i16, i32, u16

ctypedef signed char i8

cdef extern from "network/kernels.h" nogil:
    enum:
        INPUTS "NETWORK_INPUTS"
        L1 "NETWORK_L1"
        L2 "NETWORK_L2"
        L3 "NETWORK_L3"
        FIRST_SHIFT "NETWORK_FIRST_SHIFT"
        SECOND_SHIFT "NETWORK_SECOND_SHIFT"
        THIRD_SHIFT "NETWORK_THIRD_SHIFT"
    ctypedef struct Layers "NetworkLayers":
        i16 first[INPUTS][L1]
        i16 first_bias[L1]
        i8 second[2 * L1 // 4][L2][4]       # by groups of four inputs
        i16 third[L2 // 2][L3][2]           # … of two
        i32 second_bias[L2]
        i32 third_bias[L3]
        i16 output[L3]
        i32 output_bias
    ctypedef struct Kernel "NetworkKernel":
        const char* name
        bint (*usable)() noexcept nogil
        void (*refresh)(const Layers* net, i16* sums, const u16* inputs, int count) noexcept nogil
        void (*update)(const Layers* net, i16* sums, const i16* before, const u16* added, const u16* removed,
                       int count) noexcept nogil
        i32 (*output)(const Layers* net, const i16* ours, const i16* theirs) noexcept nogil

cdef enum:
    OWN_KING = 1548             # the input for its square 0
    OTHER_KING = OWN_KING + 81
    ACTIVE = 40                 # inputs that a view has at most: 38 pieces and two kings
    FIRST_TOP = 127             # the activation that stands for 1
    TOP = 2032                  # … in later layers
    FIRST_UNIT = FIRST_TOP << 2  # weights that stand for 1: the activation's, before the shift
    SECOND_UNIT = 256
    LATER_UNIT = 1024           # of the third layer and the output

cpdef enum:
    LOGIT = TOP * LATER_UNIT    # units of the output

cdef struct Network:
    const Layers* layers
    Kernel kernel               # a copy: one load less for each call

cdef struct Views:              # the first layer's sums as Black and as White sees them
    i16 side[2][L1]

cdef u16[PLACES][2] inputs      # of a place, as Black and as White sees it; NO_FEATURE, whose row is 0, for no place

cdef u16[INPUTS] image_input    # the input that stands for the mirror image of what this one stands for

cdef inline void sum_inputs(const Network* network, i16* view, const u16* inputs, int count) noexcept nogil:
    network.kernel.refresh(network.layers, view, inputs, count)

cdef void refresh_views(const Network* network, Views* views, const Pos* pos) noexcept nogil    # in full
cdef void update_views(const Network* network, Views* views, const Views* before,
                       const DirtyPieces* dirty) noexcept nogil                             # after a move
# Centipawns for the mover, material apart.
cdef int network_value(const Network* network, const Views* views, int turn) noexcept nogil

cdef class EvalNetwork:
    cdef Network network
    cdef Layers* layers         # owned
