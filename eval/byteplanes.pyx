"""Numbers as byte planes, the packed form of weights files (eval/files.py): coded to be small, then split by byte."""
from engine.types cimport u8, u16, u32, u64

from engine.errors import Listed, UserError
from eval.arrays import dtype_of

ctypedef fused Digits:      # for signed and unsigned numbers
    u8
    u16
    u32
    u64

CODINGS = ("plain", "zigzag", "delta")
UNSIGNED = {1: "B", 2: "H", 4: "I", 8: "Q"}     # formats, by bytes


cdef str encode(Digits[::1] values, bint signed):
    """Code an array in place; returns the coding, one of CODINGS."""
    cdef Py_ssize_t i
    cdef bint ascending = values.shape[0] > 0
    if signed:
        for i in range(values.shape[0]):
            values[i] = <Digits>(values[i] << 1) ^ <Digits>(0 - (values[i] >> (8 * sizeof(Digits) - 1)))
        return "zigzag"
    for i in range(1, values.shape[0]):
        ascending = ascending and values[i - 1] <= values[i]
    if not ascending:
        return "plain"
    for i in range(values.shape[0] - 1, 0, -1):
        values[i] -= values[i - 1]
    return "delta"


cdef decode(Digits[::1] values, str coding):
    cdef Py_ssize_t i
    if coding == "zigzag":
        for i in range(values.shape[0]):
            # In two's complement, 0 - 1 has every bit set.
            values[i] = (values[i] >> 1) ^ <Digits>(0 - (values[i] & 1))
    elif coding == "delta":
        for i in range(1, values.shape[0]):
            values[i] += values[i - 1]


cdef list planes_of(Digits[::1] values):
    cdef Py_ssize_t i
    cdef size_t k
    cdef u8[::1] plane
    planes = [bytearray(values.shape[0]) for _ in range(sizeof(Digits))]
    for k in range(sizeof(Digits)):
        plane = planes[k]
        for i in range(values.shape[0]):
            plane[i] = <u8>(values[i] >> 8 * k)
    return planes


cdef tuple split_digits(Digits[::1] values, bint signed):
    coding = encode(values, signed)
    return coding, planes_of(values)


cdef join_digits(Digits[::1] values, str coding, list planes):
    cdef Py_ssize_t i
    cdef int k
    cdef const u8[::1] plane
    for k, digits in enumerate(planes):
        if digits is None:
            continue
        plane = digits
        for i in range(values.shape[0]):
            values[i] |= <Digits>(<u64>plane[i] << 8 * k)
    decode(values, coding)


def split(values):
    """Code a one-dimensional array. Returns its coding, one of CODINGS, and its planes; plane k holds byte k of every
    number."""
    digits = memoryview(bytearray(values)).cast(UNSIGNED[values.itemsize])
    signed = dtype_of(values).startswith("int")
    # Dispatched here, because Cython's own dispatch of fused types would import NumPy.
    if values.itemsize == 1:
        return split_digits[u8](digits, signed)
    if values.itemsize == 2:
        return split_digits[u16](digits, signed)
    if values.itemsize == 4:
        return split_digits[u32](digits, signed)
    return split_digits[u64](digits, signed)


def join(values, str coding, list planes):
    """Fill a one-dimensional array of zeros from its planes; None stands for a plane of zeros.

    Raises UserError for an unknown coding."""
    if coding not in CODINGS:
        raise UserError("its coding is {coding!r}, and this engine knows {codings}; use the engine that it was "
                        "written for", coding=coding, codings=Listed(CODINGS))
    digits = values.cast("B").cast(UNSIGNED[values.itemsize])
    if values.itemsize == 1:
        join_digits[u8](digits, coding, planes)
    elif values.itemsize == 2:
        join_digits[u16](digits, coding, planes)
    elif values.itemsize == 4:
        join_digits[u32](digits, coding, planes)
    else:
        join_digits[u64](digits, coding, planes)
