"""Factored weights (see factors.pxd): their numbering, and the tables that they add up to."""
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from engine.types cimport file_of, rank_of
from eval.features cimport HAND_FEATURES, inverse, inverse_square, mirror

cdef enum:
    VECTOR_CLASSES = HAND_FEATURES + KIND_SIDES
    RANK_CLASSES = HAND_FEATURES + KIND_SIDES * 9
    NO_KEY = 0xFFFFFFFF
    INT16_MAX = 32767

cdef (int)[PAIR_SETS] ORBITS = [PP_ORBITS, PP_VECTOR_ORBITS, PP_RANK_ORBITS]
cdef (int)[PAIR_SETS] KEYS = [TRIANGLE, VECTOR_CLASSES * VECTOR_CLASSES * VECTORS,
                              RANK_CLASSES * RANK_CLASSES * FILES_APART]

SETS_BY_NAME = {"tempo": TEMPO, "kk": KK, "p": P, "kp": KP, "kp_vector": KP_VECTOR, "kkp": KKP, "pp": PP,
                "pp_vector": PP_VECTOR, "pp_rank": PP_RANK, "kpp": KPP}
SHAPES = {
    "tempo": (1,),
    "kk": (KING_ORBITS,),
    "p": (FEATURES,),
    "kp": (FOLDED_KINGS, FEATURES),
    "kp_vector": (KIND_SIDES, FILES_APART, RANKS_APART),
    "kkp": (KING_ORBITS, FEATURES),
    "pp": (PP_ORBITS,),
    "pp_vector": (PP_VECTOR_ORBITS,),
    "pp_rank": (PP_RANK_ORBITS,),
    "kpp": (FOLDED_KINGS, TRIANGLE),
}
SPARSE = ("kkp", "kpp")


# -- Numbering ---------------------------------------------------------------------------------------------------------

cdef inline int turned(int king, int image) noexcept nogil:
    """Where a king is seen in an image."""
    if is_negated(image):
        king = inverse_square(king)
    return mirror_square(king) if image & 1 else king


