"""The learner of the network (see network_learner.pxd)."""
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport sqrtf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import numpy as np

from engine.errors import OutOfMemory, UserError, whole
from eval.learning.samples import checked_order, require_samples
from eval.network import OURS

from engine.types cimport SQUARES, WHITE, i32, u32
from eval.features cimport FEATURES, HAND_FEATURES, NO_FEATURE, inverse, inverse_square
from eval.learning.samples cimport Sample, loss_of, target_of, winning_rate
from eval.material cimport SLOPE
from eval.network.inference cimport (OTHER_KING, OWN_KING, EvalNetwork, Views, image_input, network_value,
                                     sum_inputs)

PARAMETERS = np.dtype([("first", np.float32, (INPUTS, L1)), ("first_bias", np.float32, L1),
                       ("second", np.float32, (2 * L1, L2)), ("second_bias", np.float32, L2),
                       ("third", np.float32, (L2, L3)), ("third_bias", np.float32, L3),
                       ("output", np.float32, L3), ("output_bias", np.float32, (1,))])
assert PARAMETERS.itemsize == sizeof(Parameters)

cdef enum:
    BLOCK = 4096        # positions that a thread evaluates at a time

cdef Py_ssize_t SIZE = sizeof(Parameters) // sizeof(float)

cdef float ROUNDING = 3 << 22   # exact for numbers up to 2 ** 22
LARGEST_BYTE = 127
LATER_LIMIT = 15        # of weights of the third layer and the output that have 16 bits

MEAN_DECAY, SQUARES_DECAY, SMALLEST = 0.9, 0.999, 1e-8      # Adam's usual constants
FIRST_SPREAD, FIRST_BIAS = 0.05, 0.3
LATER_BIAS = 0.2
OUTPUT_SPREAD = 0.1
LARGEST_SUM = (1 << 15) - 1 - (LISTED + 4) / 2     # room for rounding up each term once and the bias twice
DRAWN = ("first", "second", "third", "output")      # at random


# -- One position ------------------------------------------------------------------------------------------------------

cdef void list_inputs(Room* room, const Sample* sample) noexcept nogil:
    """List the active inputs in each side's view, the mover's first."""
    cdef int side, color, own, other, i, count
    cdef u16 feature
    for side in range(2):
        color = sample.turn ^ side
        count = 0
        for i in range(LISTED):
            feature = sample.features[i]
            if feature == NO_FEATURE:
                continue
            room.inputs[side][count] = inverse[feature] if color == WHITE else feature
            count += 1
        own, other = sample.king[color], sample.king[color ^ 1]
        if color == WHITE:
            own, other = inverse_square(own), inverse_square(other)
        room.inputs[side][count] = OWN_KING + own
        room.inputs[side][count + 1] = OTHER_KING + other
        room.count[side] = count + 2


cdef inline void clip(float* values, int count) noexcept nogil:
    cdef float value
    cdef int i
    for i in range(count):
        value = values[i] if values[i] > 0 else 0
        values[i] = value if value < 1 else 1


