"""Sums of KK, KKP and KPP (see kpp.pxd)."""
from libc.string cimport memcpy

from engine.position cimport BLACK_KING
from engine.types cimport SQUARE_ROW, Place, i16, u64
from eval.features cimport FEATURES, LISTED, inverse_square, mirror_square
from eval.tables.layout cimport BLACK_VIEW, TRIANGULAR_GATHER, WHITE_VIEW, KingsEntry, mirror_row, rows

cdef extern from "tables/gather.h" nogil:
    i32 gather_change(const i16* kpp, const u16* list, u64 alive, const i32* added, const i32* removed, int count)
    i32 gather_pairs(const i16* kpp, const u16* list)

cdef enum:
    NO_COLOR = 2
    LAST_FILE_SEEN = 4          # kings on higher files are mirrored
    WORTH_REPLACING = 9         # number of pieces; if more differ, a full sum of the half is faster

cdef struct Change:             # the rows of the pieces that a move changes, in one view
    int count
    int number[2]
    u64 alive                   # bit n: piece n is in play and does not change
    i32 added[2]
    i32 removed[2]


# -- Views -------------------------------------------------------------------------------------------------------------

cdef inline int seen_square(int color, int square) noexcept nogil:
    """A king's square in its side's view, not yet mirrored."""
    return inverse_square(square) if color == WHITE else square


cdef inline bint is_mirrored(int color, int king) noexcept nogil:
    return seen_square(color, king) // 9 > LAST_FILE_SEEN


cdef inline int view_of(int color, int king) noexcept nogil:
    return (WHITE_VIEW if color == WHITE else BLACK_VIEW) + is_mirrored(color, king)


cdef inline const i16* kpp_of(const KppTables* tables, int color, int king) noexcept nogil:
    cdef int square = seen_square(color, king)
    return tables.kpp + tables.stride * <size_t>(mirror_square(square) if is_mirrored(color, king) else square)


cdef inline int king_pair(const u8* king) noexcept nogil:
    """The index of two kings in KK and KKP."""
    if is_mirrored(BLACK, king[BLACK]):
        return mirror_square(king[BLACK]) * SQUARES + mirror_square(king[WHITE])
    return king[BLACK] * SQUARES + king[WHITE]


# -- Sums over rows ----------------------------------------------------------------------------------------------------

cdef i32 scalar_change(const i16* kpp, const u16* list, const Change* change) noexcept nogil:
    """The result of `gather_change` for a square table: sums over all pieces, then subtracts those that are not
    alive."""
    cdef const i16* added = kpp + change.added[0] * FEATURES
    cdef const i16* removed = kpp + change.removed[0] * FEATURES
    cdef const i16* added_too
    cdef const i16* removed_too
    cdef i32 sum = 0
    cdef int i, row
    if change.count == 1:
        for i in range(LISTED):
            sum += added[list[i]] - removed[list[i]]
        row = change.removed[0]
        return sum - (added[row] - removed[row])
    added_too = kpp + change.added[1] * FEATURES
    removed_too = kpp + change.removed[1] * FEATURES
    for i in range(LISTED):
        row = list[i]
        sum += added[row] - removed[row] + added_too[row] - removed_too[row]
    for i in range(2):
        row = change.removed[i]
        sum -= added[row] - removed[row] + added_too[row] - removed_too[row]
    return sum


cdef i32 scalar_pairs(const i16* kpp, const u16* list) noexcept nogil:
    cdef const i16* row
    cdef i32 sum = 0
    cdef int i, j
    for i in range(1, LISTED):
        row = kpp + list[i] * FEATURES
        for j in range(i):
            sum += row[list[j]]
    return sum


