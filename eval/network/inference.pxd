"""The network of the evaluation: king and piece features, one view per side, integers throughout.

A side has 1,710 inputs: the 1,548 piece features (features.pxd), and the squares of its own and the opponent's king, 81
each; White sees the board turned by 180 degrees. A view is the sum of the first layer's rows of the active inputs, at
most 40: 256 numbers per side. Both sides share the rows. The mover's view comes first:

    ours                                                                    the common form (nn.bin)
    both views (int16, in 1/508)        -> clipped to 0..127 (in 1/127)     in 1/127                            2 * 256
    second layer (int8, in 1/256)       -> clipped to 0..2032 (in 1/2032)   in 1/64     -> 0..127 (in 1/127)    32
    third layer (int16, in 1/1024)      -> clipped to 0..2032 (in 1/2032)   in 1/64     -> 0..127 (in 1/127)    32
    output (int16, in 1/1024)           -> logit (in 1/2080768)             in 1/FV_SCALE centipawn

A logit of ours is worth 600 centipawns, and the mover's material is added. The output of the common form is the whole
value. The shifts and limits are properties of a network (forms.py), which the kernels read.

In our networks a bias is in the unit of its layer's sums and includes half of what the following shift drops, so shifts
round. No input combines a king with a piece, so a king's move changes one row of each view, like any other move.

The other set of inputs, HalfKP, has the 1,548 piece features for each square of the own king, and no other king.
Black's and White's view are then brought up to date separately. A king's move changes every row of its own side's
view. Kings go back and forth. So `ViewCache` (a "Finny table") keeps, for each square, the view from when the king last
stood there, and only the pieces that have moved since then are exchanged.

The first layer's sums have 16 bits. Even if sums wrapped, the result would not depend on the order of additions, so an
update and a full refresh always agree. When one of our networks is written, and when a network of the common form is
read, a check proves that no position makes a sum wrap. The first layer's unit is coarse, so that sums fit; the
precision lost is small compared with the rounding of the activations.

All kernels agree to the bit. Activations are at most 127, so AVX2's 16-bit sums of two products never saturate
(2 * 127 * 128 < 2 ** 15). Later sums fit 32 bits, because weights and biases are limited when a network is made
(512 * 127 * 128 + 2 ** 30 and 32 * 2032 * 2 ** 14 + 2 ** 24 are below 2 ** 31).
"""
from engine.position cimport PIECE_NUMBERS, DirtyPieces, Pos
from engine.types cimport PLACES, SQUARES, Place, i16, i32, u16

ctypedef signed char i8

cdef extern from "network/kernels.h" nogil:
    enum:
        L1 "NETWORK_L1"
        L2 "NETWORK_L2"
        L3 "NETWORK_L3"
    ctypedef struct Row "NetworkRow":       # i16[L1], the first layer's weights of an input
        pass
    ctypedef struct Layers "NetworkLayers":
        i16 first_bias[L1]
        i8 second[2 * L1 // 4][L2][4]       # inputs in groups of four
        i16 third[L2 // 2][L3][2]           # inputs in groups of two
        i32 second_bias[L2]
        i32 third_bias[L3]
        i16 output[L3]
        i32 output_bias
        i32 first_shift, second_shift, third_shift, top
    ctypedef struct Kernel "NetworkKernel":
        const char* name
        bint (*usable)() noexcept nogil
        void (*refresh)(const i16* bias, const Row* rows, i16* sums, const u16* inputs, int count) noexcept nogil
        void (*exchange)(const Row* rows, i16* sums, const u16* added, const u16* removed, int count) noexcept nogil
        void (*update)(const Row* rows, i16* sums, const i16* before, const u16* added, const u16* removed,
                       int count) noexcept nogil
        i32 (*output)(const Layers* net, const i16* ours, const i16* theirs) noexcept nogil

cdef enum:
    OWN_KING = 1548             # the input for square 0 of the own king
    OTHER_KING = OWN_KING + 81
    ACTIVE = 40                 # most inputs of a view: 38 pieces and two kings
    INPUTS = OTHER_KING + 81

cdef struct Network:
    const Row* rows             # of the first layer, by input; HalfKP: by the own king's square, then by feature
    int king_rows               # HalfKP: rows for each square of the own king; 0: the kings are inputs
    const Layers* layers        # everything else
    Kernel kernel               # a copy, which saves a load per call
    double factor               # centipawns per unit of output, and a little more (see `network_value`)
    i32 adds_material           # 1: the evaluation is the material and the network's value; 0: that value alone

cdef struct Views:              # the first layer's sums as Black and as White sees them
    i16 side[2][L1]

cdef struct CachedView:         # a view as it was with these pieces
    i16 sums[L1]
    Place place[PIECE_NUMBERS]

cdef struct ViewCache:          # of HalfKP, by colour and the king's square
    CachedView views[2][SQUARES]

# By place, in Black's and White's view; unused places have NO_FEATURE, whose row is 0.
cdef u16[PLACES][2] inputs
cdef u16[PLACES][2] half_inputs     # of HalfKP, to which kings are no inputs

cdef u16[INPUTS] image_input    # by input: the input of its mirror image

cdef inline void sum_inputs(const Network* network, i16* view, const u16* inputs, int count) noexcept nogil:
    """Sum the rows of a view's K-P inputs; the last two inputs are the own king and the other king."""
    cdef const Row* rows = network.rows
    if network.king_rows:
        count -= 2
        rows += network.king_rows * (inputs[count] - OWN_KING)
    network.kernel.refresh(network.layers.first_bias, rows, view, inputs, count)

cdef void refresh_views(const Network* network, Views* views, const Pos* pos) noexcept nogil    # in full
cdef void update_views(const Network* network, Views* views, const Views* before,
                       const DirtyPieces* dirty) noexcept nogil                             # after a move

# HalfKP: one side's view.
cdef void clear_cache(const Network* network, ViewCache* cache) noexcept nogil
cdef void refresh_view(const Network* network, ViewCache* cache, i16* view, int color, const Pos* pos) noexcept nogil
cdef void update_view(const Network* network, i16* view, const i16* before, int color, int king,
                      const DirtyPieces* dirty) noexcept nogil      # after a move of another piece than the king

# The evaluation in centipawns for the mover, without the material.
cdef int network_value(const Network* network, const Views* views, int turn) noexcept nogil

cdef class EvalNetwork:
    cdef Network network
    cdef Row* rows              # owned
    cdef Layers* layers         # owned
    cdef readonly object form
