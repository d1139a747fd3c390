"""The mate solver's table (see table.pxd)."""
from engine.atomic cimport relaxed_load
from engine.types cimport MOVE_NONE, hand_dominates
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    FIRST_SLOTS = 1 << 14
    GROWTH = 4
    SPILL = 4096                # slots after the last home
    SAMPLES = 4096
    POLL_INTERVAL = 4096        # entries moved between two checks of the stop flag


cdef int allocate(MateTable* table, u64 bytes) noexcept nogil:
    # Untouched pages cost nothing: the small table of an easy problem stays small.
    memset(table, 0, sizeof(MateTable))
    table.repeat_slots = bytes // 16 // sizeof(Repeat)
    table.max_slots = (bytes - table.repeat_slots * sizeof(Repeat)) // sizeof(Entry) - SPILL
    table.entries = <Entry*>calloc(table.max_slots + SPILL, sizeof(Entry))
    table.repeats = <Repeat*>calloc(table.repeat_slots, sizeof(Repeat))
    if table.entries == NULL or table.repeats == NULL:
        free_table(table)
        return -1
    table.slots = min(<u64>FIRST_SLOTS, table.max_slots)
    return 0


cdef void free_table(MateTable* table) noexcept nogil:
    free(table.entries)
    free(table.repeats)
    table.entries = NULL
    table.repeats = NULL


cdef void empty(MateTable* table) noexcept nogil:
    memset(table.entries, 0, (table.slots + SPILL) * sizeof(Entry))
    memset(table.repeats, 0, table.repeat_slots * sizeof(Repeat))
    table.slots = min(<u64>FIRST_SLOTS, table.max_slots)
    table.used = 0


# -- Looking up --------------------------------------------------------------------------------------------------------

cdef inline bint implies(bint proven, int length, Hand pieces, int other_length, Hand hand) noexcept nogil:
    """Whether an entry with this length and these pieces decides a position with that limit and hand: as a proof of a
    mate, or as a disproof."""
    if proven:
        return length <= other_length and hand_dominates(hand, pieces)
    return length >= other_length and hand_dominates(pieces, hand)


cdef void look_up(const MateTable* table, u64 key, Hand hand, int limit, Known* known) noexcept nogil:
    cdef const Entry* entry = home(table, key)
    known.pn = known.dn = 1
    known.exact = known.looped = False
    known.amount = 0
    known.min_ply = 0xffff
    while entry.key:
        if entry.key != key or entry.flags & DEAD:
            entry += 1
            continue
        if entry.pn == 0 or entry.dn == 0:
            if implies(entry.pn == 0, entry.length, entry.hand, limit, hand):
                known.pn = entry.pn
                known.dn = entry.dn
                break
        elif entry.length == limit:
            if entry.hand == hand:
                known.pn = max(known.pn, entry.pn)
                known.dn = max(known.dn, entry.dn)
                known.exact = True
                known.looped = (entry.flags & LOOPED) != 0
                known.amount = entry.amount
                known.min_ply = entry.min_ply
            elif hand_dominates(entry.hand, hand):      # with a smaller hand a proof is not easier
                known.pn = max(known.pn, entry.pn)
            elif hand_dominates(hand, entry.hand):
                known.dn = max(known.dn, entry.dn)
        entry += 1
    else:
        return
    known.hand = entry.hand
    known.length = entry.length
    known.move = entry.move
    known.amount = entry.amount
    known.min_ply = entry.min_ply
    known.exact = True
    known.looped = False


cdef inline Entry* last_slot(const MateTable* table) noexcept nogil:
    """The last slot, which stays free so that every sweep ends."""
    return table.entries + table.slots + SPILL - 1


# -- Storing -----------------------------------------------------------------------------------------------------------

cdef inline void write(Entry* entry, u64 key, Hand hand, u32 pn, u32 dn, u32 amount, Move move, int length, int ply,
                       int flags) noexcept nogil:
    entry.key = key
    entry.hand = hand
    entry.pn = pn
    entry.dn = dn
    entry.amount = amount
    entry.move = move
    entry.length = length
    entry.min_ply = ply
    entry.flags = flags


cdef void store_decided(MateTable* table, u64 key, bint proven, Hand pieces, int length, Move move, int ply,
                        u32 amount) noexcept nogil:
    cdef Entry* entry = <Entry*>home(table, key)
    cdef Entry* target = NULL
    cdef bint same              # the entry is of the same kind
    while entry.key:
        if entry.key == key and not entry.flags & DEAD:
            same = entry.pn == 0 if proven else entry.dn == 0
            if same and implies(proven, entry.length, entry.hand, length, pieces):
                entry.amount = max(entry.amount, amount)
                return
            if (same or entry.pn and entry.dn) and implies(proven, length, pieces, entry.length, entry.hand):
                if target == NULL:
                    target = entry
                else:
                    entry.flags |= DEAD
                    entry.amount = 0
        elif entry.key == key and target == NULL:
            target = entry
        entry += 1
    if target == NULL:
        if entry == last_slot(table):
            return
        target = entry
        table.used += 1
    write(target, key, pieces, 0 if proven else PN_INF, PN_INF if proven else 0, amount, move, length, ply, 0)


