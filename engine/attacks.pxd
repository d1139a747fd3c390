"""The squares that a piece attacks: tables for steps and rays, and sliding attacks through an occupancy.

Rook attacks use one 7-bit index for the file and one for the rank (their inner squares), with tables that fit into the
first-level cache. Bishop attacks use PEXT where the processor has it, else byte-reversed subtraction (o ^ (o - 2r),
hyperbola quintessence). docs/PERFORMANCE.md compares both.
"""
from engine.bitboard cimport high_word, low_word, wide
from engine.types cimport (BISHOP, DRAGON, HAS_PEXT, HORSE, KINDS, LANCE, ROOK, SQUARES, SQUARE_ROW, bswap, pext, u128,
                           u16, u32, u64, u8)

cdef enum:
    BISHOP_ENTRIES = 20224      # the sum of 2**inner squares over all squares

cdef struct AttackTables:
    u128 step[2][KINDS][SQUARE_ROW]     # colour, kind: one-step attacks; for sliders only the steps of horse and dragon
    u128 lance_ray[2][SQUARES + 1]      # rays on an empty board; empty for NO_SQUARE (a missing king)
    u128 bishop_ray[SQUARES + 1]
    u128 rook_ray[SQUARES + 1]
    u128 queen_ray[SQUARES + 1]         # both
    u128 reach[SQUARES + 1]             # squares from which any piece could attack this one, knights included
    u128 between[SQUARES][SQUARES]      # squares strictly between two squares of one line, else empty
    u128 line[SQUARES][SQUARES]         # the whole line through both, else empty
    u128 near[SQUARES]                  # squares from which a step may reach a neighbour of this one
    u128 forward[2][9]                  # colour, rank: all squares strictly ahead of that rank
    u128 zone[2]                        # promotion zone
    u128 droppable[2][KINDS]            # squares on which the kind can still move
    u16 file_attack[9][128]             # rank of the slider, its file's inner occupancy -> nine bits of that file
    u128 rank_attack[9][128]            # file of the slider, its rank's inner occupancy -> bits on rank "a"
    u64 bishop_low[SQUARES]             # the bishop's inner squares in the low word; likewise the high word
    u64 bishop_high[SQUARES]
    u8 bishop_shift[SQUARES]            # number of these squares in the low word
    u32 bishop_offset[SQUARES]
    u128 bishop_attack[BISHOP_ENTRIES]
    u128 ray_up[3][SQUARES]             # towards higher squares: south-west, west, north-west (steps 10, 9, 8)
    u128 ray_down[3][SQUARES]           # the opposite rays, byte-reversed
    u8 file[SQUARES]
    u8 rank[SQUARES]

cdef AttackTables tables

cdef inline u128 reversed_bytes(u128 board) noexcept nogil:
    return wide(bswap(low_word(board)), bswap(high_word(board)))

cdef inline u128 until_blocked(u128 occupied, u128 ray) noexcept nogil:
    """A ray towards higher bits, cut after its first occupied square."""
    cdef u128 blockers = occupied & ray
    return (blockers ^ (blockers - 1)) & ray

cdef inline u128 bishop_by_subtraction(int square, u128 occupied) noexcept nogil:
    # On these rays two squares never share a byte, so reversing the bytes reverses the ray.
    cdef u128 mirrored = reversed_bytes(occupied)
    return (until_blocked(occupied, tables.ray_up[0][square]) | until_blocked(occupied, tables.ray_up[2][square])
            | reversed_bytes(until_blocked(mirrored, tables.ray_down[0][square])
                             | until_blocked(mirrored, tables.ray_down[2][square])))

cdef inline u128 rank_by_subtraction(int square, u128 occupied) noexcept nogil:
    return (until_blocked(occupied, tables.ray_up[1][square])
            | reversed_bytes(until_blocked(reversed_bytes(occupied), tables.ray_down[1][square])))

cdef inline u128 bishop_by_pext(int square, u128 occupied) noexcept nogil:
    cdef u64 index = (pext(low_word(occupied), tables.bishop_low[square])
                      | pext(high_word(occupied), tables.bishop_high[square]) << tables.bishop_shift[square])
    return tables.bishop_attack[tables.bishop_offset[square] + index]

cdef inline u128 rank_by_pext(int square, u128 occupied) noexcept nogil:
    # Moved to rank "a", the seven inner squares of a rank all lie in the low word.
    cdef int rank = tables.rank[square]
    cdef u64 index = pext(low_word(occupied >> (rank & 63)), 0x8040201008040200ULL)
    return tables.rank_attack[tables.file[square]][index] << (rank & 63)

cdef inline u128 file_attacks(int square, u128 occupied) noexcept nogil:
    cdef int shift = 9 * tables.file[square]
    cdef u64 index = (low_word(occupied >> shift) >> 1) & 127
    return <u128>tables.file_attack[tables.rank[square]][index] << shift

cdef inline u128 bishop_attacks(int square, u128 occupied) noexcept nogil:
    if HAS_PEXT:
        return bishop_by_pext(square, occupied)
    return bishop_by_subtraction(square, occupied)

cdef inline u128 rook_attacks(int square, u128 occupied) noexcept nogil:
    if HAS_PEXT:
        return file_attacks(square, occupied) | rank_by_pext(square, occupied)
    return file_attacks(square, occupied) | rank_by_subtraction(square, occupied)

cdef inline u128 lance_attacks(int color, int square, u128 occupied) noexcept nogil:
    return file_attacks(square, occupied) & tables.lance_ray[color][square]

cdef inline u128 attacks_of(int color, int kind, int square, u128 occupied) noexcept nogil:
    """The squares that a piece of this colour and kind attacks from `square`."""
    cdef u128 attacks = tables.step[color][kind][square]
    if kind == LANCE:
        attacks |= lance_attacks(color, square, occupied)
    elif kind == BISHOP or kind == HORSE:
        attacks |= bishop_attacks(square, occupied)
    elif kind == ROOK or kind == DRAGON:
        attacks |= rook_attacks(square, occupied)
    return attacks

cdef inline u128 ray_of(int color, int kind, int square) noexcept nogil:
    """The sliding part of `attacks_of` on an empty board."""
    if kind == LANCE:
        return tables.lance_ray[color][square]
    if kind == BISHOP or kind == HORSE:
        return tables.bishop_ray[square]
    if kind == ROOK or kind == DRAGON:
        return tables.rook_ray[square]
    return 0
