"""The tables of attacks, computed at import from the geometry of the board (see attacks.pxd)."""
from engine.bitboard cimport all_squares, bit, count, file_set, rank_set, some
from engine.types cimport (BLACK, GOLD, KING, KNIGHT, PAWN, PRO_KNIGHT, PRO_LANCE, PRO_PAWN, PRO_SILVER, SILVER, WHITE,
                           file_of, popcount, rank_of)

cdef u128 square_at(int file, int rank) noexcept:
    """The set of one square; empty if it is off the board."""
    return bit(file * 9 + rank) if 0 <= file < 9 and 0 <= rank < 9 else 0


cdef u128 ray(int square, int files, int ranks, u128 occupancy) noexcept:
    """The squares along a direction, up to and including the first occupied one. Slow; fills the fast tables."""
    cdef u128 squares = 0
    cdef int file = file_of(square) + files
    cdef int rank = rank_of(square) + ranks
    while 0 <= file < 9 and 0 <= rank < 9:
        squares |= square_at(file, rank)
        if some(occupancy & square_at(file, rank)):
            break
        file += files
        rank += ranks
    return squares


cdef u128 bishop_walk(int square, u128 occupancy) noexcept:
    return (ray(square, 1, 1, occupancy) | ray(square, 1, -1, occupancy)
            | ray(square, -1, 1, occupancy) | ray(square, -1, -1, occupancy))


cdef u128 rook_walk(int square, u128 occupancy) noexcept:
    return (ray(square, 1, 0, occupancy) | ray(square, -1, 0, occupancy)
            | ray(square, 0, 1, occupancy) | ray(square, 0, -1, occupancy))


cdef u128 nth_subset(u128 squares, u64 index) noexcept:
    """The subset of `squares` whose members are the set bits of `index`: the inverse of PEXT."""
    cdef u128 subset = 0
    while some(squares):
        if index & 1:
            subset |= squares & -squares
        squares &= squares - 1
        index >>= 1
    return subset


cdef void fill_steps() noexcept:
    # (files, ranks) for Black; White's steps are the opposite.
    steps = {PAWN: [(0, -1)], KNIGHT: [(-1, -2), (1, -2)]}
    diagonal = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    straight = [(0, -1), (-1, 0), (1, 0), (0, 1)]
    steps[SILVER] = diagonal + [(0, -1)]
    steps[GOLD] = straight + [(-1, -1), (1, -1)]
    for kind in (PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER):
        steps[kind] = steps[GOLD]
    steps[KING] = straight + diagonal
    steps[HORSE] = straight
    steps[DRAGON] = diagonal
    cdef int square, kind_, color, sign
    for kind_, offsets in steps.items():
        for color in range(2):
            sign = 1 if color == BLACK else -1
            for square in range(SQUARES):
                for files, ranks in offsets:
                    tables.step[color][kind_][square] |= square_at(file_of(square) + sign * files,
                                                                   rank_of(square) + sign * ranks)


cdef void fill_rays() noexcept:
    cdef int square, other, files, ranks, i
    cdef u128 one_way
    for square in range(SQUARES):
        tables.file[square] = file_of(square)
        tables.rank[square] = rank_of(square)
        tables.lance_ray[BLACK][square] = ray(square, 0, -1, 0)
        tables.lance_ray[WHITE][square] = ray(square, 0, 1, 0)
        tables.bishop_ray[square] = bishop_walk(square, 0)
        tables.rook_ray[square] = rook_walk(square, 0)
        tables.queen_ray[square] = tables.bishop_ray[square] | tables.rook_ray[square]
        tables.reach[square] = (tables.queen_ray[square] | tables.step[BLACK][KNIGHT][square]
                                | tables.step[WHITE][KNIGHT][square])
        for i in range(3):
            tables.ray_up[i][square] = ray(square, 1, 1 - i, 0)
            tables.ray_down[i][square] = reversed_bytes(ray(square, -1, i - 1, 0))
        for files in range(-1, 2):
            for ranks in range(-1, 2):
                if files == 0 and ranks == 0:
                    continue
                one_way = ray(square, files, ranks, 0)
                for other in range(SQUARES):
                    if some(one_way & bit(other)):
                        tables.line[square][other] = one_way | ray(square, -files, -ranks, 0) | bit(square)
                        tables.between[square][other] = one_way & ray(other, -files, -ranks, 0)
        for files in range(-2, 3):
            for ranks in range(-3, 4):
                tables.near[square] |= square_at(file_of(square) + files, rank_of(square) + ranks)


cdef void fill_sliders() noexcept:
    cdef int square, n
    cdef u64 index
    cdef u128 inner, subset, edge_files = file_set(0) | file_set(8), edge_ranks = rank_set(0) | rank_set(8)
    cdef u32 offset = 0
    for n in range(9):
        for index in range(128):
            tables.file_attack[n][index] = <u16>low_word(rook_walk(n, <u128>index << 1) & file_set(0))
            subset = nth_subset(rank_set(0) & ~edge_files, index)
            tables.rank_attack[n][index] = rook_walk(9 * n, subset) & rank_set(0)
    for square in range(SQUARES):
        inner = tables.bishop_ray[square] & ~edge_files & ~edge_ranks
        tables.bishop_low[square] = low_word(inner)
        tables.bishop_high[square] = high_word(inner)
        tables.bishop_shift[square] = popcount(low_word(inner))
        tables.bishop_offset[square] = offset
        for index in range(1ULL << count(inner)):
            subset = nth_subset(inner, index)
            tables.bishop_attack[offset] = bishop_walk(square, subset)
            offset += 1


cdef void fill_regions() noexcept:
    cdef int color, rank, kind, ahead
    cdef u128 stuck
    for color in range(2):
        for rank in range(9):
            for ahead in range(9):
                if (ahead < rank) if color == BLACK else (ahead > rank):
                    tables.forward[color][rank] |= rank_set(ahead)
        tables.zone[color] = tables.forward[color][3 if color == BLACK else 5]
        for kind in range(KINDS):
            stuck = 0
            if kind == PAWN or kind == LANCE:
                stuck = tables.forward[color][1 if color == BLACK else 7]
            elif kind == KNIGHT:
                stuck = tables.forward[color][2 if color == BLACK else 6]
            tables.droppable[color][kind] = all_squares() & ~stuck


fill_steps()
fill_rays()
fill_sliders()
fill_regions()
