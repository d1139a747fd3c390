"""The registry of loops and of the bounds that rest on them (see loops.pxd)."""
from libc.string cimport memcmp, memset

from engine.position cimport State, do_move, key, undo_move
from engine.types cimport i32, lsb

cdef enum:
    SLOTS_USED = SLOTS // 4 * 3             # beyond that a dictionary with open addressing becomes slow
    EVEN_MOVES = 0x55555555                 # of a lap: those of the side to move at its head


cdef inline u64 key_of(const State* state) noexcept nogil:
    return state.board_key ^ state.hand_key


# -- The dictionary ----------------------------------------------------------------------------------------------------

cdef Slot* slot_of(Loops* loops, u64 position) noexcept nogil:
    """The slot of a position, or the free one where it belongs."""
    cdef u64 i = position & (SLOTS - 1)
    while loops.slots[i].first and loops.slots[i].key != position:
        i = (i + 1) & (SLOTS - 1)
    return &loops.slots[i]


cdef const Member* member_on(const Loops* loops, const Slot* slot, const Loop* path) noexcept nogil:
    """The position's place on a loop whose first moves are those of `path`; NULL if there is none."""
    cdef int i = slot.first
    cdef const Member* member
    cdef const Loop* loop
    while i:
        member = &loops.members[i]
        loop = &loops.loops[member.loop]
        if member.offset == path.length and loop.head == path.head and not memcmp(
                loop.moves, path.moves, path.length * sizeof(Move)):
            return member
        i = member.next
    return NULL


cdef bint is_known(Loops* loops, const Loop* lap) noexcept nogil:
    cdef int i = slot_of(loops, lap.head).first
    cdef const Loop* loop
    while i:
        loop = &loops.loops[loops.members[i].loop]
        if loop.head == lap.head and loop.length == lap.length and loop.kind == lap.kind and not memcmp(
                loop.moves, lap.moves, lap.length * sizeof(Move)):
            return True
        i = loops.members[i].next
    return False


cdef bint add_loop(Loops* loops, const Loop* lap, const u64* positions) noexcept nogil:
    """Register a lap whose positions have these keys. False if it is known already or memory is full."""
    cdef int i
    cdef Slot* slot
    cdef Member* member
    if is_known(loops, lap):
        return False
    if (loops.loop_count == LOOP_LIMIT or loops.member_count + lap.length > MEMBER_LIMIT
            or loops.slot_count + lap.length > SLOTS_USED):
        loops.dropped += 1
        return False
    for i in range(lap.length):
        slot = slot_of(loops, positions[i])
        if not slot.first:
            slot.key = positions[i]
            loops.slot_count += 1
        loops.member_count += 1
        member = &loops.members[loops.member_count]
        member.loop = <u16>loops.loop_count
        member.offset = <u16>i
        member.next = slot.first
        slot.first = <u16>loops.member_count
    loops.loops[loops.loop_count] = lap[0]
    loops.loop_count += 1
    return True


# -- Registering -------------------------------------------------------------------------------------------------------

cdef void clear_loops(Loops* loops) noexcept nogil:
    # Over a megabyte, and most short searches meet no loop: then there is nothing to clear.
    if loops.slot_count:
        memset(loops, 0, sizeof(Loops))
    else:
        loops.found = loops.spliced = loops.dropped = loops.noted = loops.granted = loops.refused = 0


cdef void copy_path(Loop* lap, u64* positions, const State* state, int distance) noexcept nogil:
    """Make the last `distance` moves of the path the beginning of a lap."""
    cdef int i
    lap.head = key_of(state - distance)
    lap.checks = 0
    for i in range(distance):
        positions[i] = key_of(state - distance + i)
        lap.moves[i] = (state - distance + i + 1).move
        if (state - distance + i + 1).checkers:
            lap.checks |= <u32>1 << i
    lap.length = <u8>distance


cdef void register_loop(Loops* loops, const Pos* pos, int distance, Repetition kind) noexcept nogil:
    cdef Loop lap
    cdef u64[LAP_LIMIT] positions
    if distance > LAP_LIMIT:
        loops.dropped += 1
        return
    copy_path(&lap, positions, pos.state, distance)
    lap.kind = <u8>kind
    if add_loop(loops, &lap, positions):
        loops.found += 1


