"""Signed LEB128, the packing that nn.bin files may use for the first layer. Each byte has seven bits of a number, the
lowest first; its eighth bit says that more bytes follow. The highest of a number's bits is its sign."""
from engine.types cimport i16, i32, u8

from engine.errors import UserError


def unpack(const u8[::1] packed not None, i16[::1] numbers not None):
    """Fill an array. Raises UserError if the packed numbers are more or fewer, or one does not fit."""
    cdef Py_ssize_t i, at = 0, size = packed.shape[0]
    cdef i32 value
    cdef int shift
    cdef u8 byte
    for i in range(numbers.shape[0]):
        value = shift = 0
        byte = 0x80
        while byte & 0x80 and shift < 21 and at < size:
            byte = packed[at]
            value |= (byte & 0x7f) << shift
            shift += 7
            at += 1
        if byte & 0x40:
            value -= 1 << shift
        if byte & 0x80 or not -0x8000 <= value < 0x8000:
            raise UserError("damaged: packed number {number} of {count} is cut off or has more than 16 bits; copy it "
                            "again", number=i + 1, count=numbers.shape[0])
        numbers[i] = <i16>value
    if at < size:
        raise UserError("damaged: {size} bytes hold {count} packed numbers, and {rest} are left; copy it again",
                        size=size, count=numbers.shape[0], rest=size - at)
