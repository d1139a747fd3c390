"""Compressed files that grow block by block, and are read block by block.

Each append writes an xz stream of its own. So the whole file is one that `xz` can read, and a process that is killed
leaves all earlier streams intact. Blocks are found from the index at the end of each stream, without decompressing
anything.
"""
import lzma
import os
import struct
import zlib
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

from engine.errors import UserError

PRESET = 0                  # of xz: 14.5 bytes a position in 5 µs; 4 has 13.8 in 16, 6 has 13.7 in 20
READ = 1 << 16              # bytes at a time
MOST_INDEX = 1 << 24        # bytes of an index; that of a file of 100 GB in blocks of 1 MB has 1 MB
MEMORY = 1 << 28            # bytes that decompressing may take; xz -9 needs a quarter of that
_HEADER, _FOOTER = b"\xfd7zXZ\0", b"YZ"
_FRAME = 12                 # bytes of a stream's header, and of its footer


class Block(NamedTuple):
    """A part of a file that is decompressed alone."""

    stream: int             # where its stream begins in the file, in bytes
    offset: int             # where it begins itself, …
    size: int               # … and its length, padding included
    length: int             # bytes, decompressed


class Index(NamedTuple):
    blocks: list[Block]
    end: int                # bytes of the file that are whole streams; what follows is a stream that was cut off


def compressed(data: bytes) -> bytes:
    """Data as a stream, which a file may end with."""
    return lzma.compress(data, preset=PRESET)


def index(path: Path) -> Index:
    """The blocks of a file. UserError, naming the file, if it is no xz file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if not _HEADER.startswith(_at(file, 0, len(_HEADER))):
            raise UserError(f"{path} is no xz file; compress it, or name it without .xz")
        blocks = _backward(file, size)
        if blocks is not None:
            return Index(blocks, size)
        found = Index([], 0)
        for start, end in pairwise(_streams(file)):     # cut off at the end: only decompressing tells where
            own = _backward(file, end, start)
            if own is None:
                raise UserError(f"{path}, byte {start}: the index of this stream is damaged or too large; compress "
                                "the file again")
            found = Index(found.blocks + own, end)
        return found


def read(path: Path, block: Block) -> bytes:
    """The data of a block. UserError, naming the file, if it is damaged."""
    with path.open("rb") as file:
        file.seek(block.stream)
        header = file.read(_FRAME)
        file.seek(block.offset)
        packed = file.read(block.size)
    try:        # as the stream's only block, of which the rest is yet to come
        # No more than the index says, whatever there is.
        data = _decompressor().decompress(header + packed, block.length + 1)
    except lzma.LZMAError as fault:
        raise UserError(f"{path}, byte {block.offset}: {fault}") from None
    if len(data) != block.length:
        raise UserError(f"{path}, byte {block.offset}: a block holds {len(data)} bytes"
                        f"{' or more' if len(data) > block.length else ''} instead of {block.length}; compress the "
                        "file again")
    return data


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)


def _backward(file: BinaryIO, end: int, begin: int = 0) -> list[Block] | None:
    """The blocks of the streams from `begin` to `end`, by their indices; None if they are not all whole."""
    blocks: list[Block] = []
    while end > begin:
        footer = _at(file, end - _FRAME, _FRAME)
        if end % 4 or len(footer) < _FRAME:
            return None
        if footer.endswith(bytes(4)):           # padding between streams
            end -= 4
            continue
        checksum, backward = struct.unpack("<II", footer[:8])
        size = 4 * (backward + 1)
        if size > MOST_INDEX:
            return None
        listed = _at(file, end - _FRAME - size, size)
        if not footer.endswith(_FOOTER) or zlib.crc32(footer[4:10]) != checksum or len(listed) < size:
            return None
        if zlib.crc32(listed[:-4]) != struct.unpack("<I", listed[-4:])[0]:
            return None
        try:
            sizes = _listed(listed)
        except IndexError:                      # it claims more than it has
            return None
        start = end - 2 * _FRAME - size - sum(packed for packed, _ in sizes)
        if _at(file, start, len(_HEADER)) != _HEADER:
            return None
        offset, own = start + _FRAME, []
        for packed, length in sizes:
            own.append(Block(start, offset, packed, length))
            offset += packed
        blocks[:0] = own
        end = start
    return blocks


def _listed(index: bytes) -> list[tuple[int, int]]:
    """Each block's length in the file, padding included, and its decompressed length, from the index."""
    place = 1           # after the byte that says that it is an index

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = index[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    return [(-(-number() // 4) * 4, number()) for _ in range(number())]


def _streams(file: BinaryIO) -> list[int]:
    """Where the whole streams begin that the file begins with, and where the last of them ends."""
    borders = [0]
    while True:
        file.seek(borders[-1])
        decompressor = _decompressor()
        try:
            while not decompressor.eof:
                # A little at a time, for a few bytes may hold a gigabyte.
                data = file.read(READ) if decompressor.needs_input else b""
                if not data and decompressor.needs_input:
                    return borders
                decompressor.decompress(data, READ)
        except lzma.LZMAError:
            return borders
        borders.append(file.tell() - len(decompressor.unused_data))


def _at(file: BinaryIO, place: int, count: int) -> bytes:
    if place < 0:
        return b""
    file.seek(place, os.SEEK_SET)
    return file.read(count)
