"""The network of the evaluation (see inference.pxd)."""
from libc.string cimport memcpy, memset

from engine.board cimport Position
from engine.system.block cimport free_block, huge_block
from engine.types cimport BLACK, KING, WHITE, board_place, make_piece
from eval.features cimport (FEATURES, HAND_FEATURES, LISTED, NO_FEATURE, index, inverse, inverse_square, mirror,
                            mirror_square)

from engine.errors import Listed, OutOfMemory, UserError
from eval.arrays import checked, flat
from eval.network.forms import OURS

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
    memcpy(half_inputs, inputs, sizeof(inputs))
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

cdef inline const Row* rows_for(const Network* network, int color, int king) noexcept nogil:
    """The rows of the first layer for the own king's square."""
    return network.rows + network.king_rows * (inverse_square(king) if color == WHITE else king)


cdef inline u16 input_of(const Network* network, Place place, int color) noexcept nogil:
    return half_inputs[place][color] if network.king_rows else inputs[place][color]


cdef void refresh_views(const Network* network, Views* views, const Pos* pos) noexcept nogil:
    cdef u16[ACTIVE] seen
    cdef int color, number, count
    for color in range(2):
        count = 0
        for number in range(PIECE_NUMBERS):
            if pos.place[number]:
                seen[count] = input_of(network, pos.place[number], color)
                count += 1
        network.kernel.refresh(network.layers.first_bias, rows_for(network, color, pos.king[color]), views.side[color],
                               seen, count)


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
        network.kernel.update(network.rows, views.side[color], before.side[color], added, removed, dirty.count)


cdef void clear_cache(const Network* network, ViewCache* cache) noexcept nogil:
    cdef int color, square
    memset(cache, 0, sizeof(ViewCache))
    for color in range(2):
        for square in range(SQUARES):       # the view of no pieces
            memcpy(cache.views[color][square].sums, network.layers.first_bias, L1 * sizeof(i16))


cdef void refresh_view(const Network* network, ViewCache* cache, i16* view, int color, const Pos* pos) noexcept nogil:
    cdef CachedView* cached = &cache.views[color][pos.king[color]]
    cdef u16[PIECE_NUMBERS] added, removed
    cdef int number, count = 0
    for number in range(LISTED):
        added[count] = half_inputs[pos.place[number]][color]
        removed[count] = half_inputs[cached.place[number]][color]
        count += added[count] != removed[count]
    memcpy(cached.place, pos.place, sizeof(cached.place))
    network.kernel.exchange(rows_for(network, color, pos.king[color]), cached.sums, added, removed, count)
    memcpy(view, cached.sums, sizeof(cached.sums))


cdef void update_view(const Network* network, i16* view, const i16* before, int color, int king,
                      const DirtyPieces* dirty) noexcept nogil:
    cdef u16[2] added, removed
    cdef int i, count = 0
    for i in range(dirty.count):
        added[count] = half_inputs[dirty.after[i]][color]
        removed[count] = half_inputs[dirty.before[i]][color]
        count += added[count] != removed[count]         # the other king is no input
    if count == 0:
        memcpy(view, before, L1 * sizeof(i16))
    else:
        network.kernel.update(rows_for(network, color, king), view, before, added, removed, count)


cdef int network_value(const Network* network, const Views* views, int turn) noexcept nogil:
    """The value: output * slope / unit of the form, exactly, rounded towards 0. A quotient that is a whole number must
    not be rounded to less, so the factor is larger by 2 ** -50 of itself. This adds less than 2 ** -19 to a value. No
    other quotient is that close below a whole number: quotients are multiples of 1 / 260096 below 2 ** 20 in our form,
    and of 1 / FV_SCALE in the common form."""
    return <int>(network.factor * network.kernel.output(network.layers, views.side[turn], views.side[turn ^ 1]))


# -- For Python --------------------------------------------------------------------------------------------------------

SHAPES = {"first": ("int16", (INPUTS, L1)), "first_bias": ("int16", (L1,)),
          "second": ("int8", (2 * L1, L2)), "second_bias": ("int32", (L2,)),
          "third": ("int16", (L2, L3)), "third_bias": ("int32", (L3,)),
          "output": ("int16", (L3,)), "output_bias": ("int32", (1,))}


