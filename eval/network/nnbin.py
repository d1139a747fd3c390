"""The common network file, which shogi engines share under the name nn.bin.

Numbers are little-endian. The file is

    version u32 | hash u32 | length of the name u32 | name, ASCII, which describes the architecture
    hash of the first layer u32 | biases i16[256] | weights i16[inputs][256]
    hash of what follows u32    | biases i32[32]  | weights i8[32][512]     second layer
                                | biases i32[32]  | weights i8[32][32]      third layer
                                | bias i32[1]     | weights i8[32]          output

The first hash is the exclusive or of the two others. The weights of the first layer are ordered by input, those of the
other layers by output. The arrays of the first layer may be packed, each as PACKED, the size of what follows in bytes
u32, and signed LEB128.

Programs disagree about hashes and names. Hashes are not checked, and where the name describes no architecture, the size
of the file decides.
"""
import math
import os
import re
import struct
import sys
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engine.errors import Listed, UserError
from engine.system.parts import replacing
from eval.arrays import FORMATS, Array, flat, zeros
from eval.network.forms import COMMON, HALF_KP, Form
from eval.network.inference import checked_layers, largest_sum, rows_of_no_piece, shapes_of
from eval.network.leb128 import unpack

KP: Final = "K-P 256x2-32-32"       # the architectures that play
HALFKP: Final = "HalfKP 256x2-32-32"
FORMS: Final[Mapping[str, Form]] = {KP: COMMON, HALFKP: HALF_KP}
PACKED: Final = b"COMPRESSED_LEB128"
MOST_NAME: Final = 1 << 12          # bytes of a name; known ones have 200
HEAD: Final = 12 + MOST_NAME + 4 + len(PACKED)      # bytes of a file that say what it is
QUOTED: Final = 200                 # characters of a name that an error shows
WRAPS: Final = 1 << 15              # sums of the first layer have to stay below

_MAGIC: Final = struct.pack("<I", 0x7AF32F16)
_HEADER: Final = struct.Struct("<4sII")
_NUMBER: Final = struct.Struct("<I")
_KP_NAME: Final = ("Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32]("
                   "ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))")
_FIRST_HASH: Final = 0x3F5715FF     # of K-P 256x2
_LATER_HASH: Final = 0x63337156     # of 32-32
_NAME: Final = re.compile(r"Features=([^\[]*)\[(\d+)->(\d+)x2\],Network=")
_LAYER: Final = re.compile(r"AffineTransform\[(\d+<-\d+)\]")
_LAYERS: Final = ["1<-32", "32<-32", "32<-512"]
_FEATURES: Final = {("K+P", "1710", "256"): KP, ("HalfKP(Friend)", "125388", "256"): HALFKP}
# The arrays behind each hash, in the types of the file.
_FIRST: Final = {"first_bias": "int16", "first": "int16"}
_LATER: Final = {"second_bias": "int32", "second": "int8", "third_bias": "int32", "third": "int8",
                 "output_bias": "int32", "output": "int8"}
_TURNED: Final = ("second", "third")        # ordered by output in the file, by input here


def is_nnbin(head: bytes | memoryview) -> bool:
    """Whether a file with this beginning is an nn.bin."""
    return bytes(head[:len(_MAGIC)]) == _MAGIC


def architecture(head: bytes | memoryview, size: int) -> str:
    """The architecture, one of FORMS, of a file of `size` bytes with these first HEAD bytes. Raises UserError if it
    does not play or is cut short or too long."""
    name = _name(head)
    start = _HEADER.size + len(name) + _NUMBER.size
    sizes = {known: start + _size(_FIRST, form) + _NUMBER.size + _size(_LATER, form) for known, form in FORMS.items()}
    described = _NAME.match(name)
    if described:
        found = _FEATURES.get((described[1], described[2], described[3])) if _LAYER.findall(name) == _LAYERS else None
    else:
        found = next((known for known, expected in sizes.items() if expected == size), None)
    if not found:
        raise UserError("a network of the architecture {name}, which does not play here; give one of {known}",
                        name=repr(name if len(name) <= QUOTED else f"{name[:QUOTED]}…"), known=Listed(FORMS, " or "))
    if not _is_packed(head[start:]):
        _require_size(size, sizes[found])
    return found


