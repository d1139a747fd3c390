"""Graph-history interaction (GHI): a registry of the loops that a search has met.

A value that rests on a repetition holds only on paths that contain the loop's head, which is the position repeated. The
table marks such bounds. The registry knows which loops each of them rests on and looks for their heads on the present
path, so that a bound is reused only where it holds.

A loop is its head and the moves of one lap. A dictionary maps a position's key to the loops through it, with its offset
on each, and to the bounds noted for it. To find a position on a loop, the lap is walked.

The memory has a fixed size and belongs to one worker. Once it is full, nothing more is registered. Bounds that are not
noted here are never reused; that includes those of other threads and of earlier searches. The table stores a bound's
thread, so that an equal bound of this thread is not mistaken for them.
"""
from engine.position cimport Pos
from engine.rules cimport Repetition
from engine.types cimport Move, i16, u8, u16, u32, u64

cdef enum:
    LAP_LIMIT = 32              # plies; longer loops are not registered
    LOOP_LIMIT = 4096
    MEMBER_LIMIT = 32768        # places on loops, all loops together
    SLOTS = 16384               # of the dictionary, a power of two
    RESTS = 4                   # loops that one noted bound may rest on

cdef enum:                      # which bound
    LOWER = 0
    UPPER = 1

cdef struct Loop:
    u64 head                    # the key of the position repeated
    u32 checks                  # bit i: move i of the lap gives check
    u8 length                   # plies
    u8 kind                     # the verdict when the lap closes; with BETTER and WORSE only the board repeats
    Move moves[LAP_LIMIT]

cdef struct Member:
    u16 loop
    u16 offset                  # plies from the head
    u16 next                    # the next member of the same position; members count from 1, and 0 ends the list

cdef struct Note:               # a bound, as stored in the table, and the loops it rests on
    i16 value
    u8 depth                    # depth + 1; 0: no bound
    u8 count
    u16 members[RESTS]

cdef struct Slot:
    u64 key
    u16 first                   # member; 0: the slot is free
    Note notes[2]               # by LOWER, UPPER

cdef struct Loops:
    int loop_count
    int member_count
    int slot_count
    u64 found                   # loops registered from a path
    u64 spliced
    u64 dropped                 # because memory was full
    u64 noted                   # bounds that rest on known loops
    u64 granted
    u64 refused
    Loop loops[LOOP_LIMIT]
    Member members[MEMBER_LIMIT + 1]
    Slot slots[SLOTS]

# The loop heads that a value rests on are a set of plies, one bit each. Bit 0 stands for the root and the game before
# it, which every path contains. Bit 63 stands for ply 63 and all deeper ones.
cdef inline u64 head_bit(int ply) noexcept nogil:
    return <u64>1 << max(0, min(ply, 63))

cdef inline u64 heads_above(u64 heads, int ply) noexcept nogil:
    """The heads above a node. A loop whose head is at or below the node lies wholly in its subtree and does not count.
    From ply 64 on bit 63 is kept, because it may stand for a head above the node."""
    return heads & (head_bit(ply) - 1) if ply <= 63 else heads

cdef void clear_loops(Loops* loops) noexcept nogil
cdef void register_loop(Loops* loops, const Pos* pos, int distance, Repetition kind) noexcept nogil
"""Register the loop that the last `distance` plies of the path have closed."""
cdef void note_bound(Loops* loops, const Pos* pos, int ply, u64 heads, int side, int value, int depth) noexcept nogil
"""Note that the node's bound, as stored in the table, rests on these heads."""
cdef u64 reuse_bound(Loops* loops, Pos* pos, int ply, int side, int value, int depth) noexcept nogil
"""The heads on the present path that a bound rests on; 0 if one is missing or the bound is not noted. On reuse,
register the loop made of this path and the rest of each lap, so that nodes that inherit the value know it."""
