"""Graph-history interaction (GHI): the loops that a search has met, so that a value which rests on a repetition, and so
on the path, is used again only where it holds.

Such a value is true on the paths that contain the loop's head, the position repeated, and nowhere else. The table marks
its bounds; the registry knows on which loops each of them rests and looks for their heads on the path at hand.

A loop is its head and the moves of one lap. A dictionary leads from the key of a position to the loops it lies on, with
its offset there, and to the bounds noted for it. What stands in a loop is found by walking the lap. All memory is fixed
and belongs to one worker: when it is full nothing more is registered, and what is not noted is never reused. So are
bounds that another thread or an earlier search has stored: their loops are not known here.
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
    u8 kind                     # Repetition, as judged when the lap is closed; BETTER and WORSE close it but for a hand
    Move moves[LAP_LIMIT]

cdef struct Member:
    u16 loop
    u16 offset                  # plies from the head
    u16 next                    # of the same position; 0 ends the list, so members count from 1

cdef struct Note:               # a bound as the table holds it, and what it rests on
    i16 value
    u8 depth                    # plus 1, so that 0 says there is none
    u8 count
    u16 members[RESTS]

cdef struct Slot:
    u64 key
    u16 first                   # member; 0 in a slot that is free
    Note notes[2]               # by LOWER, UPPER

cdef struct Loops:
    int loop_count
    int member_count
    int slot_count
    u64 found                   # loops registered from a path
    u64 spliced
    u64 dropped                 # for want of room
    u64 noted                   # bounds that rest on known loops
    u64 granted
    u64 refused
    Loop loops[LOOP_LIMIT]
    Member members[MEMBER_LIMIT + 1]
    Slot slots[SLOTS]

# The loop heads that a value rests on are a set of plies, a bit for each. Bit 0 stands for the root and the game before
# it, where no other path can lead past, and the last bit for all plies from 63 on.
cdef inline u64 head_bit(int ply) noexcept nogil:
    return <u64>1 << max(0, min(ply, 63))

cdef inline u64 heads_above(u64 heads, int ply) noexcept nogil:
    """The heads that are left when a node is left: a loop that begins there or deeper lies wholly in its subtree. Beyond
    ply 63 the last bit stays, since it may stand for a head above the node."""
    return heads & (head_bit(ply) - 1) if ply <= 63 else heads

cdef void clear_loops(Loops* loops) noexcept nogil
cdef void register_loop(Loops* loops, const Pos* pos, int distance, Repetition kind) noexcept nogil
"""The last `distance` plies of the path have led back to where they began."""
cdef void note_bound(Loops* loops, const Pos* pos, int ply, u64 heads, int side, int value, int depth) noexcept nogil
"""The node's bound, as given to the table, rests on these heads."""
cdef u64 may_reuse(Loops* loops, Pos* pos, int ply, int side, int value, int depth) noexcept nogil
"""The heads on the present path that such a bound rests on; 0 if one of them is not on it or nothing is known. When it
may be reused, the path to here and the rest of each lap are spliced into a loop of their own: on it lie the nodes that
are about to inherit the value."""
