"""Compressed files that grow block by block, and are read block by block.

Each append writes an xz stream of its own. So the whole file is one that `xz` can read, and a process that is killed
leaves all earlier streams intact. Blocks are found from the index at the end of each stream, without decompressing
anything. If a stream is damaged or was cut off, the others are still found.
"""
import lzma
import os
import struct
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple

from engine.errors import Phrase, UserError

PRESET = 0                  # of xz: 14.5 bytes a position in 5 µs; 4 has 13.8 in 16, 6 has 13.7 in 20
READ = 1 << 16              # bytes at a time
MOST_INDEX = 1 << 24        # bytes of an index; the index of a file of 100 GB in blocks of 1 MB has 1 MB
MEMORY = 1 << 28            # bytes that decompressing may take; xz -9 needs a quarter of that
NUMBER_BYTES = 9            # of a number in an index, at most
_HEADER, _FOOTER = b"\xfd7zXZ\0", b"YZ"
_FRAME = 12                 # bytes of a stream's header, and of its footer


class XzBlock(NamedTuple):
    """A part of a file that can be decompressed on its own."""

    stream: int             # where its stream begins in the file, in bytes
    offset: int             # where it begins in the file, in bytes
    size: int               # bytes in the file, padding included
    length: int             # bytes, decompressed


class Gap(NamedTuple):
    """A part of a file, in bytes, that is no whole stream and no padding."""

    start: int
    end: int
    cut_off: bool           # the part is the beginning of a stream, without any sign of damage


class Index(NamedTuple):
    blocks: list[XzBlock]
    gaps: list[Gap]


class Damaged(UserError):
    """A block that cannot be decompressed."""


def compressed(data: bytes) -> bytes:
    """The data as an xz stream, to be appended to a file."""
    return lzma.compress(data, preset=PRESET)


def index(path: Path) -> Index:
    """The blocks of a file, found from its end to its beginning, and what lies between its whole streams. Raises
    UserError, naming the file, if it is no xz file."""
    streams: list[list[XzBlock]] = []
    gaps: list[Gap] = []
    with path.open("rb") as file:
        end = path.stat().st_size
        is_xz = _HEADER.startswith(_at(file, 0, len(_HEADER)))
        while end:
            own = _stream(file, end)
            if own is None:
                gaps.append(_gap(file, end))
                end = gaps[-1].start
            else:
                streams.append(own.blocks)
                end = own.start
    if not is_xz and not streams:
        raise UserError("{path} is no xz file; compress it, or name it without .xz", path=path)
    return Index([block for blocks in reversed(streams) for block in blocks], gaps[::-1])


def read(path: Path, block: XzBlock) -> bytes:
    """The data of a block. Raises Damaged, naming the file, if it cannot be decompressed."""
    with path.open("rb") as file:
        file.seek(block.stream)
        header = file.read(_FRAME)
        file.seek(block.offset)
        packed = file.read(block.size)
    try:        # header and block, as if the rest of the stream were still to come; no more bytes than the index says
        data = _decompressor().decompress(header + packed, block.length + 1)
    except lzma.LZMAError as fault:
        raise Damaged("a block cannot be unpacked ({fault})", fault=fault).at(_place(path, block)) from None
    if len(data) != block.length:
        raise Damaged("a block holds {count} bytes instead of {length}" if len(data) < block.length else
                      "a block holds {count} bytes or more instead of {length}", count=len(data),
                      length=block.length).at(_place(path, block))
    return data


def _place(path: Path, block: XzBlock) -> Phrase:
    """The place of a block, for an error."""
    return Phrase("{path}, byte {number}", path=path, number=block.offset)


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)


class _Stream(NamedTuple):
    start: int
    blocks: list[XzBlock]


def _stream(file: BinaryIO, end: int) -> _Stream | None:
    """The stream that ends at `end`, or before padding that ends there, read from its index; None if there is no whole
    stream."""
    footer = _at(file, end - _FRAME, _FRAME)
    while len(footer) == _FRAME and footer.endswith(bytes(4)):          # padding between streams
        end -= 4
        footer = _at(file, end - _FRAME, _FRAME)
    if len(footer) < _FRAME or not footer.endswith(_FOOTER):
        return None
    checksum, backward = struct.unpack("<II", footer[:8])
    size = 4 * (backward + 1)
    if size > MOST_INDEX or zlib.crc32(footer[4:10]) != checksum:
        return None
    listed = _at(file, end - _FRAME - size, size)
    if len(listed) < size or zlib.crc32(listed[:-4]) != struct.unpack("<I", listed[-4:])[0]:
        return None
    try:
        sizes = _listed(listed)
    except IndexError:                      # the index claims more bytes than it has
        return None
    start = end - 2 * _FRAME - size - sum(packed for packed, _ in sizes)
    if _at(file, start, len(_HEADER)) != _HEADER:
        return None
    offset, blocks = start + _FRAME, []
    for packed, length in sizes:
        blocks.append(XzBlock(start, offset, packed, length))
        offset += packed
    return _Stream(start, blocks)


def _listed(index: bytes) -> list[tuple[int, int]]:
    """Each block's length in the file, padding included, and its decompressed length, from the index."""
    place = 1           # after the byte that says that it is an index

    def number() -> int:
        nonlocal place
        value = 0
        for shift in range(0, 7 * NUMBER_BYTES, 7):
            byte = index[place]
            place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise IndexError

    return [(-(-number() // 4) * 4, number()) for _ in range(number())]


def _gap(file: BinaryIO, end: int) -> Gap:
    """The gap that ends at `end`, where no whole stream ends: it begins at the last header before, or at the end of the
    whole stream that begins there."""
    start = _header_before(file, end)
    last, faultless = _last_byte(file, start, end)
    if last is None or last == end:
        return Gap(start, end, faultless and last is None)
    return Gap(last, end, _last_byte(file, last, end)[1])


def _header_before(file: BinaryIO, end: int) -> int:
    """The last place before `end` where a stream's header stands; 0 if there is none."""
    while end > 0:
        begin = max(0, end - READ)
        data = _at(file, begin, end - begin)
        place = len(data)
        while (place := data.rfind(_HEADER, 0, place)) >= 0:
            flags, checksum = data[place + 6:place + 8], data[place + 8:place + _FRAME]
            if len(checksum) == 4 and zlib.crc32(flags).to_bytes(4, "little") == checksum:
                return begin + place
        end = begin + _FRAME - 1 if begin else 0        # a header may lie across the two parts
    return 0


def _last_byte(file: BinaryIO, start: int, end: int) -> tuple[int | None, bool]:
    """The end of the stream that begins at `start`, or None if it is not whole before `end`; and whether it is
    undamaged so far."""
    file.seek(start)
    decompressor, place = _decompressor(), start
    try:
        while not decompressor.eof:
            # In small parts, because a few bytes may decompress to a gigabyte.
            data = file.read(min(READ, end - place)) if decompressor.needs_input else b""
            if not data and decompressor.needs_input:
                return None, True
            place += len(data)
            decompressor.decompress(data, READ)
    except lzma.LZMAError:
        return None, False
    return place - len(decompressor.unused_data), True


def _at(file: BinaryIO, place: int, count: int) -> bytes:
    if place < 0:
        return b""
    file.seek(place, os.SEEK_SET)
    return file.read(count)
