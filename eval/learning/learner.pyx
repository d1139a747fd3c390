"""The learner of the tables (see learner.pxd)."""
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport sqrtf
from libc.stdlib cimport free, malloc

import numpy as np

from engine.types cimport BLACK, WHITE, i16, prefetch, u16
from eval.tables.factors cimport (CENTRE, FOR_TURN, KK, KKP, KP, KPP, KP_VECTOR, NO_WEIGHT, P, PP, TEMPO, TRIANGLE,
                                  Kings, Pair, fill_pairs, folded, kk_weight, kkp_weight, kp_vector_weight, kp_weight,
                                  mirrors, p_weight, tables, triangle)
from eval.features cimport NO_FEATURE, inverse, inverse_square, mirror
from eval.learning.samples cimport Sample, loss_of, target_of, winning_rate
from eval.tables.layout cimport SCALE

from engine.errors import OutOfMemory, UserError, whole
from eval.arrays import checked
from eval.learning.samples import checked_order, require_samples
from eval.tables.expansion import TABLE_SHAPES
from eval.tables.factors import SHAPES, WEIGHTS

cdef enum:
    BLOCK = 1000        # positions that a thread takes at a time


# -- The weights of a position -----------------------------------------------------------------------------------------

cdef struct Seen:               # a position as each side sees it
    int[2] king
    int count
    u16[2][LISTED] features


cdef inline void add(Active* active, int kind, int* end, u32 weight, float coefficient) noexcept nogil:
    """Append a weight, given as number << 1 | negated, to the list."""
    active.entries[end[0]].weight = tables.start[kind] + (weight >> 1)
    active.entries[end[0]].coefficient = -coefficient if weight & 1 else coefficient
    end[0] += 1


cdef void collect_kings(Active* active, const Seen* seen, const Kings* kings, bint for_turn, float coefficient,
                        const Hyperparams* hyperparams, int* end) noexcept nogil:
    """List the weights of KK to KKP, for Black (White's half negated) or for the side to move."""
    cdef int more = FOR_TURN if for_turn else 0
    cdef u32 weight, negated
    cdef int side, i
    active.start[KK + more] = end[0]
    weight = kk_weight(kings, for_turn)
    if hyperparams.rate[KK + more] > 0 and weight != NO_WEIGHT:
        add(active, KK + more, end, weight, coefficient)
    active.start[P + more] = end[0]
    if hyperparams.rate[P + more] > 0:
        for i in range(seen.count):
            add(active, P + more, end, p_weight(seen.features[BLACK][i], for_turn), coefficient)
    active.start[KP + more] = end[0]
    if hyperparams.rate[KP + more] > 0:
        for side in range(2):
            negated = side and not for_turn
            for i in range(seen.count):
                weight = kp_weight(seen.king[side], seen.features[side][i])
                add(active, KP + more, end, weight << 1 | negated, coefficient)
    active.start[KP_VECTOR + more] = end[0]
    if hyperparams.rate[KP_VECTOR + more] > 0:
        for side in range(2):
            negated = side and not for_turn
            for i in range(seen.count):
                weight = kp_vector_weight(seen.king[side], seen.features[side][i])
                if weight != NO_WEIGHT:
                    add(active, KP_VECTOR + more, end, weight << 1 | negated, coefficient)
    active.start[KKP + more] = end[0]
    if hyperparams.rate[KKP + more] > 0:
        for i in range(seen.count):
            add(active, KKP + more, end, kkp_weight(kings, seen.features[BLACK][i], for_turn), coefficient)


cdef void collect_pairs(Active* active, const Pair* pairs, const u16* features, int count,
                        const Hyperparams* hyperparams, const Weight* weights, int* end) noexcept nogil:
    """List the pair weights of both halves. They do not depend on the king, and those of White's half are the negated
    images of Black's."""
    cdef int kind, i, j, row
    cdef u32 weight
    for kind in range(PAIR_SETS):
        active.start[PP + kind] = end[0]
        if hyperparams.rate[PP + kind] == 0:
            continue
        for i in range(1, count):
            row = features[i] * (features[i] + 1) // 2
            for j in range(i):
                weight = pairs[row + features[j]].weight[kind]
                if weight != NO_WEIGHT:
                    add(active, PP + kind, end, weight, 2)
                    prefetch(weights + active.entries[end[0] - 1].weight)


