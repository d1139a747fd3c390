"""The numbering of factored weights (see factors.pxd)."""
import math

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from engine.types cimport file_of, rank_of
from eval.features cimport HAND_FEATURES, inverse, mirror

from engine.errors import OutOfMemory

cdef enum:
    VECTOR_CLASSES = HAND_FEATURES + KIND_SIDES
    RANK_CLASSES = HAND_FEATURES + KIND_SIDES * 9
    NO_KEY = 0xFFFFFFFF

cdef (int)[PAIR_SETS] ORBITS = [PP_ORBITS, PP_VECTOR_ORBITS, PP_RANK_ORBITS]
cdef (int)[PAIR_SETS] KEYS = [TRIANGLE, VECTOR_CLASSES * VECTOR_CLASSES * VECTORS,
                              RANK_CLASSES * RANK_CLASSES * FILES_APART]

KINGS_SHAPES = {
    "kk": (KING_ORBITS,),
    "p": (FEATURES,),
    "kp": (FOLDED_KINGS, FEATURES),
    "kp_vector": (KIND_SIDES, FILES_APART, RANKS_APART),
    "kkp": (KING_ORBITS, FEATURES),
}
TURN_SHAPES = {f"{name}_turn": shape for name, shape in KINGS_SHAPES.items()}
SHAPES = {      # in the order of the sets
    "tempo": (1,),
    **KINGS_SHAPES,
    **TURN_SHAPES,
    "pp": (PP_ORBITS,),
    "pp_vector": (PP_VECTOR_ORBITS,),
    "pp_rank": (PP_RANK_ORBITS,),
    "kpp": (FOLDED_KINGS, TRIANGLE),
}
SPARSE = ("kkp", "kkp_turn", "kpp")


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
            if is_exchanged(image):
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
    for number, name in enumerate(SHAPES):
        tables.start[<int>number] = start
        start += <u32>math.prod(SHAPES[name])
    tables.start[SETS] = start

fill_tables()

WEIGHTS = tables.start[SETS]
STARTS = {name: tables.start[<int>number] for number, name in enumerate(SHAPES)}


cdef u32 kk_weight(const Kings* kings, bint for_turn) noexcept nogil:
    if for_turn:
        return kings.orbit << 1
    if kings.stabiliser >> EXCHANGED:
        return NO_WEIGHT
    return kings.orbit << 1 | is_exchanged(kings.image)


cdef inline u32 signed_first(const u32* images) noexcept nogil:
    """The least number among the four images << 1 | whether its image negates. NO_WEIGHT if both a plain and a negating
    image have that number."""
    cdef u32 plain = min(images[0], images[1])
    cdef u32 negated = min(images[2], images[3])
    if plain == negated:
        return NO_WEIGHT
    return plain << 1 if plain < negated else negated << 1 | 1


cdef u32 p_weight(int feature, bint for_turn) noexcept nogil:
    """The weight of a piece; never NO_WEIGHT, because no feature is its own inverse."""
    cdef (u32)[IMAGES] images
    cdef int image
    for image in range(IMAGES):
        images[image] = tables.image[image][feature]
    return signed_first(images) & ~<u32>for_turn


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


cdef u32 kkp_weight(const Kings* kings, int feature, bint for_turn) noexcept nogil:
    cdef int seen = tables.image[kings.image][feature]
    cdef int negated = is_exchanged(kings.image)
    cdef int best = seen
    cdef int image
    cdef bint flipped = False
    for image in range(1, IMAGES):
        if kings.stabiliser >> image & 1 and tables.image[image][seen] < best:
            best = tables.image[image][seen]
            flipped = is_exchanged(image)
    return (kings.orbit * FEATURES + best) << 1 | (negated ^ flipped) & (not for_turn)


cdef inline int square_of(int feature) noexcept nogil:
    return (feature - HAND_FEATURES) % SQUARES


cdef u32 vector_key(int one, int other) noexcept nogil:
    """A key of the two pieces' classes, their distance in files, and the ranks from the higher class to the lower."""
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
    """Number the orbits of all pairs, in the order of their first members. Returns PAIR_SETS, or the first pair set
    whose count differs from factors.pxd. `numbers` are empty maps by key."""
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
                        numbers[kind][first >> 1] << 1 | ((first & 1) ^ is_exchanged(image)))
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
            raise OutOfMemory("no room to number the pairs of features")
    if wrong < PAIR_SETS:
        with gil:
            raise AssertionError(f"pair set {wrong} has not the number of orbits that factors.pxd says")
    return 0
