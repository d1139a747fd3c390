"""Expanding factored weights (factors.pxd) into the tables KK, KKP and KPP."""
import math

from libc.string cimport memcpy

from engine.types cimport SQUARES, i16, u32
from eval.tables.factors cimport (CENTRE, FOLDED_KINGS, IMAGES, NO_WEIGHT, PAIR_SETS, TRIANGLE, Pair, fill_pairs,
                                  is_exchanged, kk_weight, kp_vector_weight, kp_weight, p_weight, tables, triangle,
                                  turned)
from eval.features cimport FEATURES, inverse, inverse_square, mirror

from engine.errors import Listed, UserError
from eval.arrays import checked, view_of, zeros
from eval.tables.factors import SHAPES, SPARSE, TURN_SHAPES

cdef enum:
    INT16_MAX = 32767

TABLE_SHAPES = {"kk": (SQUARES, SQUARES, 2), "kkp": (SQUARES, SQUARES, FEATURES, 2), "kpp": (FOLDED_KINGS, TRIANGLE)}


# -- Factors as arrays -------------------------------------------------------------------------------------------------

cdef bint ascends_below(const u32[::1] numbers, u32 end) noexcept:
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        if numbers[i] >= end or i and numbers[i] <= numbers[i - 1]:
            return False
    return True


cdef checked_sparse(str name, index, value):
    """The indices and weights of a sparse set. Raises UserError as `checked_factors` does."""
    numbers, weights = view_of(index).shape, view_of(value).shape
    if len(numbers) != 1 or numbers != weights:
        raise UserError("factor {name} has {numbers} numbers and {weights} weights, and needs as many of one as of "
                        "the other, in a row; write the file again", name=name, numbers=math.prod(numbers),
                        weights=math.prod(weights))
    index = checked(f"{name}_index", index, "uint32", (len(index),))
    value = checked(f"{name}_value", value, "int16", (len(value),))
    if not ascends_below(index, math.prod(SHAPES[name])):
        raise UserError("the numbers of factor {name} have to ascend and stay below {most}", name=name,
                        most=math.prod(SHAPES[name]))
    return {f"{name}_index": index, f"{name}_value": value}


def arrays_of(name):
    """The names of the arrays that store a set."""
    return (f"{name}_index", f"{name}_value") if name in SPARSE else (name,)


def zero_set(name):
    """The arrays of a set of zero weights."""
    if name in SPARSE:
        return {f"{name}_index": zeros("uint32", (0,)), f"{name}_value": zeros("int16", (0,))}
    return {name: zeros("int16", SHAPES[name])}


def checked_factors(factors):
    """The arrays of all sets in SHAPES, contiguous. Sets for the side to move may be missing, because older weights
    have none; they become 0. Raises UserError if another set is missing, an array has the wrong type or shape, or the
    indices of a sparse set do not ascend or lie outside."""
    absent = [name for name in TURN_SHAPES if not any(array in factors for array in arrays_of(name))]
    names = {array for name in SHAPES if name not in ("tempo", *absent) for array in arrays_of(name)}
    if set(factors) != names:
        raise UserError("factors {names} are missing, or not known", names=Listed(sorted(set(factors) ^ names)))
    found = {}
    for name in SHAPES:
        if name in absent:
            found |= zero_set(name)
        elif name in SPARSE:
            found |= checked_sparse(name, factors[f"{name}_index"], factors[f"{name}_value"])
        elif name != "tempo":
            found[name] = checked(f"factor {name}", factors[name], "int16", SHAPES[name])
    return found


# -- Sums --------------------------------------------------------------------------------------------------------------

cdef inline int signed_weight(const i16* weights, u32 weight) noexcept nogil:
    if weight == NO_WEIGHT:
        return 0
    return -weights[weight >> 1] if weight & 1 else weights[weight >> 1]


cdef inline bint fits(int value) noexcept nogil:
    return -INT16_MAX <= value <= INT16_MAX


# Entries of KK and KKP are pairs: for Black, and for the side to move.