cdef void collect_half(Active* active, int king, const u16* seen, int count, float coefficient, const Weight* weights,
                       int* end) noexcept nogil:
    """List the KPP weights of one half; `king` and `seen` are already mirrored if necessary."""
    cdef u32 start = tables.start[KPP] + king * TRIANGLE
    cdef u16[LISTED] mirrored
    cdef u32 number
    cdef int i, j
    if king >= CENTRE:
        for i in range(count):
            mirrored[i] = mirror[seen[i]]
    for i in range(1, count):
        for j in range(i):
            number = triangle(seen[i], seen[j])
            if king >= CENTRE:
                number = min(number, triangle(mirrored[i], mirrored[j]))
            prefetch(weights + start + number)
            active.entries[end[0]].weight = start + number
            active.entries[end[0]].coefficient = coefficient
            end[0] += 1


cdef void collect(Active* active, const Sample* sample, const Pair* pairs, const Hyperparams* hyperparams,
                  const Weight* weights) noexcept nogil:
    """List a position's weights of the sets in use, and prefetch them."""
    cdef const Kings* kings = &tables.kings[sample.king[BLACK]][sample.king[WHITE]]
    cdef Seen seen
    cdef u16[LISTED] folded_features
    cdef int end = 0, side, i
    seen.king[BLACK] = sample.king[BLACK]
    seen.king[WHITE] = inverse_square(sample.king[WHITE])
    seen.count = 0
    for i in range(LISTED):
        if sample.features[i] != NO_FEATURE:
            seen.features[BLACK][seen.count] = sample.features[i]
            seen.features[WHITE][seen.count] = inverse[sample.features[i]]
            seen.count += 1

    active.start[TEMPO] = end
    if hyperparams.rate[TEMPO] > 0:
        add(active, TEMPO, &end, sample.turn, 1)
    collect_kings(active, &seen, kings, False, 1, hyperparams, &end)
    collect_kings(active, &seen, kings, True, -1 if sample.turn == WHITE else 1, hyperparams, &end)
    collect_pairs(active, pairs, seen.features[BLACK], seen.count, hyperparams, weights, &end)
    active.start[KPP] = end
    if hyperparams.rate[KPP] > 0:
        for side in range(2):
            for i in range(seen.count):
                folded_features[i] = seen.features[side][i]
                if mirrors(seen.king[side]):
                    folded_features[i] = mirror[folded_features[i]]
            collect_half(active, folded(seen.king[side]), folded_features, seen.count, -1 if side else 1, weights,
                         &end)
    active.start[SETS] = end


# -- Value and step ----------------------------------------------------------------------------------------------------

cdef double value_of(const Active* active, const Sample* sample, const Weight* weights) noexcept nogil:
    cdef float total = 0
    cdef int i
    for i in range(active.start[SETS]):
        total += active.entries[i].coefficient * weights[active.entries[i].weight].value
    return sample.material + total


cdef void step(const Active* active, float error, Weight* weights, const Hyperparams* hyperparams) noexcept nogil:
    """Make an AdaGrad step. `error` is the winning rate minus its target. Up to a constant factor, which AdaGrad
    cancels, that is the derivative of the loss by the value."""
    cdef Weight* weight
    cdef float gradient, rate
    cdef int kind, i
    for kind in range(SETS):
        rate = hyperparams.rate[kind]
        for i in range(active.start[kind], active.start[kind + 1]):
            weight = weights + active.entries[i].weight
            gradient = error * active.entries[i].coefficient
            weight.squares += gradient * gradient
            weight.value -= rate * gradient / sqrtf(weight.squares + hyperparams.prior)


