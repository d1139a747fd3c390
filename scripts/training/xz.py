"""Compressed files that grow block by block, and are read block by block.

What is appended at a time is an xz stream of its own, so the whole file is what `xz` reads and writes, and a process
that is killed leaves all earlier streams intact. Blocks are found from the index at the end of each stream, without
decompressing anything.
"""
import lzma
import os
import struct
import zlib
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

PRESET = 0                  # of xz: 14.5 bytes a position in 5 µs; 4 has 13.8 in 16, 6 has 13.7 in 20
READ = 1 << 16              # bytes at a time
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


def append(path: Path, data: bytes) -> None:
    """Add data to the file's end as a stream."""
    with path.open("ab") as file:
        file.write(lzma.compress(data, preset=PRESET))


def index(path: Path) -> Index:
    """The blocks of a file. ValueError, naming the file, if it is no xz file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if not _HEADER.startswith(_at(file, 0, len(_HEADER))):
            raise ValueError(f"{path} is no xz file; compress it, or name it without .xz")
        blocks = _backward(file, size)
        if blocks is not None:
            return Index(blocks, size)
        found = Index([], 0)
        for start, end in pairwise(_streams(file)):     # cut off at the end: only decompressing tells where
            own = _backward(file, end, start)
            assert own is not None
            found = Index(found.blocks + own, end)
        return found


def read(path: Path, block: Block) -> bytes:
    """The data of a block. ValueError, naming the file, if it is damaged."""
    with path.open("rb") as file:
        file.seek(block.stream)
        header = file.read(_FRAME)
        file.seek(block.offset)
        packed = file.read(block.size)
    try:        # as the stream's only block, of which the rest is yet to come
        data = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(header + packed)
    except lzma.LZMAError as fault:
        raise ValueError(f"{path}, byte {block.offset}: {fault}") from None
    if len(data) != block.length:
        raise ValueError(f"{path}, byte {block.offset}: a block holds {len(data)} bytes instead of {block.length}")
    return data


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
        listed = _at(file, end - _FRAME - size, size)
        if not footer.endswith(_FOOTER) or zlib.crc32(footer[4:10]) != checksum or len(listed) < size:
            return None
        if zlib.crc32(listed[:-4]) != struct.unpack("<I", listed[-4:])[0]:
            return None
        sizes = _listed(listed)
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
    """What an index says of each block: its length in the file, padding included, and decompressed."""
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
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        try:
            while not decompressor.eof:
                if not (data := file.read(READ)):
                    return borders
                decompressor.decompress(data)
        except lzma.LZMAError:
            return borders
        borders.append(file.tell() - len(decompressor.unused_data))


def _at(file: BinaryIO, place: int, count: int) -> bytes:
    if place < 0:
        return b""
    file.seek(place, os.SEEK_SET)
    return file.read(count)