cdef void expand_kk(i16* table, const i16* kk, bint for_turn) noexcept nogil:
    cdef int pair
    for pair in range(SQUARES * SQUARES):
        table[2 * pair + for_turn] = <i16>signed_weight(
            kk, kk_weight(&tables.kings[pair // SQUARES][pair % SQUARES], for_turn))


cdef bint expand_kkp(i16* table, int* halves, const i16* p, const i16* kp, const i16* kp_vector,
                     const u32[::1] index, const i16[::1] value, bint for_turn) noexcept nogil:
    """Expand KKP. False if a sum does not fit. `halves` has room for one KP of each side and a P."""
    cdef int* mine = halves
    cdef int* theirs = halves + SQUARES * FEATURES
    cdef int* alone = halves + 2 * SQUARES * FEATURES
    cdef int king, black, white, feature, pair, image, total
    cdef int least = 0, most = 0
    cdef u32 vector
    cdef Py_ssize_t i
    cdef i16* row
    for feature in range(FEATURES):
        alone[feature] = signed_weight(p, p_weight(feature, for_turn))
    for king in range(SQUARES):
        for feature in range(FEATURES):
            total = kp[kp_weight(king, feature)]
            vector = kp_vector_weight(king, feature)
            if vector != NO_WEIGHT:
                total += kp_vector[vector]
            mine[king * FEATURES + feature] = total
            theirs[inverse_square(king) * FEATURES + inverse[feature]] = total if for_turn else -total
    for pair in range(SQUARES * SQUARES):
        black = pair // SQUARES * FEATURES
        white = pair % SQUARES * FEATURES
        row = table + 2 * pair * FEATURES + for_turn
        for feature in range(FEATURES):
            total = mine[black + feature] + theirs[white + feature] + alone[feature]
            least = min(least, total)
            most = max(most, total)
            row[2 * feature] = <i16>total
    for i in range(index.shape[0]):
        pair = tables.first[index[i] // FEATURES]
        feature = index[i] % FEATURES
        total = (mine[pair // SQUARES * FEATURES + feature] + theirs[pair % SQUARES * FEATURES + feature]
                 + alone[feature] + value[i])
        least = min(least, total)
        most = max(most, total)
        for image in range(IMAGES):
            black = turned(pair // SQUARES, image)
            white = turned(pair % SQUARES, image)
            if is_exchanged(image):
                black, white = white, black
            row = table + 2 * (black * SQUARES + white) * FEATURES + for_turn
            row[2 * tables.image[image][feature]] = <i16>(-total if is_exchanged(image) and not for_turn else total)
    return fits(least) and fits(most)


cdef bint expand_kpp(i16* table, const Pair* pairs, const i16* pp, const i16* pp_vector, const i16* pp_rank,
                     const u32[::1] index, const i16[::1] value) noexcept nogil:
    """Expand KPP. False if a sum does not fit."""
    cdef int number, total, king, high = 0
    cdef int least = 0, most = 0
    cdef Py_ssize_t i
    cdef u32 low
    cdef i16* row
    for number in range(TRIANGLE):
        total = (signed_weight(pp, pairs[number].weight[0]) + signed_weight(pp_vector, pairs[number].weight[1])
                 + signed_weight(pp_rank, pairs[number].weight[2]))
        least = min(least, total)
        most = max(most, total)
        table[number] = <i16>total
    if not (fits(least) and fits(most)):
        return False
    for king in range(1, FOLDED_KINGS):
        memcpy(table + <Py_ssize_t>king * TRIANGLE, table, TRIANGLE * sizeof(i16))
    for i in range(index.shape[0]):
        king = index[i] // TRIANGLE
        number = index[i] % TRIANGLE
        row = table + <Py_ssize_t>king * TRIANGLE
        total = row[number] + value[i]
        least = min(least, total)
        most = max(most, total)
        row[number] = <i16>total
        if king >= CENTRE:
            if triangle(high, 0) > <u32>number:
                high = 0
            while triangle(high + 1, 0) <= <u32>number:
                high += 1
            low = number - triangle(high, 0)
            row[triangle(mirror[high], mirror[low])] = <i16>total
    return fits(least) and fits(most)


def expand(factors):
    """Sum up factors exactly, to the tables (kk, kkp, kpp), int16 in 1/32 centipawn:

    kk  [81, 81, 2]        Black's king, White's king: for Black, and for the side to move
    kkp [81, 81, 1548, 2]  likewise with a feature, in Black's view
    kpp [45, 1198926]      a king on files 1 to 5 and a pair of features, by `triangle`, in the king's side's view

    Raises UserError as `checked_factors` does, and if a sum does not fit int16."""
    arrays = checked_factors(factors)
    expanded = tuple(zeros("int16", shape) for shape in TABLE_SHAPES.values())
    cdef i16[:, :, ::1] kk = expanded[0]
    cdef i16[:, :, :, ::1] kkp = expanded[1]
    cdef i16[:, ::1] kpp = expanded[2]
    cdef u32[::1] pairs = zeros("uint32", (TRIANGLE * PAIR_SETS,))
    cdef const i16[::1] pp = arrays["pp"]
    cdef const i16[::1] pp_vector = arrays["pp_vector"]
    cdef const i16[::1] pp_rank = arrays["pp_rank"]
    cdef const u32[::1] kpp_index = arrays["kpp_index"]
    cdef const i16[::1] kpp_value = arrays["kpp_value"]
    cdef bint kpp_fits
    for for_turn, suffix in enumerate(("", "_turn")):
        if not expand_kings(kk, kkp, arrays, suffix, for_turn):
            raise UserError("an entry of {name} does not fit int16: a weight is too large", name=f"kkp{suffix}")
    with nogil:
        fill_pairs(<Pair*>&pairs[0])
        kpp_fits = expand_kpp(&kpp[0, 0], <Pair*>&pairs[0], &pp[0], &pp_vector[0], &pp_rank[0], kpp_index, kpp_value)
    if not kpp_fits:
        raise UserError("an entry of {name} does not fit int16: a weight is too large", name="kpp")
    return expanded


cdef bint expand_kings(i16[:, :, ::1] kk, i16[:, :, :, ::1] kkp, dict arrays, str suffix, bint for_turn) except -1:
    """Expand KK and KKP, for Black or for the side to move, from the sets whose names end in `suffix`. False if a sum
    does not fit."""
    cdef int[::1] halves = zeros("int32", ((2 * SQUARES + 1) * FEATURES,))
    cdef const i16[::1] kk_weights = arrays[f"kk{suffix}"]
    cdef const i16[::1] p = arrays[f"p{suffix}"]
    cdef const i16[:, ::1] kp = arrays[f"kp{suffix}"]
    cdef const i16[:, :, ::1] kp_vector = arrays[f"kp_vector{suffix}"]
    cdef const u32[::1] index = arrays[f"kkp{suffix}_index"]
    cdef const i16[::1] value = arrays[f"kkp{suffix}_value"]
    with nogil:
        expand_kk(&kk[0, 0, 0], &kk_weights[0], for_turn)
        return expand_kkp(&kkp[0, 0, 0, 0], &halves[0], &p[0], &kp[0, 0], &kp_vector[0, 0, 0], index, value, for_turn)