cdef inline void add(float* target, const float* source, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        target[i] += source[i]


cdef inline void add_times(float* target, const float* source, float factor, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        target[i] += factor * source[i]


cdef inline void keep_unclipped(float* delta, const float* values, int count) noexcept nogil:
    """Set the gradient of clipped values to 0."""
    cdef int i
    for i in range(count):
        delta[i] = delta[i] if 0 < values[i] < 1 else 0


cdef float forward(Room* room, const Parameters* net) noexcept nogil:
    """The forward pass: the network's output, in logits for the mover."""
    cdef float output = net.output_bias[0]
    cdef const float* flat = &room.first[0][0]
    cdef int side, i
    for side in range(2):
        memcpy(room.first[side], net.first_bias, sizeof(net.first_bias))
        for i in range(room.count[side]):
            add(room.first[side], net.first[room.inputs[side][i]], L1)
        clip(room.first[side], L1)
    memcpy(room.second, net.second_bias, sizeof(net.second_bias))
    for i in range(2 * L1):
        if flat[i] != 0:
            add_times(room.second, net.second[i], flat[i], L2)
    clip(room.second, L2)
    memcpy(room.third, net.third_bias, sizeof(net.third_bias))
    for i in range(L2):
        add_times(room.third, net.third[i], room.second[i], L3)
    clip(room.third, L3)
    for i in range(L3):
        output += room.third[i] * net.output[i]
    return output


cdef void backward(Room* room, float error, const Parameters* net, const Turned* turned,
                   Parameters* gradient) noexcept nogil:
    """The backward pass: add a position's gradient. `error` is the loss's derivative by the output."""
    cdef const float* flat = &room.first[0][0]
    cdef float* flat_delta = &room.first_delta[0][0]
    cdef int side, i
    gradient.output_bias[0] += error
    for i in range(L3):
        gradient.output[i] += error * room.third[i]
        room.third_delta[i] = error * net.output[i]
    keep_unclipped(room.third_delta, room.third, L3)
    add(gradient.third_bias, room.third_delta, L3)
    memset(room.second_delta, 0, sizeof(room.second_delta))
    for i in range(L3):
        add_times(room.second_delta, turned.third[i], room.third_delta[i], L2)
    for i in range(L2):
        add_times(gradient.third[i], room.third_delta, room.second[i], L3)
    keep_unclipped(room.second_delta, room.second, L2)
    add(gradient.second_bias, room.second_delta, L2)
    memset(room.first_delta, 0, sizeof(room.first_delta))
    for i in range(L2):
        if room.second_delta[i] != 0:
            add_times(flat_delta, turned.second[i], room.second_delta[i], 2 * L1)
    for i in range(2 * L1):
        if flat[i] != 0:
            add_times(gradient.second[i], room.second_delta, flat[i], L2)
    keep_unclipped(flat_delta, flat, 2 * L1)
    for side in range(2):
        add(gradient.first_bias, room.first_delta[side], L1)
        for i in range(room.count[side]):
            add(gradient.first[room.inputs[side][i]], room.first_delta[side], L1)


cdef inline double material_of(const Sample* sample) noexcept nogil:
    """The mover's material, in centipawns."""
    return -sample.material if sample.turn == WHITE else sample.material


cdef double sum_gradient(const Sample* samples, const u32* order, Py_ssize_t count, double blend, bint adds_material,
                         const Parameters* net, const Turned* turned, Parameters* gradient, Room* room) noexcept nogil:
    """Add the gradients of these samples. Returns the sum of their losses."""
    cdef double total = 0, logit, target
    cdef const Sample* sample
    cdef Py_ssize_t i
    for i in range(count):
        sample = &samples[order[i]]
        list_inputs(room, sample)
        logit = forward(room, net) + adds_material * material_of(sample) / <double>SLOPE
        target = target_of(sample, blend)
        if sample.turn == WHITE:
            target = 1 - target
        total += loss_of(SLOPE * logit, target)
        backward(room, <float>(winning_rate(SLOPE * logit) - target), net, turned, gradient)
    return total


# -- Mirror images -----------------------------------------------------------------------------------------------------

cdef inline void share(float* weights, float* partners, int count) noexcept nogil:
    """Replace both values of each pair by their mean."""
    cdef int i
    for i in range(count):
        weights[i] = partners[i] = 0.5 * (weights[i] + partners[i])


cdef void share_with_images(Parameters* gradient) noexcept nogil:
    """Replace the values of each weight and its partner by their mean."""
    cdef int i
    for i in range(INPUTS):
        share(gradient.first[i], gradient.first[image_input[i]] + L1 // 2, L1 // 2)
    share(gradient.first_bias, gradient.first_bias + L1 // 2, L1 // 2)
    for i in range(2 * L1):
        share(gradient.second[i], gradient.second[i ^ (L1 // 2)] + L2 // 2, L2 // 2)
    share(gradient.second_bias, gradient.second_bias + L2 // 2, L2 // 2)
    for i in range(L2):
        share(gradient.third[i], gradient.third[i ^ (L2 // 2)] + L3 // 2, L3 // 2)
    share(gradient.third_bias, gradient.third_bias + L3 // 2, L3 // 2)
    share(gradient.output, gradient.output + L3 // 2, L3 // 2)


def image_of(parameters):
    """The network with all partners exchanged, which sees mirror images: a record of PARAMETERS. An equivariant network
    equals its image."""
    image = parameters.copy()
    units = {width: np.arange(width) ^ (width // 2) for width in (L1, L2, L3)}
    image["first"] = parameters["first"][np.asarray(<u16[:INPUTS]>image_input)][:, units[L1]]
    image["first_bias"] = parameters["first_bias"][units[L1]]
    image["second"] = parameters["second"][np.arange(2 * L1) ^ (L1 // 2)][:, units[L2]]
    image["second_bias"] = parameters["second_bias"][units[L2]]
    image["third"] = parameters["third"][units[L2]][:, units[L3]]
    image["third_bias"] = parameters["third_bias"][units[L3]]
    image["output"] = parameters["output"][units[L3]]
    return image


# -- Adam --------------------------------------------------------------------------------------------------------------

cdef struct Step:
    float share                 # of one position in the batch
    float rate
    float fading                # of the mean gradient
    float squares_fading
    float smallest


cdef void adam(float* values, float* means, float* squares, float* gradient, Py_ssize_t count,
               const Step* step) noexcept nogil:
    cdef float slope
    cdef Py_ssize_t i
    for i in range(count):
        slope = gradient[i] * step.share
        means[i] += step.fading * (slope - means[i])
        squares[i] += step.squares_fading * (slope * slope - squares[i])
        values[i] -= step.rate * means[i] / (sqrtf(squares[i]) + step.smallest)


cdef void limit(float* values, Py_ssize_t count, float largest) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        values[i] = min(max(values[i], -largest), largest)


cdef void round_to(float* rounded, const float* weights, Py_ssize_t count, float unit) noexcept nogil:
    """Round to whole parts of 1 / unit, halves to even. Adding ROUNDING removes all fractions."""
    cdef Py_ssize_t i
    for i in range(count):
        rounded[i] = (weights[i] * unit + ROUNDING - ROUNDING) / unit


cdef void turn_round(Turned* turned, const Parameters* net) noexcept nogil:
    cdef int i, j
    for i in range(2 * L1):
        for j in range(L2):
            turned.second[j][i] = net.second[i][j]
    for i in range(L2):
        for j in range(L3):
            turned.third[j][i] = net.third[i][j]


def limits_of(form):
    """The largest magnitudes that a form's integers can hold, by array, for the weights behind the first layer."""
    units = form.units
    return {name: min(LATER_LIMIT, (LARGEST_BYTE if name == "second" else form.largest[name] - 1) / units[name])
            for name in ("second", "third", "output")}


cdef class NetworkLearner:
    """A network in floats with Adam's moments: 5 MB, and 2 MB more for each thread. The weights stay in the range of a
    form's integers, and the material is added to the output if the form says so. If the integers are coarse, values and
    gradients are those of the rounded weights, and steps change the floats (quantisation-aware training).

    `parameters` is a record of PARAMETERS; `means` and `squares` are float32[PARAMETERS.itemsize / 4], in its order;
    `steps` counts the batches. A checkpoint of a run consists of these four."""

    cdef readonly object parameters
    cdef readonly object means
    cdef readonly object squares
    cdef public int steps
    cdef readonly object form
    cdef bint _adds_material
    cdef Parameters* _net
    cdef Parameters* _used          # the weights that values and gradients are of: these, or rounded ones
    cdef object _rounded
    cdef float* _means
    cdef float* _squares
    cdef Turned* _turned

    def __cinit__(self, seed=0, form=OURS):
        cdef float[::1] means, squares
        cdef float[::1] flat
        self._turned = <Turned*>calloc(1, sizeof(Turned))
        if self._turned == NULL:
            raise OutOfMemory("no room for a network")
        record = np.zeros(1, PARAMETERS)
        flat, means, squares = record.view(np.float32), np.zeros(SIZE, np.float32), np.zeros(SIZE, np.float32)
        self._net, self._means, self._squares = <Parameters*>&flat[0], &means[0], &squares[0]
        self.parameters, self.means, self.squares = record[0], np.asarray(means), np.asarray(squares)
        self.form, self._adds_material = form, form.adds_material
        self._rounded = None if form.is_fine else np.zeros(SIZE, np.float32)
        if form.is_fine:
            self._used = self._net
        else:
            flat = self._rounded
            self._used = <Parameters*>&flat[0]
        self._draw(np.random.default_rng(whole("seed", seed, 0)))

    def __dealloc__(self):
        free(self._turned)

    def _draw(self, rng):
        """Draw random weights. The weights of the last layer are small, so that material decides at first."""
        net = self.parameters
        net["first"] = rng.normal(0, FIRST_SPREAD, (INPUTS, L1))
        net["first"][NO_FEATURE] = 0
        net["first_bias"] = FIRST_BIAS
        net["second"] = rng.normal(0, (1.0 / L1) ** 0.5, (2 * L1, L2))
        net["second_bias"] = LATER_BIAS
        net["third"] = rng.normal(0, (2.0 / L2) ** 0.5, (L2, L3))
        net["third_bias"] = LATER_BIAS
        net["output"] = rng.normal(0, OUTPUT_SPREAD, L3)
        image = image_of(net)
        for name in DRAWN:
            half = len(net[name].T) // 2
            net[name][..., half:] = image[name][..., half:]

    def begin(self, parameters):
        """Start from these parameters, a record of PARAMETERS, instead of random ones. Raises UserError unless they are
        equivariant."""
        image = image_of(parameters)
        if any((parameters[name] != image[name]).any() for name in PARAMETERS.names):
            raise UserError("this network does not give a position and its mirror image the same value, so it cannot "
                            "be continued; learn another from it, as a teacher")
        for name in PARAMETERS.names:
            self.parameters[name] = parameters[name]

    def train(self, samples not None, order not None, rates not None, double blend=0.9, batch=512,
              threads=1):
        """Make a step for every `batch` of samples[order] (SAMPLE[n], uint32[m]). Returns the mean of the losses, each
        before its step.

        `rates` (float[batches]) gives the learning rate of each step. `blend` is the weight of the search's value in
        the target. Afterwards no first-layer sum can wrap in the quantised network. Raises TypeError if `order` does
        not consist of integers, IndexError if it exceeds the samples, UserError for a sample that holds no position."""
        batch, threads = whole("batch", batch, 1), whole("threads", threads, 1)
        order = checked_order(order, len(samples))
        require_samples(samples)
        if len(rates) != (len(order) + batch - 1) // batch:
            raise UserError("{count} rates for {positions} positions in batches of {batch}", count=len(rates),
                            positions=len(order), batch=batch)
        gradients = [np.zeros(SIZE, np.float32) for _ in range(threads)]
        limits = limits_of(self.form)
        total = 0.0
        with ThreadPoolExecutor(threads) as pool:
            for start, rate in zip(range(0, len(order), batch), rates, strict=True):
                end = min(start + batch, len(order))
                cuts = [start + (end - start) * part // threads for part in range(threads + 1)]
                self._round()
                total += sum(pool.map(lambda part: self._sum(samples, order[cuts[part] : cuts[part + 1]], blend,
                                                             gradients[part]), range(threads)))
                self._gather(gradients)
                self.steps += 1
                cuts = [SIZE * part // threads for part in range(threads + 1)]
                list(pool.map(lambda part: self._step(gradients[0][cuts[part] : cuts[part + 1]], cuts[part], rate,
                                                      end - start), range(threads)))
                limit(&self._net.second[0][0], 2 * L1 * L2, limits["second"])
                limit(&self._net.third[0][0], L2 * L3, limits["third"])
                limit(self._net.output, L3, limits["output"])
        self._hold_sums()
        return total / max(len(order), 1)

    def _hold_sums(self):
        """Scale down the weights of first-layer units whose sums could wrap when quantised."""
        net = self.parameters
        most = (LARGEST_SUM - self.form.halves["first_bias"]) / self.form.units["first"]
        factors = most / np.maximum(largest_sums(net["first"], net["first_bias"]), most)
        net["first"] *= factors
        net["first_bias"] *= factors

    def gradient(self, samples not None, double blend=0.9):
        """The summed loss of samples and its gradient, a record of PARAMETERS, averaged over the positions and their
        mirror images. Raises UserError for a sample that holds no position."""
        require_samples(samples)
        gradient = np.zeros(1, PARAMETERS)
        self._round()
        total = self._sum(samples, np.arange(len(samples), dtype=np.uint32), blend, gradient.view(np.float32))
        self._gather([gradient.view(np.float32)])
        return total, gradient[0]

    def _round(self):
        """Bring the weights in use up to date."""
        cdef Py_ssize_t start = 0, count
        cdef float unit
        if not self.form.is_fine:
            for name in PARAMETERS.names:
                count, unit = self.parameters[name].size, self.form.units[name]
                with nogil:
                    round_to(<float*>self._used + start, <float*>self._net + start, count, unit)
                start += count
        turn_round(self._turned, self._used)

    def _sum(self, const Sample[::1] samples, const u32[::1] order, double blend, float[::1] gradient):
        cdef Room room
        cdef double total = 0
        with nogil:
            memset(&gradient[0], 0, sizeof(Parameters))
            if order.shape[0]:
                total = sum_gradient(&samples[0], &order[0], order.shape[0], blend, self._adds_material, self._used,
                                     self._turned, <Parameters*>&gradient[0], &room)
        return total

    def _gather(self, gradients):
        """Add the threads' gradients into the first one, and average those of partners."""
        cdef float[::1] first = gradients[0]
        cdef float[::1] other
        for other in gradients[1:]:
            with nogil:
                add(&first[0], &other[0], SIZE)
        with nogil:
            share_with_images(<Parameters*>&first[0])

    def _step(self, float[::1] gradient, Py_ssize_t start, double rate, int count):
        """Make an Adam step on the parameters from `start` on, for this part of the gradient."""
        cdef Step step
        step.share = 1.0 / count
        step.fading = 1 - MEAN_DECAY
        step.squares_fading = 1 - SQUARES_DECAY
        # Correct the bias of moments that start at zero.
        lacking = np.sqrt(1 - SQUARES_DECAY**self.steps)
        step.rate = rate * lacking / (1 - MEAN_DECAY**self.steps)
        step.smallest = SMALLEST * lacking
        with nogil:
            adam(<float*>self._net + start, self._means + start, self._squares + start, &gradient[0],
                 gradient.shape[0], &step)

    def values(self, samples not None, threads=1):
        """The value of each sample by the network, with the material if the form adds it: float64[n], centipawns for
        Black. Raises UserError for a sample that holds no position."""
        require_samples(samples)
        self._round()
        values = np.empty(len(samples))
        with ThreadPoolExecutor(whole("threads", threads, 1)) as pool:
            list(pool.map(lambda start: self._value(values[start : start + BLOCK], samples[start : start + BLOCK]),
                          range(0, len(samples), BLOCK)))
        return values

    def _value(self, double[::1] values, const Sample[::1] samples):
        cdef Room room
        cdef const Sample* sample
        cdef double value
        cdef Py_ssize_t i
        with nogil:
            for i in range(samples.shape[0]):
                sample = &samples[i]
                list_inputs(&room, sample)
                value = SLOPE * forward(&room, self._used)
                values[i] = sample.material * self._adds_material + (-value if sample.turn == WHITE else value)


# -- Quantised ---------------------------------------------------------------------------------------------------------

def network_values(const Sample[::1] samples not None, EvalNetwork network not None):
    """The value of each sample by a quantised network, by full sums, with the material if the network's form adds
    it: int32[n], centipawns for Black. Raises UserError for a sample that holds no position."""
    require_samples(samples)
    values = np.empty(samples.shape[0], np.int32)
    cdef i32[::1] out = values
    cdef const Sample* sample
    cdef Room room
    cdef Views views
    cdef Py_ssize_t i
    cdef int side, value
    with nogil:
        for i in range(samples.shape[0]):
            sample = &samples[i]
            list_inputs(&room, sample)
            for side in range(2):
                sum_inputs(&network.network, views.side[side], room.inputs[side], room.count[side])
            value = network_value(&network.network, &views, 0)
            out[i] = (sample.material * network.network.adds_material
                      + (-value if sample.turn == WHITE else value))
    return values


def largest_sums(first, bias):
    """The largest magnitude of each first-layer unit's sum in any position: at most one piece on a square, LISTED
    pieces in all, and two kings. `first` is number[INPUTS, L1], `bias` number[L1], the result number[L1]."""

    def most(rows):
        on_board = rows[HAND_FEATURES:FEATURES].reshape(-1, SQUARES, L1).max(axis=0)
        pieces = np.sort(np.concatenate([rows[NO_FEATURE + 1 : HAND_FEATURES], on_board]), axis=0)[-LISTED:]
        kings = rows[OWN_KING:OTHER_KING].max(axis=0) + rows[OTHER_KING:].max(axis=0)
        return kings + np.maximum(pieces, 0).sum(axis=0)

    return np.maximum(most(first) + bias, most(-first) - bias)
