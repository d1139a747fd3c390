"""The tables KK, KKP and KPP in memory, laid out for the sums of `evaluation`.

They are in units of 1/SCALE centipawn, for Black. KK and KKP have beside that what it is worth to be on the move there,
the same to either side (factors.pxd): so one sum of it does for both movers, and it lies where the other is read
anyway. Black's KPP half is looked up by its own king; White's by its king with the board turned round. Whatever a king
on files 6 to 9 sees is seen in the mirror: KPP and KKP have only the 45 squares of files 1 to 5 for it (in KKP: for
Black's king, and White's king is then mirrored with it).

In memory a feature has another number, its *row*: squares go rank by rank, for pieces of a kind gather on ranks, so a
row's entries that one sum needs lie in fewer cache lines. A row's entries with itself, and all of row NO_FEATURE, are
0: a sum over a list may pass over pieces that are not in play, and over a piece itself, without asking.

No sum can overflow 32 bits, whatever the 16-bit tables hold: there are 703 pairs a side, so

    (2 * 703 + 2 * (38 + 1) + 1) * 2 ** 15 + SCALE * 30,000 < 2 ** 26 < 2 ** 31

where 30,000 are centipawns, more than all pieces are worth.
"""
from engine.types cimport PLACES, SQUARES, i16, i32, u16, u32, u64
from eval.features cimport FEATURES

cpdef enum:
    SCALE = 32                  # table units in a centipawn

cdef enum:
    KINGS = 45                  # squares of files 1 to 5
    LIST = 40                   # a list of rows has one for each piece number, those of the kings NO_FEATURE

# How a side looks at the board: its king made Black's by turning the board round, then brought to files 1 to 5.
cdef enum:
    BLACK_VIEW = 0
    BLACK_MIRRORED = 1
    WHITE_VIEW = 2
    WHITE_MIRRORED = 3
    VIEWS = 4

cdef enum Kernel:               # layout of KPP and how it is summed; docs/EVAL.md has the timings
    SQUARE = 0                  # [1548][1548] for each king, plain loops
    SQUARE_GATHER = 1           # by AVX-512 gather
    TRIANGULAR_GATHER = 2       # row i has columns 0..i
    KERNELS = 3

cdef struct KingsEntry:         # of KK and KKP
    i16 value                   # for Black
    i16 turn                    # for the side to move

cdef struct KppTables:
    const i16* kpp              # for each king
    size_t stride               # entries of one king
    const KingsEntry* kkp       # [45][81][1548]
    const KingsEntry* kk        # [45][81]
    i32 tempo                   # for the side to move
    Kernel kernel

cdef u16[PLACES][VIEWS] rows    # of a place as each view has it
cdef u16[FEATURES] mirror_row

cdef class EvalTables:
    cdef KppTables tables
    cdef void* block            # owned, unless the tables are mapped
    cdef object mapping
    cdef const unsigned char[::1] bytes
    cdef set_up(self, const unsigned char* start, Kernel kernel, int tempo)
