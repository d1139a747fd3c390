"""The network of the evaluation (see inference.pxd)."""
from libc.string cimport memcpy, memset

from engine.board cimport Position
from engine.position cimport PIECE_NUMBERS
from engine.system.block cimport free_block, huge_block
from engine.types cimport BLACK, KING, SQUARES, WHITE, board_place, i64, make_piece
from eval.features cimport FEATURES, LISTED, NO_FEATURE, index, inverse, inverse_square, mirror, mirror_square
from eval.material cimport SLOPE

from engine.errors import UserError
from eval.arrays import checked, flat

cdef extern from "network/kernels.h" nogil:
    const Kernel* KERNELS "network_kernels"     # of this build, the slowest first
    int KERNEL_COUNT "NETWORK_KERNELS"


# -- Inputs ------------------------------------------------------------------------------------------------------------

cdef void fill_inputs() noexcept:
    cdef int place, color, square, feature
    memset(inputs, 0, sizeof(inputs))
    for place in range(PLACES):
        inputs[place][BLACK] = index[place]
        inputs[place][WHITE] = inverse[index[place]] if index[place] else 0
    for feature in range(FEATURES):
        image_input[feature] = mirror[feature]
    for square in range(SQUARES):
        image_input[OWN_KING + square] = <u16>(OWN_KING + mirror_square(square))
        image_input[OTHER_KING + square] = <u16>(OTHER_KING + mirror_square(square))
        for color in range(2):
            place = board_place(make_piece(color, KING), square)
            inputs[place][color] = <u16>(OWN_KING + (inverse_square(square) if color == WHITE else square))
            inputs[place][color ^ 1] = <u16>(OTHER_KING + (square if color == WHITE else inverse_square(square)))


fill_inputs()


# -- Sums --------------------------------------------------------------------------------------------------------------

cdef void refresh_views(const Network* network, Views* views, const Pos* pos) noexcept nogil:
    cdef u16[ACTIVE] seen
    cdef int color, number, count
    for color in range(2):
        count = 0
        for number in range(PIECE_NUMBERS):
            if pos.place[number]:
                seen[count] = inputs[pos.place[number]][color]
                count += 1
        sum_inputs(network, views.side[color], seen, count)


cdef void update_views(const Network* network, Views* views, const Views* before,
                       const DirtyPieces* dirty) noexcept nogil:
    cdef u16[2] added, removed
    cdef int color, i
    if dirty.count == 0:
        views[0] = before[0]
        return
    for color in range(2):
        for i in range(dirty.count):
            added[i] = inputs[dirty.after[i]][color]
            removed[i] = inputs[dirty.before[i]][color]
        network.kernel.update(network.layers, views.side[color], before.side[color], added, removed, dirty.count)