cdef void store_numbers(MateTable* table, u64 key, Hand hand, int limit, u32 pn, u32 dn, int ply, u32 amount,
                        bint looped) noexcept nogil:
    cdef Entry* entry = <Entry*>home(table, key)
    cdef Entry* target = NULL
    while entry.key:
        if entry.key == key:
            if entry.flags & DEAD:
                if target == NULL:
                    target = entry
            elif entry.pn and entry.dn and entry.hand == hand and entry.length == limit:
                entry.pn = pn
                entry.dn = dn
                entry.amount = amount
                entry.min_ply = min(<int>entry.min_ply, ply)
                if looped:
                    entry.flags |= LOOPED
                return
        entry += 1
    if target == NULL:
        if entry == last_slot(table):
            return
        target = entry
        table.used += 1
    write(target, key, hand, pn, dn, amount, MOVE_NONE, limit, ply, LOOPED if looped else 0)


# -- Room --------------------------------------------------------------------------------------------------------------

cdef bint room(const MateTable* table) noexcept nogil:
    return table.used * 4 < table.slots * 3


cdef inline Entry* reinsert(MateTable* table, u64 index) noexcept nogil:
    """Move an entry to the first free slot at or after its home, which may be its own. Returns that slot."""
    cdef Entry moved = table.entries[index]
    cdef Entry* entry = <Entry*>home(table, moved.key)
    table.entries[index].key = 0
    while entry.key:
        entry += 1
    if entry == last_slot(table):
        table.used -= 1
    else:
        entry[0] = moved
    return entry


cdef bint grow(MateTable* table, const i64* stop) noexcept nogil:
    """Multiply the slots by GROWTH and move every entry. False if stopped.

    Homes move up by the same factor, so entries are moved from the last one down, to places behind all entries still to
    be moved. An exception is an entry near the table's beginning that lies far behind its home. The entries before it
    are moved later and leave gaps, so a second pass moves that part of the table again.
    """
    cdef i64 i = <i64>(table.slots + SPILL) - 1
    cdef i64 disturbed = -1             # the last slot that may have gaps before it
    table.slots = min(table.slots * GROWTH, table.max_slots)
    while i >= 0:
        if i % POLL_INTERVAL == 0 and relaxed_load(stop):
            return False
        if table.entries[i].key and reinsert(table, i) - table.entries <= i:
            disturbed = max(disturbed, i)
        i -= 1
    i = 0
    while i <= disturbed or (disturbed >= 0 and table.entries[i].key):
        if table.entries[i].key:
            reinsert(table, i)
        i += 1
    return True


cdef u32 median_amount(const MateTable* table) noexcept nogil:
    """The median amount of the entries, rounded up to 2**n - 1, from a sample."""
    cdef int[32] counts         # entries by the number of bits of their amount
    cdef u64 step = max(table.slots // SAMPLES, <u64>1)
    cdef u64 i = 0
    cdef int seen, bits
    cdef int total = 0
    memset(counts, 0, sizeof(counts))
    while i < table.slots:
        if table.entries[i].key:
            bits = 0
            while bits < 31 and table.entries[i].amount >> bits:
                bits += 1
            counts[bits] += 1
            total += 1
        i += step
    bits = 0
    seen = counts[0]
    while bits < 31 and seen * 2 < total:
        bits += 1
        seen += counts[bits]
    return (<u32>1 << bits) - 1


cdef bint collect(MateTable* table, const i64* stop) noexcept nogil:
    """Drop the entries with the smallest subtrees; move the others to the first free slot at or after their homes.
    False if stopped."""
    cdef u32 smallest = median_amount(table)
    cdef u64 i = 0
    cdef u64 end = table.slots + SPILL
    while i < end:
        if i % POLL_INTERVAL == 0 and relaxed_load(stop):
            return False
        if table.entries[i].key:
            if table.entries[i].amount > smallest and not table.entries[i].flags & DEAD:
                reinsert(table, i)
            else:
                table.entries[i].key = 0
                table.used -= 1
        i += 1
    return True


cdef bint make_room(MateTable* table, const i64* stop) noexcept nogil:
    if table.slots < table.max_slots:
        return grow(table, stop)
    return collect(table, stop)


# -- Repetitions by path -----------------------------------------------------------------------------------------------

cdef void store_repeat(MateTable* table, u64 key, int ply) noexcept nogil:
    cdef Repeat* repeat = table.repeats + <u64>((<u128>key * table.repeat_slots) >> 64)
    repeat.key = key
    repeat.ply = ply


cdef int find_repeat(const MateTable* table, u64 key) noexcept nogil:
    cdef const Repeat* repeat = table.repeats + <u64>((<u128>key * table.repeat_slots) >> 64)
    return repeat.ply if repeat.key == key else NO_REPEAT


cdef int mate_hashfull(const MateTable* table) noexcept nogil:
    return <int>(table.used * 1000 // table.max_slots)
