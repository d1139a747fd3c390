"""Weights files: named integer arrays, packed, after a header that says which evaluation they are for.

Numbers are little-endian. The file is

    magic, 8 bytes | format version u32 | size of directory u32 | size of payload u64 | SHA-256 of the rest, 32 bytes
    directory: JSON in ASCII, with the keys features, scale, tempo, note, arrays
    payload: the planes, one after another, in the order of the directory

The directory holds each array's name, dtype, shape, coding and the packed size of each of its planes. The coding turns
values into unsigned numbers that are mostly small: "delta" for ascending values (differences to the value before),
"zigzag" for signed ones (0, -1, 1, -2, ... become 0, 1, 2, 3, ...), "plain" for the rest. Plane k holds byte k of every
number as a raw deflate stream; an empty one stands for zeros.

On sparse weights, deflate with Huffman codes alone comes within 2 % of a plane's entropy. LZMA and bzip2 do no better
and take ten times as long to unpack.
"""
import hashlib
import json
import math
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import Listed, Phrase, UserError, telling
from engine.system.parts import replacing
from eval.arrays import FORMATS, Array, dtype_of, flat, view_of, zeros
from eval.byteplanes import join, split
from eval.network import LOGIT
from eval.network.nnbin import HEAD, architecture, is_nnbin, parse_nnbin
from eval.tables import SCALE

MAGIC = b"Gakushi\x1a"
VERSION = 1
# The feature sets, one for each kind of evaluation. A feature set needs a new name if its features or its unit change,
# but not if weights are only added to it.
TABLES = "kkp-kpp-1548"
NETWORK = "kp-1710-256/508-32-32"
UNITS = {TABLES: SCALE, NETWORK: LOGIT}     # scale of each
MOST_ELEMENTS = 1 << 28     # of an array; full KPP has 194 million
MOST_BYTES = 1 << 30        # of a file, and of all its unpacked arrays together

QUOTED = 80                 # characters of a bad value that an error shows
JSON_NAMES = {str: Phrase("text"), int: Phrase("a whole number"), list: Phrase("a list")}
_HEADER = struct.Struct("<8sIIQ")
_START = _HEADER.size + hashlib.sha256().digest_size    # of the directory
_STRATEGIES = (zlib.Z_HUFFMAN_ONLY, zlib.Z_DEFAULT_STRATEGY)   # fast; better for repeated bytes


@dataclass(frozen=True)
class Weights:
    """The content of a weights file or nn.bin."""

    features: str                       # TABLES or NETWORK, or the architecture of an nn.bin (FORMS)
    arrays: dict[str, memoryview]       # arrays by name, of types in FORMATS
    tempo: int                          # tables: bonus of the side to move, in units of 1 / SCALE centipawn
    note: str                           # how they were trained; of an nn.bin empty
    checksum: str                       # of the file, hexadecimal