cdef double train_block(const Sample* samples, const u32* order, Py_ssize_t count, const Pair* pairs,
                        const Hyperparams* hyperparams, Weight* weights, Active* room) noexcept nogil:
    """Make a step for each sample while prefetching the next one's weights. Returns the sum of the losses, each before
    its step."""
    cdef double total = 0, value, target
    cdef const Sample* sample
    cdef Py_ssize_t i
    if count:
        collect(&room[0], &samples[order[0]], pairs, hyperparams, weights)
    for i in range(count):
        if i + 1 < count:
            collect(&room[(i + 1) & 1], &samples[order[i + 1]], pairs, hyperparams, weights)
        sample = &samples[order[i]]
        value = value_of(&room[i & 1], sample, weights)
        target = target_of(sample, hyperparams.blend)
        total += loss_of(value, target)
        step(&room[i & 1], <float>(winning_rate(value) - target), weights, hyperparams)
    return total


cdef void value_block(double* values, const Sample* samples, Py_ssize_t count, const Pair* pairs,
                      const Hyperparams* hyperparams, const Weight* weights, Active* room) noexcept nogil:
    cdef Py_ssize_t i
    if count:
        collect(&room[0], &samples[0], pairs, hyperparams, weights)
    for i in range(count):
        if i + 1 < count:
            collect(&room[(i + 1) & 1], &samples[i + 1], pairs, hyperparams, weights)
        values[i] = value_of(&room[i & 1], &samples[i], weights)


cdef Hyperparams hyperparams_of(object rates, double blend, double prior):
    cdef Hyperparams hyperparams
    hyperparams.blend = blend
    hyperparams.prior = prior
    for kind, name in enumerate(SHAPES):
        hyperparams.rate[<int>kind] = rates[name]
    return hyperparams


cdef class Learner:
    """Weights and their sums of squared gradients, initially zero: 478 MB of addresses, used as far as they are
    touched.

    `weights` and `squares` are writable views, float32[WEIGHTS], in centipawns, in the order of eval.tables.factors."""

    cdef readonly object weights
    cdef readonly object squares
    cdef Weight* _weights
    cdef Pair* _pairs

    def __cinit__(self):
        self._pairs = <Pair*>malloc(TRIANGLE * sizeof(Pair))
        if self._pairs == NULL:
            raise OutOfMemory("no room for the numbers of the pairs")
        fill_pairs(self._pairs)
        both = np.zeros((WEIGHTS, 2), np.float32)
        cdef float[:, ::1] view = both
        self._weights = <Weight*>&view[0, 0]
        self.weights = both[:, 0]
        self.squares = both[:, 1]

    def __dealloc__(self):
        free(self._pairs)

    def train(self, samples not None, order not None, rates not None, double blend=0.6, double prior=1.0,
              threads=1):
        """Make one step for each of samples[order] (SAMPLE[n], uint32[m]). Returns the mean of their losses, each
        before its step.

        `rates` gives each set's learning rate in centipawns by its name; sets with 0 neither learn nor count. `blend`
        is the weight of the search's value in the target. `prior` is added to each weight's sum of squared gradients;
        one position adds at most 1, or 4 for pairs. Raises TypeError if `order` does not consist of integers,
        IndexError if it exceeds the samples, UserError for a sample that holds no position."""
        order = checked_order(order, len(samples))
        require_samples(samples)
        if not len(order):
            return 0.0
        blocks = [order[i : i + BLOCK] for i in range(0, len(order), BLOCK)]

        def train_one(block):
            return self._train(samples, block, rates, blend, prior)

        with ThreadPoolExecutor(whole("threads", threads, 1)) as pool:
            return sum(pool.map(train_one, blocks)) / len(order)

    def _train(self, const Sample[::1] samples, const u32[::1] order, rates, double blend, double prior):
        cdef Hyperparams hyperparams = hyperparams_of(rates, blend, prior)
        cdef Active* room = <Active*>malloc(2 * sizeof(Active))
        cdef double total
        if room == NULL:
            raise OutOfMemory("no room for a position's weights")
        with nogil:
            total = train_block(&samples[0], &order[0], order.shape[0], self._pairs, &hyperparams, self._weights, room)
        free(room)
        return total

    def values(self, samples not None, threads=1):
        """The value of each sample by these weights, material included: float64[n], centipawns for Black. Raises
        UserError for a sample that holds no position."""
        require_samples(samples)
        values = np.empty(len(samples))

        def value_one(start):
            self._value(values[start : start + BLOCK], samples[start : start + BLOCK])

        with ThreadPoolExecutor(whole("threads", threads, 1)) as pool:
            list(pool.map(value_one, range(0, len(samples), BLOCK)))
        return values

    def _value(self, double[::1] values, const Sample[::1] samples):
        cdef Hyperparams hyperparams = hyperparams_of(dict.fromkeys(SHAPES, 1), 0, 0)
        cdef Active* room = <Active*>malloc(2 * sizeof(Active))
        if room == NULL:
            raise OutOfMemory("no room for a position's weights")
        with nogil:
            value_block(&values[0], &samples[0], samples.shape[0], self._pairs, &hyperparams, self._weights, room)
        free(room)

    def coefficients(self, const Sample[::1] samples not None):
        """The weights of samples[0] and their coefficients in its value: (uint32[n], float32[n]). A weight may occur
        more than once. Raises UserError for no samples, and for one that holds no position."""
        require_samples(samples)
        if not samples.shape[0]:
            raise UserError("no samples, so there are no coefficients; give one")
        cdef Hyperparams hyperparams = hyperparams_of(dict.fromkeys(SHAPES, 1), 0, 0)
        cdef Active* room = <Active*>malloc(sizeof(Active))
        cdef int i
        if room == NULL:
            raise OutOfMemory("no room for a position's weights")
        collect(room, &samples[0], self._pairs, &hyperparams, self._weights)
        entries = [(room.entries[i].weight, room.entries[i].coefficient) for i in range(room.start[SETS])]
        free(room)
        numbers, coefficients = zip(*entries, strict=True)
        return np.array(numbers, np.uint32), np.array(coefficients, np.float32)