def shapes_of(form):
    """SHAPES for a form."""
    return SHAPES | {"first": ("int16", (SQUARES * form.king_rows or INPUTS, L1))}


def rows_of_no_piece(first, form):
    """The rows of the first layer, as slices of it, that stand for pieces that are not in play."""
    rows, step = flat(first), form.king_rows or INPUTS
    return [rows[start:start + L1] for start in range(0, len(rows), L1 * step)]


def usable_kernels():
    """The names of the kernels that this processor can run, the fastest first."""
    return tuple(KERNELS[i].name.decode() for i in reversed(range(KERNEL_COUNT)) if KERNELS[i].usable())


cdef const Kernel* kernel_of(str name) except NULL:
    """The kernel of this name; None: the fastest. Raises UserError if this processor cannot run it."""
    cdef int i
    for i in range(KERNEL_COUNT - 1, -1, -1):
        if KERNELS[i].usable() and (name is None or KERNELS[i].name == name.encode()):
            return &KERNELS[i]
    raise UserError("{name!r} is no kernel for this processor; it has {usable}", name=name,
                    usable=Listed(usable_kernels()))


def checked_layers(arrays, form=OURS):
    """The arrays of a network, contiguous. Raises UserError unless they have the types and shapes of `shapes_of` and
    stay in the form's limits."""
    shapes = shapes_of(form)
    if arrays.keys() != shapes.keys():
        raise UserError("a network's arrays are {shapes}, and these are {arrays}", shapes=Listed(shapes),
                        arrays=Listed(arrays))
    layers = {name: checked(name, arrays[name], dtype, shape) for name, (dtype, shape) in shapes.items()}
    for name, most in form.largest.items():
        values = flat(layers[name])
        largest = max(max(values), -min(values))
        if largest > most:
            raise UserError("{name} goes up to {largest}, beyond {most}", name=name, largest=largest, most=most)
    if any(any(row) for row in rows_of_no_piece(layers["first"], form)):
        raise UserError("row 0 of the first layer, which stands for pieces that are not in play, is not zero")
    return layers


cdef i32 most_added(const i16[:, ::1] rows, int start, int column, int sign, bint has_kings) noexcept nogil:
    """The most that a position's inputs add to a unit of the first layer, times `sign`: at most one piece on a square,
    LISTED pieces in all, and two kings if they are inputs. `start` is the first of the rows."""
    cdef i32[HAND_FEATURES + SQUARES] pieces
    cdef i32[2] kings
    cdef i32 most = 0
    cdef int square, feature, i, j
    for feature in range(HAND_FEATURES + SQUARES):
        pieces[feature] = sign * rows[start + feature, column]
    for feature in range(HAND_FEATURES + SQUARES, FEATURES):
        square = (feature - HAND_FEATURES) % SQUARES
        pieces[HAND_FEATURES + square] = max(pieces[HAND_FEATURES + square], sign * rows[start + feature, column])
    for i in range(LISTED):             # move the largest to the front
        for j in range(i + 1, HAND_FEATURES + SQUARES):
            if pieces[j] > pieces[i]:
                pieces[i], pieces[j] = pieces[j], pieces[i]
        most += max(pieces[i], 0)
    if not has_kings:
        return most
    for i in range(2):
        kings[i] = sign * rows[OWN_KING + SQUARES * i, column]
        for square in range(SQUARES):
            kings[i] = max(kings[i], sign * rows[OWN_KING + SQUARES * i + square, column])
    return most + kings[0] + kings[1]