cdef void splice(Loops* loops, Pos* pos, const Member* member, int distance) noexcept nogil:
    """The path left the loop's head `distance` plies ago and has now come back to the loop. Register it with the rest
    of the lap as a new loop. If the rest crosses the path, the loop closes before the head, and nothing is
    registered."""
    cdef const Loop* loop = &loops.loops[member.loop]
    cdef int rest = loop.length - member.offset
    cdef int walked = 0
    cdef bint crosses = False
    cdef Loop lap
    cdef u64[LAP_LIMIT] positions
    cdef int i
    if distance + rest > LAP_LIMIT:
        loops.dropped += 1
        return
    copy_path(&lap, positions, pos.state, distance)
    if distance == member.offset and not memcmp(lap.moves, loop.moves, distance * sizeof(Move)):
        return                              # the path followed the loop
    while walked < rest and not crosses:
        positions[distance + walked] = key(pos)
        for i in range(distance):
            crosses |= positions[i] == key(pos)
        lap.moves[distance + walked] = loop.moves[member.offset + walked]
        do_move(pos, lap.moves[distance + walked])
        walked += 1
    while walked:
        undo_move(pos)
        walked -= 1
    if crosses:
        return
    lap.checks |= loop.checks >> member.offset << distance
    lap.length = <u8>(distance + rest)
    lap.kind = loop.kind                    # `checks_alike` has found what decides it to be equal
    if add_loop(loops, &lap, positions):
        loops.spliced += 1


# -- Bounds ------------------------------------------------------------------------------------------------------------

cdef void note_bound(Loops* loops, const Pos* pos, int ply, u64 heads, int side, int value, int depth) noexcept nogil:
    cdef Slot* slot = slot_of(loops, key(pos))
    cdef const Member* member
    cdef Loop path
    cdef u64[LAP_LIMIT] positions
    cdef Note note
    cdef int distance
    slot.notes[side].depth = 0              # an equal bound noted before may rest on other loops
    if heads & (head_bit(0) | head_bit(63)):
        return                              # the game's own history, or too deep to tell
    note.value = <i16>value
    note.depth = <u8>(depth + 1)
    note.count = 0
    while heads:
        distance = ply - lsb(heads)
        heads &= heads - 1
        if note.count == RESTS or distance >= LAP_LIMIT:
            return
        copy_path(&path, positions, pos.state, distance)
        member = member_on(loops, slot, &path)
        if member == NULL:
            return
        note.members[note.count] = <u16>(member - loops.members)
        note.count += 1
    slot.notes[side] = note
    loops.noted += 1


cdef int distance_to_head(const Pos* pos, int ply, const Loop* loop, int offset) noexcept nogil:
    """How many plies ago the path was at the loop's head. 0 if it was not, or only at the root."""
    cdef int reach = min(ply - 1, pos.state.plies)
    cdef int distance = 2 - (offset & 1)    # the same side is to move at the head
    while distance <= reach:
        if key_of(pos.state - distance) == loop.head:
            return distance
        distance += 2
    return 0


cdef bint checks_alike(const Pos* pos, int distance, const Loop* loop, int offset) noexcept nogil:
    """Whether this path and the loop agree, for each side, on whether all its moves since the head were checks. Then
    the verdict on perpetual check is the same when the lap closes."""
    cdef u32 lap = (<u32>1 << offset) - 1
    cdef u32 theirs = lap & (EVEN_MOVES if offset & 1 else ~<u32>EVEN_MOVES)    # theirs is the last move
    cdef u32 ours = lap & ~theirs
    cdef const i32* checks = pos.state.checks
    return ((checks[pos.turn] >= distance // 2) == (loop.checks & ours == ours)
            and (checks[pos.turn ^ 1] >= (distance + 1) // 2) == (loop.checks & theirs == theirs))


cdef u64 reuse_bound(Loops* loops, Pos* pos, int ply, int side, int value, int depth) noexcept nogil:
    cdef const Note* note
    cdef const Member* member
    cdef const Loop* loop
    cdef int[RESTS] distances
    cdef u64 heads = 0
    cdef int i
    if not loops.loop_count:
        return 0
    note = &slot_of(loops, key(pos)).notes[side]
    if ply >= 63 or note.depth != depth + 1 or note.value != value:
        loops.refused += 1
        return 0
    for i in range(note.count):
        member = &loops.members[note.members[i]]
        loop = &loops.loops[member.loop]
        distances[i] = distance_to_head(pos, ply, loop, member.offset)
        if not distances[i] or not checks_alike(pos, distances[i], loop, member.offset):
            loops.refused += 1
            return 0
        heads |= head_bit(ply - distances[i])
    for i in range(note.count):
        splice(loops, pos, &loops.members[note.members[i]], distances[i])
    loops.granted += 1
    return heads