cdef void fill_tables() noexcept:
    cdef int black, white, image, pair, first, orbits = 0
    cdef (int)[IMAGES] images
    cdef u32 start = 0
    for feature in range(FEATURES):
        tables.image[0][feature] = feature
        tables.image[1][feature] = mirror[feature]
        tables.image[2][feature] = inverse[feature]
        tables.image[3][feature] = mirror[inverse[feature]]
    for pair in range(SQUARES * SQUARES):
        black, white = pair // SQUARES, pair % SQUARES
        kings = &tables.kings[black][white]
        kings.image = kings.stabiliser = 0
        first = pair
        for image in range(IMAGES):
            if is_negated(image):
                images[image] = turned(white, image) * SQUARES + turned(black, image)
            else:
                images[image] = turned(black, image) * SQUARES + turned(white, image)
            if images[image] == pair:
                kings.stabiliser |= 1 << image
            if images[image] < first:
                first = images[image]
                kings.image = image
        if first == pair:
            kings.orbit = orbits
            tables.first[orbits] = pair
            orbits += 1
        else:
            kings.orbit = tables.kings[first // SQUARES][first % SQUARES].orbit
    for name in SHAPES:
        tables.start[<int>SETS_BY_NAME[name]] = start
        start += <u32>np.prod(SHAPES[name])
    tables.start[SETS] = start

fill_tables()

WEIGHTS = tables.start[SETS]
STARTS = {name: tables.start[<int>SETS_BY_NAME[name]] for name in SHAPES}


cdef u32 kk_weight(const Kings* kings) noexcept nogil:
    if kings.stabiliser >> EXCHANGED:
        return NO_WEIGHT
    return kings.orbit << 1 | is_negated(kings.image)


cdef inline u32 signed_first(const u32* images) noexcept nogil:
    """The least of the four images' numbers << 1 | whether it is a negated one's; NO_WEIGHT if it is both."""
    cdef u32 plain = min(images[0], images[1])
    cdef u32 negated = min(images[2], images[3])
    if plain == negated:
        return NO_WEIGHT
    return plain << 1 if plain < negated else negated << 1 | 1


cdef u32 p_weight(int feature) noexcept nogil:
    cdef (u32)[IMAGES] images
    cdef int image
    for image in range(IMAGES):
        images[image] = tables.image[image][feature]
    return signed_first(images)


cdef u32 kp_weight(int king, int feature) noexcept nogil:
    cdef int seen = tables.image[mirrors(king)][feature]
    king = folded(king)
    if king >= CENTRE:
        seen = min(seen, mirror[seen])
    return king * FEATURES + seen


cdef u32 kp_vector_weight(int king, int feature) noexcept nogil:
    cdef int square = (feature - HAND_FEATURES) % SQUARES
    if feature < HAND_FEATURES:
        return NO_WEIGHT
    return ((feature - HAND_FEATURES) // SQUARES * VECTORS + abs(file_of(square) - file_of(king)) * RANKS_APART
            + rank_of(square) - rank_of(king) + 8)


cdef u32 kkp_weight(const Kings* kings, int feature) noexcept nogil:
    cdef int seen = tables.image[kings.image][feature]
    cdef int negated = is_negated(kings.image)
    cdef int best = seen
    cdef int image
    cdef bint flipped = False
    for image in range(1, IMAGES):
        if kings.stabiliser >> image & 1 and tables.image[image][seen] < best:
            best = tables.image[image][seen]
            flipped = is_negated(image)
    return (kings.orbit * FEATURES + best) << 1 | (negated ^ flipped)


cdef u32 kpp_weight(int king, int one, int other) noexcept nogil:
    cdef u32 number
    if mirrors(king):
        one = mirror[one]
        other = mirror[other]
        king = mirror_square(king)
    number = triangle(one, other)
    if king >= CENTRE:
        number = min(number, triangle(mirror[one], mirror[other]))
    return king * TRIANGLE + number


cdef inline int square_of(int feature) noexcept nogil:
    return (feature - HAND_FEATURES) % SQUARES


cdef u32 vector_key(int one, int other) noexcept nogil:
    """By the classes, the files apart, and the ranks from the one of the higher class to the other."""
    cdef int high = one if one < HAND_FEATURES else HAND_FEATURES + (one - HAND_FEATURES) // SQUARES
    cdef int low = other if other < HAND_FEATURES else HAND_FEATURES + (other - HAND_FEATURES) // SQUARES
    cdef int files = 0, ranks = 0
    if one < HAND_FEATURES and other < HAND_FEATURES:
        return NO_KEY
    if one >= HAND_FEATURES and other >= HAND_FEATURES:
        files = abs(file_of(square_of(one)) - file_of(square_of(other)))
        ranks = rank_of(square_of(other)) - rank_of(square_of(one))
        if high == low:
            ranks = abs(ranks)
    if high < low:
        high, low, ranks = low, high, -ranks
    return (high * VECTOR_CLASSES + low) * VECTORS + files * RANKS_APART + ranks + 8


cdef inline int rank_class(int feature) noexcept nogil:
    if feature < HAND_FEATURES:
        return feature
    return HAND_FEATURES + (feature - HAND_FEATURES) // SQUARES * 9 + rank_of(square_of(feature))


cdef u32 rank_key(int one, int other) noexcept nogil:
    cdef int high = rank_class(one)
    cdef int low = rank_class(other)
    cdef int files = 0
    if one < HAND_FEATURES and other < HAND_FEATURES:
        return NO_KEY
    if one >= HAND_FEATURES and other >= HAND_FEATURES:
        files = abs(file_of(square_of(one)) - file_of(square_of(other)))
    if high < low:
        high, low = low, high
    return (high * RANK_CLASSES + low) * FILES_APART + files


cdef int number_pairs(Pair* pairs, u32** numbers) noexcept nogil:
    """Number the orbits of all pairs, in the order of their first ones; the pair set whose count is not the one that
    factors.pxd says, or PAIR_SETS. `numbers` are maps by key, empty."""
    cdef int high, low, image, one, other, kind
    cdef (u32)[IMAGES] number
    cdef (u32)[PAIR_SETS][IMAGES] keys
    cdef (u32)[PAIR_SETS] count
    cdef u32 first
    memset(count, 0, sizeof(count))
    for high in range(FEATURES):
        for low in range(high):
            for image in range(IMAGES):
                number[image] = triangle(tables.image[image][high], tables.image[image][low])
            if number[1] < number[0] or number[2] < number[0] or number[3] < number[0]:
                continue
            for image in range(IMAGES):
                one = tables.image[image][high]
                other = tables.image[image][low]
                keys[0][image] = number[image]
                keys[1][image] = vector_key(one, other)
                keys[2][image] = rank_key(one, other)
            for kind in range(PAIR_SETS):
                first = signed_first(keys[kind])
                if first == NO_WEIGHT:
                    continue
                if numbers[kind][first >> 1] == NO_KEY:
                    numbers[kind][first >> 1] = count[kind]
                    count[kind] += 1
                for image in range(IMAGES):
                    pairs[number[image]].weight[kind] = (
                        numbers[kind][first >> 1] << 1 | ((first & 1) ^ is_negated(image)))
    for kind in range(PAIR_SETS):
        if count[kind] != <u32>ORBITS[kind]:
            return kind
    return PAIR_SETS


cdef int fill_pairs(Pair* pairs) except -1 nogil:
    cdef (u32*)[PAIR_SETS] numbers
    cdef bint room = True
    cdef int kind, wrong = PAIR_SETS
    memset(pairs, 0xFF, TRIANGLE * sizeof(Pair))
    for kind in range(PAIR_SETS):
        numbers[kind] = <u32*>malloc(KEYS[kind] * sizeof(u32))
        room = room and numbers[kind] != NULL
    if room:
        for kind in range(PAIR_SETS):
            memset(numbers[kind], 0xFF, KEYS[kind] * sizeof(u32))
        wrong = number_pairs(pairs, numbers)
    for kind in range(PAIR_SETS):
        free(numbers[kind])
    if not room:
        with gil:
            raise MemoryError("no room to number the pairs of features")
    if wrong < PAIR_SETS:
        with gil:
            raise AssertionError(f"pair set {wrong} has not the number of orbits that factors.pxd says")
    return 0


# -- Collapsing --------------------------------------------------------------------------------------------------------

cdef inline int signed_weight(const i16* weights, u32 weight) noexcept nogil:
    if weight == NO_WEIGHT:
        return 0
    return -weights[weight >> 1] if weight & 1 else weights[weight >> 1]


cdef inline bint fits(int value) noexcept nogil:
    return -INT16_MAX <= value <= INT16_MAX


cdef int expand_kk(i16* table, const i16* kk) noexcept nogil:
    cdef int pair
    for pair in range(SQUARES * SQUARES):
        table[pair] = signed_weight(kk, kk_weight(&tables.kings[pair // SQUARES][pair % SQUARES]))
    return 0


cdef bint expand_kkp(i16* table, int* halves, const i16* p, const i16* kp, const i16* kp_vector, const u32* index,
                     const i16* value, Py_ssize_t count) noexcept nogil:
    """Whether every sum fits. `halves` has room for one KP of each side and a P."""
    cdef int* mine = halves
    cdef int* theirs = halves + SQUARES * FEATURES
    cdef int* alone = halves + 2 * SQUARES * FEATURES
    cdef int king, black, white, feature, pair, image, total
    cdef int least = 0, most = 0
    cdef u32 vector
    cdef Py_ssize_t i
    cdef i16* row
    for feature in range(FEATURES):
        alone[feature] = signed_weight(p, p_weight(feature))
    for king in range(SQUARES):
        for feature in range(FEATURES):
            total = kp[kp_weight(king, feature)]
            vector = kp_vector_weight(king, feature)
            if vector != NO_WEIGHT:
                total += kp_vector[vector]
            mine[king * FEATURES + feature] = total
            theirs[inverse_square(king) * FEATURES + inverse[feature]] = total
    for pair in range(SQUARES * SQUARES):
        black = pair // SQUARES * FEATURES
        white = pair % SQUARES * FEATURES
        row = table + pair * FEATURES
        for feature in range(FEATURES):
            total = mine[black + feature] - theirs[white + feature] + alone[feature]
            least = min(least, total)
            most = max(most, total)
            row[feature] = <i16>total
    for i in range(count):
        pair = tables.first[index[i] // FEATURES]
        feature = index[i] % FEATURES
        total = (mine[pair // SQUARES * FEATURES + feature] - theirs[pair % SQUARES * FEATURES + feature]
                 + alone[feature] + value[i])
        least = min(least, total)
        most = max(most, total)
        for image in range(IMAGES):
            black = turned(pair // SQUARES, image)
            white = turned(pair % SQUARES, image)
            if is_negated(image):
                black, white = white, black
            row = table + (black * SQUARES + white) * FEATURES
            row[tables.image[image][feature]] = <i16>(-total if is_negated(image) else total)
    return fits(least) and fits(most)


cdef bint expand_kpp(i16* table, const Pair* pairs, const i16* pp, const i16* pp_vector, const i16* pp_rank,
                     const u32* index, const i16* value, Py_ssize_t count) noexcept nogil:
    """Whether every sum fits."""
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
    for i in range(count):
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


def check_factors(factors):
    """ValueError, saying what is wrong, unless `factors` has every array of SHAPES, with its dtype and shape, and the
    numbers of the sparse ones ascend and lie within."""
    names = {name for name in SHAPES if name not in SPARSE} - {"tempo"}
    names |= {f"{name}_{part}" for name in SPARSE for part in ("index", "value")}
    if set(factors) != names:
        raise ValueError(f"factors {sorted(set(factors) ^ names)} are missing, or not known")
    for name, shape in SHAPES.items():
        if name == "tempo":
            continue
        if name not in SPARSE:
            if factors[name].dtype != np.int16 or factors[name].shape != shape:
                raise ValueError(f"factor {name} is {factors[name].dtype}{factors[name].shape}: needed is int16{shape}")
            continue
        index, value = factors[f"{name}_index"], factors[f"{name}_value"]
        if index.dtype != np.uint32 or value.dtype != np.int16 or index.ndim != 1 or index.shape != value.shape:
            raise ValueError(f"factor {name} is {index.dtype}{index.shape} and {value.dtype}{value.shape}: needed are "
                             "uint32 and int16, of one dimension and as many")
        if len(index) and (index.max() >= np.prod(shape) or (np.diff(index.astype(np.int64)) <= 0).any()):
            raise ValueError(f"the numbers of factor {name} have to ascend and stay below {np.prod(shape)}")


def expand(factors):
    """The tables that these factors add up to, exactly, as (kk, kkp, kpp), all int16 in 1/32 centipawn:

    kk  [81, 81]           Black's king, White's king
    kkp [81, 81, 1548]     and a feature, as Black sees them
    kpp [45, 1198926]      a king on files 1 to 5 and a pair of features, by `triangle`, as the king's side sees them

    ValueError if `factors` is not what `check` asks for, or a sum does not fit int16."""
    check_factors(factors)
    arrays = {name: np.ascontiguousarray(array) for name, array in factors.items()}
    kk = np.empty((SQUARES, SQUARES), np.int16)
    kkp = np.empty((SQUARES, SQUARES, FEATURES), np.int16)
    kpp = np.empty((FOLDED_KINGS, TRIANGLE), np.int16)
    halves = np.empty((2 * SQUARES + 1) * FEATURES, np.int32)
    pairs = np.empty(TRIANGLE * PAIR_SETS, np.uint32)
    cdef i16[:, ::1] kk_table = kk
    cdef i16[:, :, ::1] kkp_table = kkp
    cdef i16[:, ::1] kpp_table = kpp
    cdef int[::1] room = halves
    cdef u32[::1] numbers = pairs
    cdef const i16[::1] kk_weights = arrays["kk"]
    cdef const i16[::1] p = arrays["p"]
    cdef const i16[:, ::1] kp = arrays["kp"]
    cdef const i16[:, :, ::1] kp_vector = arrays["kp_vector"]
    cdef const i16[::1] pp = arrays["pp"]
    cdef const i16[::1] pp_vector = arrays["pp_vector"]
    cdef const i16[::1] pp_rank = arrays["pp_rank"]
    # A memory view of nothing has no address.
    cdef const u32[::1] kkp_index = np.append(arrays["kkp_index"], np.uint32(0))
    cdef const i16[::1] kkp_value = np.append(arrays["kkp_value"], np.int16(0))
    cdef const u32[::1] kpp_index = np.append(arrays["kpp_index"], np.uint32(0))
    cdef const i16[::1] kpp_value = np.append(arrays["kpp_value"], np.int16(0))
    cdef bint kkp_fits, kpp_fits
    with nogil:
        expand_kk(&kk_table[0, 0], &kk_weights[0])
        kkp_fits = expand_kkp(&kkp_table[0, 0, 0], &room[0], &p[0], &kp[0, 0], &kp_vector[0, 0, 0], &kkp_index[0],
                              &kkp_value[0], kkp_index.shape[0] - 1)
        fill_pairs(<Pair*>&numbers[0])
        kpp_fits = expand_kpp(&kpp_table[0, 0], <Pair*>&numbers[0], &pp[0], &pp_vector[0], &pp_rank[0],
                              &kpp_index[0], &kpp_value[0], kpp_index.shape[0] - 1)
    if not (kkp_fits and kpp_fits):
        raise ValueError(f"an entry of {'kpp' if kkp_fits else 'kkp'} does not fit int16: a weight is too large")
    return kk, kkp, kpp


# -- From weights to factors and back ----------------------------------------------------------------------------------

def part(weights, name):
    """The set `name` of a flat array of all WEIGHTS, as a view."""
    return weights[STARTS[name] : STARTS[name] + np.prod(SHAPES[name])]


def quantise(weights, double threshold=1):
    """(factors, tempo) from a flat array of all WEIGHTS in centipawns; both in SCALE units to a centipawn, rounded.

    Of the sparse sets those are kept that are at least `threshold` units, after rounding. ValueError if a weight does
    not fit int16."""
    factors = {}
    for name, shape in SHAPES.items():
        values = part(weights, name)
        if name in SPARSE:
            index = np.flatnonzero(np.abs(values) >= (threshold - 0.5) / SCALE)
            values = values[index]
        units = np.rint(values * np.float32(SCALE))
        largest = float(np.abs(units).max(initial=0))
        if not largest <= INT16_MAX:
            raise ValueError(f"a weight of {name} does not fit int16: {largest / SCALE} centipawns")
        units = units.astype(np.int16)
        if name == "tempo":
            tempo = int(units[0])
        elif name in SPARSE:
            factors[f"{name}_index"] = index.astype(np.uint32)
            factors[f"{name}_value"] = units
        else:
            factors[name] = units.reshape(shape)
    return factors, tempo


def dense(factors, int tempo):
    """The flat array of all WEIGHTS, float32 in centipawns, that quantises to these factors. ValueError as `check`."""
    check_factors(factors)
    weights = np.zeros(WEIGHTS, np.float32)
    for name in SHAPES:
        values = part(weights, name)
        if name == "tempo":
            values[0] = tempo
        elif name in SPARSE:
            values[factors[f"{name}_index"]] = factors[f"{name}_value"]
        else:
            values[:] = factors[name].ravel()
        values /= np.float32(SCALE)
    return weights