def parse_nnbin(data: bytes | memoryview) -> dict[str, memoryview]:
    """The arrays of a network (inference.shapes_of). Raises UserError if the file is damaged or does not play."""
    data = memoryview(data)
    form = FORMS[architecture(data[:HEAD], len(data))]
    shapes = shapes_of(form)
    arrays = {}
    at = _HEADER.size + len(_name(data)) + _NUMBER.size
    for name, kind in _FIRST.items():
        if _is_packed(data[at:]):
            at += len(PACKED)
            end = at + _NUMBER.size + _number(data, at)
            _require_room(data, end)
            arrays[name] = zeros(kind, shapes[name][1])
            unpack(data[at + _NUMBER.size:end], flat(arrays[name]))
        else:
            end = at + _size({name: kind}, form)
            _require_room(data, end)
            arrays[name] = _array(name, kind, data[at:end], form)
        at = end
    at += _NUMBER.size
    _require_size(len(data), at + _size(_LATER, form))
    for name, kind in _LATER.items():
        end = at + _size({name: kind}, form)
        arrays[name] = _array(name, kind, data[at:end], form)
        at = end
    for row in rows_of_no_piece(arrays["first"], form):
        row[:] = zeros("int16", (len(row),))        # learned by no position of a game
    largest = largest_sum(arrays)
    if largest >= WRAPS:
        raise UserError("damaged: sums of the first layer reach {largest}, and 16 bits hold less than {wraps}; copy "
                        "it again", largest=largest, wraps=WRAPS)
    return arrays


def write_nnbin(path: str | os.PathLike[str], arrays: Mapping[str, Array]) -> None:
    """Write a network of K-P (inference.shapes_of, in the form COMMON) atomically. Raises UserError if the arrays do
    not fit, OSError if the file cannot be written."""
    layers = checked_layers(arrays, COMMON)
    name = _KP_NAME.encode("ascii")
    parts = [_HEADER.pack(_MAGIC, _FIRST_HASH ^ _LATER_HASH, len(name)), name]
    for number, types in ((_FIRST_HASH, _FIRST), (_LATER_HASH, _LATER)):
        parts.append(_NUMBER.pack(number))
        parts += [_bytes(each, layers[each], kind) for each, kind in types.items()]
    with replacing(Path(path)) as file:
        file.write(b"".join(parts))


def _bytes(name: str, layer: memoryview, kind: str) -> bytes:
    """The bytes of an array in the file."""
    numbers = array(FORMATS[kind], flat(layer).tolist())
    if name in _TURNED:
        outputs = shapes_of(COMMON)[name][1][1]
        numbers = array(numbers.typecode, [number for output in range(outputs) for number in numbers[output::outputs]])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _name(head: bytes | memoryview) -> str:
    """The name in the header. Raises UserError if the header is cut short or no name is so long."""
    _require_room(head, _HEADER.size)
    _, _, size = _HEADER.unpack_from(head)
    if size > MOST_NAME:
        raise UserError("damaged: the name of its architecture has {size} bytes, and {most} are the most; copy it "
                        "again", size=size, most=MOST_NAME)
    _require_room(head, _HEADER.size + size)
    return bytes(head[_HEADER.size:_HEADER.size + size]).decode("ascii", "replace")


def _require_room(data: bytes | memoryview, least: int) -> None:
    if len(data) < least:
        raise UserError("cut short: {size} bytes, and a network of this architecture has {expected} or more; copy it "
                        "again", size=len(data), expected=least)


def _require_size(size: int, expected: int) -> None:
    if size < expected:
        raise UserError("cut short: {size} bytes, and a network of this architecture has {expected}; copy it again",
                        size=size, expected=expected)
    if size > expected:
        raise UserError("too long: {size} bytes, and a network of this architecture has {expected}; copy it again",
                        size=size, expected=expected)


def _is_packed(data: bytes | memoryview) -> bool:
    return bytes(data[:len(PACKED)]) == PACKED


def _number(data: memoryview, at: int) -> int:
    _require_room(data, at + _NUMBER.size)
    number: int = _NUMBER.unpack_from(data, at)[0]
    return number


def _size(arrays: Mapping[str, str], form: Form) -> int:
    """The bytes of arrays with these types."""
    shapes = shapes_of(form)
    return sum(math.prod(shapes[name][1]) * struct.calcsize(FORMATS[kind]) for name, kind in arrays.items())


def _array(name: str, kind: str, data: memoryview, form: Form) -> memoryview:
    """An array in the type and shape of `shapes_of`, from the bytes of the file."""
    dtype, shape = shapes_of(form)[name]
    numbers = array(FORMATS[kind])
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    if name in _TURNED:
        inputs, outputs = shape
        turned = array(numbers.typecode, numbers)
        for output in range(outputs):
            turned[output::outputs] = numbers[output * inputs:(output + 1) * inputs]
        numbers = turned
    if dtype != kind:
        numbers = array(FORMATS[dtype], numbers)
    return memoryview(numbers).cast("B").cast(FORMATS[dtype], shape)
