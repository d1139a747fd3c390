"""The common network file, which shogi engines share under the name nn.bin.

Numbers are little-endian. The file is

    version u32 | hash u32 | length of the name u32 | name, ASCII, which describes the architecture
    hash of the first layer u32 | biases i16[256] | weights i16[inputs][256]
    hash of what follows u32    | biases i32[32]  | weights i8[32][512]     second layer
                                | biases i32[32]  | weights i8[32][32]      third layer
                                | bias i32[1]     | weights i8[32]          output

The first hash is the exclusive or of the two others. The weights of the first layer lie by input, others by output.
"""
import math
import re
import struct
import sys
from array import array
from typing import Final

from engine.errors import Listed, UserError
from eval.arrays import FORMATS, flat, zeros
from eval.network.inference import SHAPES, largest_sum

MOST_NAME: Final = 1 << 12          # bytes of a name; known ones have 200
HEAD: Final = 12 + MOST_NAME        # bytes of a file that say how long it is
KP: Final = "K-P 256x2-32-32"       # the architectures that play
QUOTED: Final = 200                 # characters of a name that an error shows
WRAPS: Final = 1 << 15              # sums of the first layer have to stay below

_MAGIC: Final = struct.pack("<I", 0x7AF32F16)
_HEADER: Final = struct.Struct("<4sII")
_NAME: Final = re.compile(r"Features=([^\[]*)\[(\d+)->256x2\],Network=(.*)", re.DOTALL)
_LAYER: Final = re.compile(r"AffineTransform\[(\d+<-\d+)\]")
_LAYERS: Final = ["1<-32", "32<-32", "32<-512"]
_FEATURES: Final = {("K+P", "1710"): KP}
_HASH = ""
# What follows the name: hashes, and arrays in the types of the file.
_PARTS: Final = ((_HASH, "uint32"), ("first_bias", "int16"), ("first", "int16"),
                 (_HASH, "uint32"), ("second_bias", "int32"), ("second", "int8"),
                 ("third_bias", "int32"), ("third", "int8"), ("output_bias", "int32"), ("output", "int8"))
_TURNED: Final = ("second", "third")        # by output there, by input here


def is_nnbin(head: bytes | memoryview) -> bool:
    """Whether a file that begins so is one."""
    return bytes(head[:len(_MAGIC)]) == _MAGIC


def architecture(head: bytes | memoryview) -> str:
    """The architecture, such as KP, from a file's first HEAD bytes. Raises UserError for one that does not play."""
    name = _name(head)
    found = _NAME.match(name)
    features = found and _FEATURES.get((found[1], found[2]))
    if not features or _LAYER.findall(name) != _LAYERS:
        raise UserError("a network of the architecture {name}, which does not play here; give one of {known}",
                        name=repr(name if len(name) <= QUOTED else f"{name[:QUOTED]}…"),
                        known=Listed(_FEATURES.values(), " or "))
    return features


def require_size(head: bytes | memoryview, size: int) -> None:
    """Raise UserError unless a file with these first HEAD bytes plays, and has its right size in bytes."""
    architecture(head)
    expected = _HEADER.size + len(_name(head)) + sum(_size(name, kind) for name, kind in _PARTS)
    if size < expected:
        raise UserError("cut short: {size} bytes, and a network of this architecture has {expected}; copy it again",
                        size=size, expected=expected)
    if size > expected:
        raise UserError("too long: {size} bytes, and a network of this architecture has {expected}; copy it again",
                        size=size, expected=expected)


def parse_nnbin(data: bytes | memoryview) -> dict[str, memoryview]:
    """The arrays of a network, of SHAPES and for the form COMMON. Raises UserError if the file is damaged or does not
    play."""
    data = memoryview(data)
    require_size(data[:HEAD], len(data))
    start = _HEADER.size + len(_name(data))
    arrays = {}
    for name, kind in _PARTS:
        end = start + _size(name, kind)
        if name:
            arrays[name] = _array(name, kind, data[start:end])
        start = end
    row = SHAPES["first"][1][1]
    flat(arrays["first"])[:row] = zeros("int16", (row,))        # no piece: no engine adds it
    largest = largest_sum(arrays)
    if largest >= WRAPS:
        raise UserError("damaged: sums of the first layer reach {largest}, and 16 bits hold less than {wraps}; copy "
                        "it again", largest=largest, wraps=WRAPS)
    return arrays


def _name(head: bytes | memoryview) -> str:
    """The name in the header. Raises UserError if the header is cut short or no name is so long."""
    if len(head) < _HEADER.size:
        raise UserError("cut short: {size} bytes, and the header alone has {least}; copy it again", size=len(head),
                        least=_HEADER.size)
    _, _, size = _HEADER.unpack_from(head)
    if size > MOST_NAME:
        raise UserError("damaged: the name of its architecture has {size} bytes, and {most} are the most; copy it "
                        "again", size=size, most=MOST_NAME)
    name = bytes(head[_HEADER.size:_HEADER.size + size])
    if len(name) < size:
        raise UserError("cut short: {size} bytes, and the header alone has {least}; copy it again", size=len(head),
                        least=_HEADER.size + size)
    return name.decode("ascii", "replace")


def _shape(name: str) -> tuple[int, ...]:
    """The shape of an array in the file; of a hash, one number."""
    if name == _HASH:
        return (1,)
    shape = SHAPES[name][1]
    return shape[::-1] if name in _TURNED else shape


def _size(name: str, kind: str) -> int:
    return math.prod(_shape(name)) * struct.calcsize(FORMATS[kind])


def _array(name: str, kind: str, data: memoryview) -> memoryview:
    """An array as SHAPES has it, from the bytes of the file."""
    dtype, shape = SHAPES[name]
    numbers = array(FORMATS[kind])
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    found = zeros(dtype, shape)
    values = flat(found)
    if name in _TURNED:
        outputs = shape[1]
        for output in range(outputs):
            values[output::outputs] = array(FORMATS[dtype], numbers[output * shape[0]:(output + 1) * shape[0]])
    else:
        values[:] = array(FORMATS[dtype], numbers)
    return found