def largest_sum(arrays):
    """The largest magnitude of any first-layer sum of a network in any position. Below 2 ** 15 no sum wraps."""
    cdef const i16[:, ::1] first = arrays["first"]
    cdef const i16[::1] bias = arrays["first_bias"]
    cdef bint has_kings = first.shape[0] == INPUTS
    cdef int rows = INPUTS if has_kings else FEATURES
    cdef int block, start, row, column, sign
    cdef i32[L1] largest                # of a column's weights
    cdef i32 weight, most = 0
    with nogil:
        for block in range(<int>first.shape[0] // rows):
            start = block * rows
            memset(largest, 0, sizeof(largest))
            for row in range(start, start + rows):
                for column in range(L1):
                    weight = first[row, column]
                    largest[column] = max(largest[column], weight if weight > 0 else -weight)
            for column in range(L1):
                for sign in range(-1, 2, 2):
                    if ACTIVE * largest[column] + sign * bias[column] > most:   # else it cannot be larger
                        most = max(most, most_added(first, start, column, sign, has_kings) + sign * bias[column])
    return most


cdef lay_out(EvalNetwork target, dict layers, form):
    """Copy the layers into the layout of kernels.h, with the weights of neighbouring inputs together."""
    cdef const i16[:, ::1] first = layers["first"]
    cdef const i8[:, ::1] second = layers["second"]
    cdef const i16[:, ::1] third = layers["third"]
    cdef const i16[::1] first_bias = layers["first_bias"]
    cdef const i32[::1] second_bias = layers["second_bias"]
    cdef const i32[::1] third_bias = layers["third_bias"]
    cdef const i16[::1] output = layers["output"]
    cdef Layers* behind = target.layers         # the first layer's rows
    cdef int i, j
    memcpy(target.rows, &first[0, 0], first.nbytes)
    memcpy(behind.first_bias, &first_bias[0], sizeof(behind.first_bias))
    memcpy(behind.second_bias, &second_bias[0], sizeof(behind.second_bias))
    memcpy(behind.third_bias, &third_bias[0], sizeof(behind.third_bias))
    memcpy(behind.output, &output[0], sizeof(behind.output))
    for i in range(2 * L1):
        for j in range(L2):
            behind.second[i // 4][j][i % 4] = second[i, j]
    for i in range(L2):
        for j in range(L3):
            behind.third[i // 2][j][i % 2] = third[i, j]
    behind.output_bias = layers["output_bias"][0]
    behind.first_shift, behind.second_shift, behind.third_shift = form.first_shift, form.second_shift, form.third_shift
    behind.top = form.top


cdef class EvalNetwork:
    """A network laid out for evaluation. Made by `from_arrays`; immutable."""

    def __init__(self):
        raise TypeError("an EvalNetwork is made by EvalNetwork.from_arrays")

    def __dealloc__(self):
        free_block(self.rows)

    @staticmethod
    def from_arrays(arrays, kernel=None, form=OURS):
        """Lay out a network in memory, about 1 MB, or 62 MB with HalfKP.

        arrays: by name, of the types and shapes of `shapes_of(form)` and in the units of inference.pxd; the mover's
        inputs of the second layer come first. kernel: one of `usable_kernels()`; by default the fastest. form: the
        inputs and the arithmetic.

        Raises UserError if the arrays do not fit or the kernel is unknown, and MemoryError.
        """
        cdef EvalNetwork made = EvalNetwork.__new__(EvalNetwork)
        made.network.kernel = kernel_of(kernel)[0]
        layers = checked_layers(arrays, form)
        made.rows = <Row*>huge_block(layers["first"].nbytes + sizeof(Layers))
        if made.rows == NULL:
            raise OutOfMemory("no memory for a network")
        made.layers = <Layers*>(made.rows + <Py_ssize_t>layers["first"].shape[0])
        lay_out(made, layers, form)
        made.form = form
        made.network.rows, made.network.layers = made.rows, made.layers
        made.network.factor = form.slope / <double>form.unit * (1 + 2.0 ** -50)
        made.network.king_rows = form.king_rows
        made.network.adds_material = form.adds_material
        return made

    @property
    def kernel(self):
        """The name of its kernel."""
        return self.network.kernel.name.decode()

    @property
    def megabytes(self):
        """Memory that the network takes, in MB."""
        rows = SQUARES * self.form.king_rows or INPUTS
        return ((rows * sizeof(Row) + sizeof(Layers)) >> 20) + 1


def value_of(EvalNetwork network not None, Position position not None):
    """The network's value without any material added, in centipawns for Black, and the same for the position without
    each piece: (int, int[n]), with the pieces in the order of eval.features.pieces_of. Both kings must be on the
    board."""
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
            removed[0] = input_of(&network.network, position.pos.place[number], color)
            network.network.kernel.update(rows_for(&network.network, color, position.pos.king[color]),
                                          without.side[color], views.side[color], added, removed, 1)
        values.append(sign * network_value(&network.network, &without, turn))
    return sign * network_value(&network.network, &views, turn), values
