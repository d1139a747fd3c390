"""The tables in memory (see layout.pxd), and their Python class."""
import mmap
import os
import struct
from pathlib import Path

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.string cimport memset

from engine.system.block cimport free_block, huge_block
from engine.types cimport SQUARES
from eval.features cimport HAND_FEATURES, NO_FEATURE, index, inverse, mirror

from engine.errors import Listed, OutOfMemory, UserError
from eval.arrays import checked

cdef extern from "tables/gather.h" nogil:
    bint can_gather()

# -- Rows --------------------------------------------------------------------------------------------------------------

cdef u16[FEATURES] row_of       # by feature
cdef u16[FEATURES] feature_of   # by row


cdef void fill_rows() noexcept:
    cdef int feature, start, square, place
    for feature in range(FEATURES):
        if feature < HAND_FEATURES:
            row_of[feature] = <u16>feature
        else:
            square = (feature - HAND_FEATURES) % SQUARES
            start = feature - square
            row_of[feature] = <u16>(start + square % 9 * 9 + square // 9)
        feature_of[row_of[feature]] = <u16>feature
    for feature in range(FEATURES):
        mirror_row[row_of[feature]] = row_of[mirror[feature]]
    for place in range(PLACES):
        if index[place] != NO_FEATURE:
            rows[place][BLACK_VIEW] = row_of[index[place]]
            rows[place][BLACK_MIRRORED] = row_of[mirror[index[place]]]
            rows[place][WHITE_VIEW] = row_of[inverse[index[place]]]
            rows[place][WHITE_MIRRORED] = row_of[mirror[inverse[index[place]]]]


fill_rows()


# -- Layouts -----------------------------------------------------------------------------------------------------------

cdef enum:
    TRIANGLE = FEATURES * (FEATURES + 1) // 2
    HEADER_BYTES = 4096
    KK_BYTES = 16384            # the size of KK, rounded up so that each table starts on a cache line
    KKP_BYTES = KINGS * SQUARES * FEATURES * 4 + 16


cdef inline size_t triangle_start(size_t row) noexcept nogil:
    return row * (row + 1) // 2


cdef size_t stride_of(Kernel kernel) noexcept nogil:
    return TRIANGLE if kernel == TRIANGULAR_GATHER else FEATURES * FEATURES


cdef size_t bytes_of(Kernel kernel) noexcept nogil:
    return HEADER_BYTES + KK_BYTES + KKP_BYTES + KINGS * stride_of(kernel) * sizeof(i16)


cdef void lay_out_kpp(i16* target, const i16* source, bint triangular) noexcept nogil:
    """Copy one king's pairs into a layout. `source` is triangular, by feature."""
    cdef int row, column
    cdef size_t i, j
    cdef i16* start
    for row in range(FEATURES):
        i = feature_of[row]
        start = target + (triangle_start(row) if triangular else <size_t>row * FEATURES)
        for column in range(row + 1 if triangular else FEATURES):
            j = feature_of[column]
            start[column] = source[max(triangle_start(i) + j, triangle_start(j) + i)]
        start[row] = 0
        start[NO_FEATURE] = 0
    memset(target, 0, sizeof(i16) * (1 if triangular else FEATURES))


cdef void lay_out_kings(KingsEntry* kk, KingsEntry* kkp, const KingsEntry* kk_source,
                        const KingsEntry* kkp_source) noexcept nogil:
    cdef size_t start
    cdef int pair, row
    for pair in range(KINGS * SQUARES):
        kk[pair] = kk_source[pair]
        start = <size_t>pair * FEATURES
        for row in range(FEATURES):
            kkp[start + row] = kkp_source[start + feature_of[row]]
        kkp[start + NO_FEATURE].value = kkp[start + NO_FEATURE].turn = 0


# -- The Python face ---------------------------------------------------------------------------------------------------

KERNEL_NAMES = ("square", "triangular-gather")
HEADER = struct.Struct("<8s3siiQ")      # mark, layout, version, tempo, bytes in all
MARK = b"GAKUSHIX"
VERSION = 2         # of the layouts


def usable_kernels():
    """The names of the kernels that this processor can run, the fastest first."""
    return KERNEL_NAMES[::-1] if can_gather() else KERNEL_NAMES[:1]


def checked_kernel(name):
    usable = usable_kernels()
    if name is None:
        return usable[0]
    if name not in usable:
        raise UserError("{name!r} is no kernel for this processor; it has {usable}", name=name, usable=Listed(usable))
    return name


cdef bytes layout_of(Kernel kernel):
    return b"TRI" if kernel == TRIANGULAR_GATHER else b"SQR"


cdef class EvalTables:
    """KK, KKP, KPP and tempo, laid out for evaluation. Made by `from_arrays` or `map`; immutable."""

    def __init__(self):
        raise TypeError("EvalTables are made by EvalTables.from_arrays or EvalTables.map")

    def __dealloc__(self):
        free_block(self.block)

    cdef set_up(self, const unsigned char* start, Kernel kernel, int tempo):
        self.tables.kk = <const KingsEntry*>(start + HEADER_BYTES)
        self.tables.kkp = <const KingsEntry*>(start + HEADER_BYTES + KK_BYTES)
        self.tables.kpp = <const i16*>(start + HEADER_BYTES + KK_BYTES + KKP_BYTES)
        self.tables.stride = stride_of(kernel)
        self.tables.tempo = tempo
        self.tables.kernel = kernel

    @staticmethod
    def from_arrays(kk, kkp, kpp, int tempo=0, kernel=None):
        """Lay out the tables in this process's memory, on huge pages.

        kk, kkp, kpp: int16 of shapes (81, 81, 2), (81, 81, 1548, 2) and (45, 1198926), in 1/32 centipawn. kk and kkp
        are indexed by Black's and White's king, with values for Black and for the side to move last. kpp has values for
        Black at `hi * (hi + 1) / 2 + lo` of the own king's row, the king on files 1 to 5. The tables must have the
        symmetries of eval.features' `mirror` and `inverse`: of kk and kkp only Black's kings on files 1 to 5 are read.
        Pairs of a feature with itself, and feature 0, count as 0. tempo: bonus of the side to move, in the same unit.
        kernel: one of `usable_kernels()`; by default the fastest.

        Raises UserError for a wrong shape or type, a tempo beyond 16 bits or an unknown kernel, and MemoryError.
        """
        cdef EvalTables made = EvalTables.__new__(EvalTables)
        cdef Kernel number = KERNEL_NAMES.index(checked_kernel(kernel))
        cdef const i16[:, :, ::1] kk_source = checked("kk", kk, "int16", (SQUARES, SQUARES, 2))
        cdef const i16[:, :, :, ::1] kkp_source = checked("kkp", kkp, "int16", (SQUARES, SQUARES, FEATURES, 2))
        cdef const i16[:, ::1] kpp_source = checked("kpp", kpp, "int16", (KINGS, TRIANGLE))
        cdef int king
        if not -0x8000 <= tempo < 0x8000:
            raise UserError("its tempo is {tempo}, which does not fit 16 bits; write the file again", tempo=tempo)
        made.block = huge_block(bytes_of(number))
        if made.block == NULL:
            raise OutOfMemory("no memory for tables of {size} MB", size=bytes_of(number) >> 20)
        made.set_up(<unsigned char*>made.block, number, tempo)
        memset(made.block, 0, HEADER_BYTES + KK_BYTES)
        header = HEADER.pack(MARK, layout_of(number), VERSION, tempo, bytes_of(number))
        (<unsigned char[:HEADER_BYTES]>made.block)[:len(header)] = header
        with nogil:
            lay_out_kings(<KingsEntry*>made.tables.kk, <KingsEntry*>made.tables.kkp,
                          <const KingsEntry*>&kk_source[0, 0, 0], <const KingsEntry*>&kkp_source[0, 0, 0, 0])
            for king in range(KINGS):
                lay_out_kpp(<i16*>made.tables.kpp + king * made.tables.stride, &kpp_source[king, 0],
                            number == TRIANGULAR_GATHER)
        return made

    def save(self, path):
        """Write the memory to a file for `map`. Not atomic; `eval.tables.cache` renames the finished file."""
        start = <char*>self.tables.kk - HEADER_BYTES
        Path(path).write_bytes(PyMemoryView_FromMemory(start, bytes_of(self.tables.kernel), PyBUF_READ))

    @staticmethod
    def map(path, kernel=None):
        """Map a file that `save` wrote. Processes that map the same file share one copy in memory.

        Raises UserError if it is no such file, has another version or length, or is laid out for a kernel other than
        `kernel` (by default the fastest of this processor). Raises OSError if it cannot be read.
        """
        cdef EvalTables made = EvalTables.__new__(EvalTables)
        cdef Kernel number = KERNEL_NAMES.index(checked_kernel(kernel))
        cdef const unsigned char[::1] view
        expected = HEADER.pack(MARK, layout_of(number), VERSION, 0, bytes_of(number))
        with open(path, "rb") as file:
            header = file.read(HEADER.size)
            if len(header) < HEADER.size:
                raise UserError("{path} has {count} bytes, which is no table; write it by EvalTables.save", path=path,
                                count=len(header))
            mark, layout, version, tempo, length = HEADER.unpack(header)
            if (mark, layout, version, length) != (*HEADER.unpack(expected)[:3], bytes_of(number)):
                raise UserError("{path} begins with {header!r}, not with {expected!r} (the tempo apart); write it "
                                "again by EvalTables.save", path=path, header=header, expected=expected)
            if os.fstat(file.fileno()).st_size != length:
                raise UserError("{path} has {size} bytes, not {length}; write it again by EvalTables.save",
                                path=path, size=os.fstat(file.fileno()).st_size, length=length)
            made.mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        view = made.mapping
        made.set_up(&view[0], number, tempo)
        return made

    @property
    def kernel(self):
        """The name of its kernel."""
        return KERNEL_NAMES[self.tables.kernel]

    @property
    def tempo(self):
        """The bonus of the side to move, in 1/32 centipawn."""
        return self.tables.tempo

    @property
    def megabytes(self):
        """The memory of the tables, in MB."""
        return bytes_of(self.tables.kernel) >> 20