# -- Against the tables ------------------------------------------------------------------------------------------------

def table_values(const Sample[::1] samples not None, kk, kkp, kpp, int tempo):
    """The value of each sample by expanded tables (eval.tables.expansion), by plain sums: float64[n], centipawns for
    Black. Raises UserError for a sample that holds no position, and for tables unlike those that `expand` returns."""
    require_samples(samples)
    cdef const i16[:, :, ::1] of_kings = checked("kk", kk, "int16", TABLE_SHAPES["kk"])
    cdef const i16[:, :, :, ::1] of_pieces = checked("kkp", kkp, "int16", TABLE_SHAPES["kkp"])
    cdef const i16[:, ::1] of_pairs = checked("kpp", kpp, "int16", TABLE_SHAPES["kpp"])
    values = np.empty(samples.shape[0])
    cdef double[::1] out = values
    cdef Py_ssize_t n
    with nogil:
        for n in range(samples.shape[0]):
            out[n] = samples[n].material + table_sum(&samples[n], of_kings, of_pieces, of_pairs, tempo) / <double>SCALE
    return values


cdef int table_sum(const Sample* sample, const i16[:, :, ::1] kk, const i16[:, :, :, ::1] kkp, const i16[:, ::1] kpp,
                   int tempo) noexcept nogil:
    cdef int black = sample.king[BLACK]
    cdef int white = sample.king[WHITE]
    cdef int total = kk[black, white, 0]
    cdef int turn = kk[black, white, 1] + tempo
    cdef u16[LISTED] seen
    cdef int side, king, half, i, j
    for i in range(LISTED):
        if sample.features[i] != NO_FEATURE:
            total += kkp[black, white, sample.features[i], 0]
            turn += kkp[black, white, sample.features[i], 1]
    for side in range(2):
        king = inverse_square(white) if side else black
        half = 0
        for i in range(LISTED):
            seen[i] = inverse[sample.features[i]] if side else sample.features[i]
            if mirrors(king):
                seen[i] = mirror[seen[i]]
        for i in range(LISTED):
            for j in range(i):
                if sample.features[i] != NO_FEATURE and sample.features[j] != NO_FEATURE:
                    half += kpp[folded(king), triangle(seen[i], seen[j])]
        total += -half if side else half
    return total - turn if sample.turn == WHITE else total + turn