cdef inline i32 pair(const KppTables* tables, const i16* kpp, i32 a, i32 b) noexcept nogil:
    if tables.kernel == TRIANGULAR_GATHER:
        return kpp[max(a * (a + 1) // 2 + b, b * (b + 1) // 2 + a)]
    return kpp[a * FEATURES + b]


cdef inline i32 change_of(const KppTables* tables, const i16* kpp, const u16* list,
                          const Change* change) noexcept nogil:
    """The change of a half; `list` is the list before the move."""
    cdef i32 sum
    if tables.kernel == TRIANGULAR_GATHER:
        sum = gather_change(kpp, list, change.alive, change.added, change.removed, change.count)
    else:
        sum = scalar_change(kpp, list, change)
    if change.count == 2:
        sum += pair(tables, kpp, change.added[0], change.added[1])
        sum -= pair(tables, kpp, change.removed[0], change.removed[1])
    return sum


cdef inline i32 pairs_of(const KppTables* tables, const i16* kpp, const u16* list) noexcept nogil:
    """The full sum of a half."""
    if tables.kernel == TRIANGULAR_GATHER:
        return gather_pairs(kpp, list)
    return scalar_pairs(kpp, list)


cdef void sum_kings(const KppTables* tables, KppSums* sums) noexcept nogil:
    """Compute the full sums of KK and KKP from Black's list."""
    cdef int place = king_pair(sums.king)
    cdef const KingsEntry* row = tables.kkp + <size_t>place * FEATURES
    cdef i32 kings = tables.kk[place].value
    cdef i32 turn = tables.kk[place].turn
    cdef int i
    for i in range(LISTED):
        kings += row[sums.rows[BLACK][i]].value
        turn += row[sums.rows[BLACK][i]].turn
    sums.kings = kings
    sums.turn = turn


# -- Plies -------------------------------------------------------------------------------------------------------------

cdef void refresh_sums(const KppTables* tables, KppSums* sums, const Pos* pos) noexcept nogil:
    cdef int color, number, view
    for color in range(2):
        sums.king[color] = pos.king[color]
        view = view_of(color, pos.king[color])
        for number in range(LIST):
            sums.rows[color][number] = rows[pos.place[number]][view]
        sums.half[color] = pairs_of(tables, kpp_of(tables, color, pos.king[color]), sums.rows[color])
    sum_kings(tables, sums)


cdef void replace_row(const KppTables* tables, const i16* kpp, RefreshEntry* entry, int number, u16 row) noexcept nogil:
    cdef Change change
    change.count = 1
    change.alive = (<u64>1 << LISTED) - 1 & ~(<u64>1 << number)
    change.number[0] = number
    change.removed[0] = entry.rows[number]
    change.added[0] = row
    entry.half += change_of(tables, kpp, entry.rows, &change)
    entry.rows[number] = row


cdef i32 half_after_king(const KppTables* tables, const i16* kpp, RefreshEntry* entry, const u16* list) noexcept nogil:
    """The half of a king that has just moved to a square, from the refresh cache's entry for that square."""
    cdef int differing = LISTED
    cdef int i
    if entry.known:
        differing = 0
        for i in range(LISTED):
            differing += entry.rows[i] != list[i]
    if differing <= WORTH_REPLACING:
        for i in range(LISTED):
            if entry.rows[i] != list[i]:
                replace_row(tables, kpp, entry, i, list[i])
    else:
        entry.half = pairs_of(tables, kpp, list)
        memcpy(entry.rows, list, sizeof(entry.rows))
        entry.known = True
    return entry.half


cdef void update_sums(const KppTables* tables, RefreshCache* cache, KppSums* sums, const KppSums* parent,
                      const DirtyPieces* dirty) noexcept nogil:
    cdef int moved_king = NO_COLOR
    cdef int color, i, view, number
    cdef Place after[2]
    cdef const KingsEntry* kkp
    cdef Change change
    sums[0] = parent[0]
    change.count = 0
    change.alive = (<u64>1 << LISTED) - 1
    for i in range(dirty.count):
        number = dirty.number[i]
        if number >= BLACK_KING:
            moved_king = number - BLACK_KING
            sums.king[moved_king] = <u8>(dirty.after[i] % SQUARE_ROW)
        else:
            change.number[change.count] = number
            after[change.count] = dirty.after[i]
            change.alive &= ~(<u64>1 << number)
            change.count += 1
    for color in range(2):
        view = view_of(color, parent.king[color])
        for i in range(change.count):
            change.removed[i] = parent.rows[color][change.number[i]]
            change.added[i] = rows[after[i]][view]
            sums.rows[color][change.number[i]] = <u16>change.added[i]
        if color == moved_king:
            if is_mirrored(color, parent.king[color]) != is_mirrored(color, sums.king[color]):
                for i in range(LISTED):
                    sums.rows[color][i] = mirror_row[sums.rows[color][i]]
            sums.half[color] = half_after_king(tables, kpp_of(tables, color, sums.king[color]),
                                               &cache.entries[color][sums.king[color]], sums.rows[color])
        elif change.count:
            sums.half[color] += change_of(tables, kpp_of(tables, color, parent.king[color]), parent.rows[color],
                                          &change)
            if color == BLACK and moved_king == NO_COLOR:
                kkp = tables.kkp + <size_t>king_pair(parent.king) * FEATURES
                for i in range(change.count):
                    sums.kings += kkp[change.added[i]].value - kkp[change.removed[i]].value
                    sums.turn += kkp[change.added[i]].turn - kkp[change.removed[i]].turn
    if moved_king != NO_COLOR:
        sum_kings(tables, sums)