cdef int network_value(const Network* network, const Views* views, int turn) noexcept nogil:
    cdef i64 output = network.kernel.output(network.layers, views.side[turn], views.side[turn ^ 1])
    return <int>(output * SLOPE // LOGIT)       # C's division, towards 0


# -- For Python --------------------------------------------------------------------------------------------------------

SHAPES = {"first": ("int16", (INPUTS, L1)), "first_bias": ("int16", (L1,)),
          "second": ("int8", (2 * L1, L2)), "second_bias": ("int32", (L2,)),
          "third": ("int16", (L2, L3)), "third_bias": ("int32", (L3,)),
          "output": ("int16", (L3,)), "output_bias": ("int32", (1,))}
LARGEST = {"second_bias": 1 << 24, "third": 1 << 14, "third_bias": 1 << 24, "output": 1 << 14, "output_bias": 1 << 24}


def usable_kernels():
    """The names of the kernels that this processor can run, the fastest first."""
    return tuple(KERNELS[i].name.decode() for i in reversed(range(KERNEL_COUNT)) if KERNELS[i].usable())


cdef const Kernel* kernel_of(str name) except NULL:
    """The kernel of this name; None: the fastest. Raises UserError if this processor cannot run it."""
    cdef int i
    for i in range(KERNEL_COUNT - 1, -1, -1):
        if KERNELS[i].usable() and (name is None or KERNELS[i].name == name.encode()):
            return &KERNELS[i]
    raise UserError(f"{name!r} is no kernel for this processor; it has {', '.join(usable_kernels())}")


def checked_layers(arrays):
    """The arrays of a network, contiguous. Raises UserError unless they have the types and shapes of SHAPES."""
    if arrays.keys() != SHAPES.keys():
        raise UserError(f"a network's arrays are {', '.join(SHAPES)}, and these are {', '.join(arrays)}")
    layers = {name: checked(name, arrays[name], dtype, shape) for name, (dtype, shape) in SHAPES.items()}
    for name, most in LARGEST.items():
        values = flat(layers[name])
        largest = max(max(values), -min(values))
        if largest > most:
            raise UserError(f"{name} goes up to {largest}, beyond {most}")
    if any(flat(layers["first"])[:L1]):
        raise UserError("row 0 of the first layer, which stands for pieces that are not in play, is not zero")
    return layers


cdef lay_out(Layers* target, dict layers):
    """Copy the layers into the layout of kernels.h, with the weights of neighbouring inputs together."""
    cdef const i16[:, ::1] first = layers["first"]
    cdef const i8[:, ::1] second = layers["second"]
    cdef const i16[:, ::1] third = layers["third"]
    cdef const i16[::1] first_bias = layers["first_bias"]
    cdef const i32[::1] second_bias = layers["second_bias"]
    cdef const i32[::1] third_bias = layers["third_bias"]
    cdef const i16[::1] output = layers["output"]
    cdef int i, j
    memcpy(target.first, &first[0, 0], sizeof(target.first))
    memcpy(target.first_bias, &first_bias[0], sizeof(target.first_bias))
    memcpy(target.second_bias, &second_bias[0], sizeof(target.second_bias))
    memcpy(target.third_bias, &third_bias[0], sizeof(target.third_bias))
    memcpy(target.output, &output[0], sizeof(target.output))
    for i in range(2 * L1):
        for j in range(L2):
            target.second[i // 4][j][i % 4] = second[i, j]
    for i in range(L2):
        for j in range(L3):
            target.third[i // 2][j][i % 2] = third[i, j]
    target.output_bias = layers["output_bias"][0]


cdef class EvalNetwork:
    """A network laid out for evaluation. Made by `from_arrays`; immutable."""

    def __init__(self):
        raise TypeError("an EvalNetwork is made by EvalNetwork.from_arrays")

    def __dealloc__(self):
        free_block(self.layers)

    @staticmethod
    def from_arrays(arrays, kernel=None):
        """Lay out a network in memory, about 1 MB.

        arrays: by name, of the types and shapes of SHAPES and in the units of inference.pxd; the mover's inputs of the
        second layer come first. kernel: one of `usable_kernels()`; by default the fastest.

        Raises UserError if the arrays do not fit or the kernel is unknown, and MemoryError.
        """
        cdef EvalNetwork made = EvalNetwork.__new__(EvalNetwork)
        made.network.kernel = kernel_of(kernel)[0]
        layers = checked_layers(arrays)
        made.layers = <Layers*>huge_block(sizeof(Layers))
        if made.layers == NULL:
            raise MemoryError("no memory for a network")
        lay_out(made.layers, layers)
        made.network.layers = made.layers
        return made

    @property
    def kernel(self):
        """The name of its kernel."""
        return self.network.kernel.name.decode()

    @property
    def megabytes(self):
        """Memory that the network takes, in MB."""
        return (sizeof(Layers) >> 20) + 1


def value_of(EvalNetwork network not None, Position position not None):
    """The network's value without the material, in centipawns for Black, and the same for the position without each
    piece: (int, int[n]), with the pieces in the order of eval.features.pieces_of. Both kings must be on the board."""
    cdef Views views, without
    cdef u16[2] added, removed
    cdef int number, color, turn = position.pos.turn
    cdef int sign = -1 if turn == WHITE else 1
    refresh_views(&network.network, &views, &position.pos)
    values = []
    for number in range(LISTED):
        if not position.pos.place[number]:
            continue
        for color in range(2):
            added[0] = NO_FEATURE           # its row is zero
            removed[0] = inputs[position.pos.place[number]][color]
            network.network.kernel.update(network.network.layers, without.side[color], views.side[color], added,
                                          removed, 1)
        values.append(sign * network_value(&network.network, &without, turn))
    return sign * network_value(&network.network, &views, turn), values
