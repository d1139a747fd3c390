"""The tables KK, KKP and KPP in memory, laid out for the sums that `kpp` computes.

Values are in units of 1/SCALE centipawn, for Black. KK and KKP also store a bonus for the side to move, next to the
value (factors.pxd). KPP has two halves: Black's is looked up by Black's king, White's by White's king with the board
turned. For a king on files 6 to 9 everything is mirrored, so KPP and KKP store only the 45 squares of files 1 to 5. In
KKP, Black's king decides whether the position is mirrored, White's king included.

In memory a feature has another number, its row. Rows number the squares rank by rank: pieces of a kind tend to stand on
the same rank, so the entries of a sum lie in fewer cache lines. A row's entry with itself and all of row NO_FEATURE are
0, so sums need not exclude pieces that are not in play, or a piece with itself.

No sum overflows 32 bits, whatever the 16-bit tables hold. A side has 703 pairs, so

    (2 * 703 + 2 * (38 + 1) + 1) * 2 ** 15 + SCALE * 30,000 < 2 ** 26 < 2 ** 31

where 30,000 centipawns exceed the value of all pieces.
"""
from engine.types cimport PLACES, i16, i32, u16
from eval.features cimport FEATURES

cpdef enum:
    SCALE = 32                  # table units in a centipawn

cdef enum:
    KINGS = 45                  # squares of files 1 to 5
    LIST = 40                   # entries of a list of rows: one per piece number, NO_FEATURE for the kings

# A side's view of the board: turned so that its king is Black's, then mirrored if that king is on files 6 to 9.
cdef enum:
    BLACK_VIEW = 0
    BLACK_MIRRORED = 1
    WHITE_VIEW = 2
    WHITE_MIRRORED = 3
    VIEWS = 4

cdef enum Kernel:               # layout of KPP and how to sum it; docs/lab/LAYOUTS.md
    SQUARE = 0                  # [1548][1548] for each king, plain loops
    TRIANGULAR_GATHER = 1       # row i has columns 0..i; by AVX-512 gather

cdef struct KingsEntry:         # of KK and KKP
    i16 value                   # for Black
    i16 turn                    # for the side to move

cdef struct KppTables:
    const i16* kpp              # for each king
    size_t stride               # entries per king
    const KingsEntry* kkp       # [45][81][1548]
    const KingsEntry* kk        # [45][81]
    i32 tempo                   # for the side to move
    Kernel kernel

cdef u16[PLACES][VIEWS] rows    # the row of each place in each view
cdef u16[FEATURES] mirror_row

cdef class EvalTables:
    cdef KppTables tables
    cdef void* block            # owned, unless the tables are mapped
    cdef object mapping
    cdef set_up(self, const unsigned char* start, Kernel kernel, int tempo)