def write_weights(path: str | os.PathLike[str], arrays: Mapping[str, Array], tempo: int, note: str,
                  features: str = TABLES) -> None:
    """Write a weights file atomically.

    Raises UserError if an array's type is not in FORMATS, OSError if the file cannot be written."""
    entries, payload = [], bytearray()
    for name, array in arrays.items():
        dtype = dtype_of(array)
        if dtype not in FORMATS:
            raise UserError("the array {name!r} is of {dtype!r}; a weights file holds {formats}", name=name,
                            dtype=dtype, formats=Listed(FORMATS))
        coding, planes = _pack(array, dtype)
        entries.append({"name": name, "dtype": dtype, "shape": array.shape,
                        "coding": coding, "planes": [len(plane) for plane in planes]})
        for plane in planes:
            payload += plane
    directory = json.dumps({"features": features, "scale": UNITS[features], "tempo": tempo, "note": note,
                            "arrays": entries}).encode("ascii")
    header = _HEADER.pack(MAGIC, VERSION, len(directory), len(payload))
    with replacing(Path(path)) as file:
        file.write(b"".join((header, _digest(header, directory, payload), directory, payload)))


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """Read a weights file or nn.bin.

    Raises OSError if it cannot be read. Raises UserError if it is neither, has another format version,
    feature set or scale, is truncated, too long or damaged; the message gives the path, the fault and what to do."""
    return parse_weights(read_bytes(path), path)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a weights file or nn.bin. Reads only the header if that or the size is wrong. Raises OSError and
    UserError as `read_weights` does."""
    with telling(repr(os.fspath(path))), open(path, "rb") as file:
        head, size = memoryview(file.read(HEAD)), os.fstat(file.fileno()).st_size
        if is_nnbin(head):
            architecture(head, size)
        else:
            _directory_bytes(head, size)
        file.seek(0)
        return file.read()


def parse_weights(data: bytes, path: str | os.PathLike[str]) -> Weights:
    """`read_weights` for bytes that were read from `path`."""
    with telling(repr(os.fspath(path))):
        if is_nnbin(data):
            return Weights(architecture(data[:HEAD], len(data)), parse_nnbin(data), 0, "", _digest(data).hex())
        directory, payload, checksum = _parts(memoryview(data))
        return Weights(directory["features"], dict(_unpack_all(directory["arrays"], payload)), directory["tempo"],
                       directory["note"], checksum)


def features_of(data: bytes, path: str | os.PathLike[str]) -> str:
    """The features of the weights. Raises UserError as `read_weights` does, except for faults found only by unpacking
    the arrays."""
    with telling(repr(os.fspath(path))):
        if is_nnbin(data):
            return architecture(data[:HEAD], len(data))
        features: str = _parts(memoryview(data))[0]["features"]
        return features


def _directory_bytes(head: memoryview, size: int) -> int:
    """The size of the directory, from the head of a file of `size` bytes. Raises UserError if they do not fit."""
    if not size:
        raise UserError("no weights file: it is empty; copy it again")
    if head[:len(MAGIC)] != MAGIC[:len(head)]:
        raise UserError("no weights file: it starts with {head}, not with {magic} or as an nn.bin does; give a file "
                        "that this engine's learner wrote, or an nn.bin", head=bytes(head[:len(MAGIC)]), magic=MAGIC)
    if size < _START:
        raise UserError("cut short: {size} bytes, and the header alone has {least}; copy it again", size=size,
                        least=_START)
    _, version, directory_bytes, payload_bytes = _HEADER.unpack_from(head)
    if version != VERSION:
        raise UserError("of format version {version}, and this engine reads version {other}; use the engine that it "
                        "was written for", version=version, other=VERSION)
    expected = _START + directory_bytes + payload_bytes
    if size == expected and size > MOST_BYTES:
        raise UserError("too large: {size} bytes, and a weights file has at most {most}; give another file",
                        size=size, most=MOST_BYTES)
    if size != expected:
        raise UserError("cut short: {size} bytes, and the header says {expected}; copy it again" if size < expected else
                        "too long: {size} bytes, and the header says {expected}; copy it again",
                        size=size, expected=expected)
    return int(directory_bytes)


def _parts(data: memoryview) -> tuple[dict[str, Any], memoryview, str]:
    """The directory, the payload and the checksum of a file, checked against each other."""
    directory_bytes = _directory_bytes(data, len(data))
    digest = _digest(data[:_HEADER.size], data[_START:])
    said = data[_HEADER.size:_START]
    if said != digest:
        raise UserError("damaged: its checksum is {sum}..., and the header says {other}...; copy it again",
                        sum=digest.hex()[:16], other=said.hex()[:16])
    directory = _directory(bytes(data[_START:_START + directory_bytes]))
    features = directory["features"]
    if features not in UNITS:
        raise UserError("its features are {features!r}, and this engine's are {others}; use weights trained for this "
                        "engine", features=features, others=Listed(map(repr, UNITS), " or "))
    if directory["scale"] != UNITS[features]:
        raise UserError("its scale is {scale!r}, and this engine's is {other!r}; use weights trained for this engine",
                        scale=directory["scale"], other=UNITS[features])
    tempo = directory["tempo"]
    if not -0x8000 <= tempo < 0x8000:
        raise UserError("its tempo is {tempo}, which does not fit 16 bits; write the file again", tempo=tempo)
    payload = data[_START + directory_bytes:]
    _require_sizes(directory["arrays"], len(payload))
    return directory, payload, digest.hex()


def _directory(text: bytes) -> dict[str, Any]:
    """Parse the directory; checks the types of its parts."""
    try:
        directory = json.loads(text)
    except RecursionError:
        raise UserError("its directory is nested too deep; write the file again") from None
    except ValueError as fault:
        raise UserError("its directory is no JSON: {fault}; write the file again", fault=fault) from None
    _require_form(Phrase("its directory"), directory,
                  {"features": str, "scale": int, "tempo": int, "note": str, "arrays": list})
    for entry in directory["arrays"]:
        _require_form(Phrase("an array"), entry,
                      {"name": str, "dtype": str, "shape": list, "coding": str, "planes": list})
        for part in ("shape", "planes"):
            if not all(type(number) is int and number >= 0 for number in entry[part]):
                raise UserError("the array {name!r} has the {part} {numbers!r}, and these are whole numbers from 0 "
                                "up; write the file again", name=entry["name"], part=part, numbers=entry[part])
        if entry["dtype"] not in FORMATS:
            raise UserError("the array {name!r} is of {dtype!r}; a weights file holds {formats}", name=entry["name"],
                            dtype=entry["dtype"], formats=Listed(FORMATS))
    names = [entry["name"] for entry in directory["arrays"]]
    if len(names) > len(set(names)):
        raise UserError("it has two arrays of one name; write the file again")
    found: dict[str, Any] = directory
    return found


def _require_form(what: Phrase, value: Any, types: dict[str, type]) -> None:
    """Raise UserError unless `value` is a JSON object with parts of these types."""
    if type(value) is not dict:
        raise UserError("{what} is no JSON object; write the file again", what=what)
    for name, kind in types.items():
        if type(value.get(name)) is not kind:
            found = repr(value[name])[:QUOTED] if name in value else Phrase("no value")
            raise UserError("{what} has {found} as {name!r}, where {kind} belongs; write the file again",
                            what=what, found=found, name=name, kind=JSON_NAMES[kind])


def _require_sizes(entries: list[dict[str, Any]], payload_bytes: int) -> None:
    """Raise UserError if arrays are too large or their planes do not add up to the payload, before any memory is
    taken."""
    unpacked = 0
    for entry in entries:
        elements = math.prod(entry["shape"])
        if elements > MOST_ELEMENTS:
            raise UserError("the array {name!r} has the shape {shape}, and an array has at most {most} elements; "
                            "write the file again", name=entry["name"], shape=entry["shape"], most=MOST_ELEMENTS)
        itemsize = struct.calcsize(FORMATS[entry["dtype"]])
        if len(entry["planes"]) != itemsize:
            raise UserError("the array {name!r} has {count} planes, and {type} has {size}; write the file again",
                            name=entry["name"], count=len(entry["planes"]), type=entry["dtype"], size=itemsize)
        unpacked += elements * itemsize
    if unpacked > MOST_BYTES:
        raise UserError("its arrays have {unpacked} bytes, and those of a weights file have at most {most}; write "
                        "the file again", unpacked=unpacked, most=MOST_BYTES)
    planes = sum(sum(entry["planes"]) for entry in entries)
    if planes != payload_bytes:
        raise UserError("its arrays have {packed} bytes packed, and the file holds {size}; write the file again",
                        packed=planes, size=payload_bytes)


def _digest(*parts: bytes | bytearray | memoryview) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def _pack(array: Array, dtype: str) -> tuple[str, list[bytes]]:
    """The coding of an array, and its packed planes."""
    coding, planes = split(memoryview(view_of(array).tobytes()).cast(FORMATS[dtype]))
    return coding, [_deflate(plane) for plane in planes]


def _deflate(plane: bytearray) -> bytes:
    if plane.count(0) == len(plane):
        return b""
    packed = []
    for strategy in _STRATEGIES:
        deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
        packed.append(deflater.compress(plane) + deflater.flush())
    return min(packed, key=len)


def _unpack_all(entries: list[dict[str, Any]], payload: memoryview) -> Iterator[tuple[str, memoryview]]:
    for entry in entries:
        planes = []
        for size in entry["planes"]:
            planes.append(payload[:size])
            payload = payload[size:]
        yield entry["name"], _unpack(entry, planes)


def _unpack(entry: dict[str, Any], planes: list[memoryview]) -> memoryview:
    array = zeros(entry["dtype"], entry["shape"])
    values = flat(array)
    join(values, entry["coding"],
         [_inflate(entry["name"], plane, len(values)) if len(plane) else None for plane in planes])
    return array


def _inflate(name: str, plane: memoryview, size: int) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        unpacked = inflater.decompress(plane, size + 1)
    except zlib.error as fault:
        raise UserError("the array {name!r} cannot be unpacked ({fault}); write the file again", name=name,
                        fault=fault) from None
    if len(unpacked) != size or not inflater.eof:
        raise UserError(
            "the array {name!r} has {count} elements, and its shape says {size}; write the file again" if inflater.eof
            else "the array {name!r} has {count} elements or more, and its shape says {size}; write the file again",
            name=name, count=len(unpacked), size=size)
    return unpacked
