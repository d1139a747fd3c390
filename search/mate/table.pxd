"""The mate solver's table: proof and disproof numbers by board, with dominance of hands.

The key is that of the board (with the side to move); the hand is the attacker's. A proven entry stores its proof
pieces, the smallest hand that the proof needs, and serves every position with the same board and at least that hand. A
disproven entry stores its disproof pieces, the largest hand that still fails. The defender has the rest of the set, so
more for one side is less for the other.

Every entry has a limit of plies (NO_LIMIT if none was set). A proven entry means "mate within `length` plies", a
disproven one "no mate within `length` plies". The numbers of an undecided entry serve its own limit only.

All entries of a board are found by one sweep, from the key's home to the first free slot (linear probing). The table
starts small and quadruples until it has its full size. When the full-sized table is full, the entries with the smallest
subtrees are dropped.

A disproof that rests on a repetition holds on some paths only, so no entry stores it. Such a disproof is stored as a
`Repeat` by a key of the whole path, and the board's entry is marked LOOPED.
"""
from engine.types cimport Hand, Move, i32, i64, u128, u16, u32, u64

cdef enum:
    NO_LIMIT = 0xffff           # plies
    PN_INF = 1 << 30            # the proof number of a disproven node, the disproof number of a proven one
    PN_MAX = PN_INF - 1         # the largest number of an undecided node
    NO_REPEAT = 1 << 30         # no ply: the result rests on no repetition

cdef enum:                      # Entry.flags
    LOOPED = 1                  # disproven by a repetition on some path
    DEAD = 2                    # superseded by another entry

cdef struct Entry:              # 32 bytes; free if the key is 0
    u64 key
    Hand hand
    u32 pn
    u32 dn
    u32 amount                  # nodes spent on it
    Move move                   # the move that proves (attacker to move) or disproves (defender to move)
    u16 length                  # plies, see above
    u16 min_ply                 # the smallest ply at which it was met
    u16 flags

cdef struct Repeat:             # 16 bytes
    u64 key                     # of position, hand and path
    i32 ply                     # of the shallowest position on the path that is repeated
    u32 spare

cdef struct MateTable:
    Entry* entries
    u64 slots                   # slots that can be homes; SPILL more follow
    u64 max_slots
    u64 used                    # entries
    Repeat* repeats
    u64 repeat_slots

cdef struct Known:              # what the table knows about a position
    u32 pn
    u32 dn
    Hand hand                   # proof or disproof pieces
    u32 amount
    Move move
    u16 length
    u16 min_ply
    bint exact                  # from an entry with this hand and limit; else pn and dn are lower bounds
    bint looped

cdef int allocate(MateTable* table, u64 bytes) noexcept nogil       # -1 when memory is short
cdef void free_table(MateTable* table) noexcept nogil
cdef void empty(MateTable* table) noexcept nogil                    # and small again

cdef inline const Entry* home(const MateTable* table, u64 key) noexcept nogil:
    return table.entries + <u64>((<u128>key * table.slots) >> 64)

cdef void look_up(const MateTable* table, u64 key, Hand hand, int limit, Known* known) noexcept nogil
"""Fill `known` with the best that any entry of the board says for this hand and limit; pn = dn = 1 if none does."""

# `room` says whether another entry fits; if not, call `make_room` before storing one.
cdef void store_decided(MateTable* table, u64 key, bint proven, Hand pieces, int length, Move move, int ply,
                        u32 amount) noexcept nogil
"""Store a proof, or a disproof, with its pieces and its length."""
cdef void store_numbers(MateTable* table, u64 key, Hand hand, int limit, u32 pn, u32 dn, int ply, u32 amount,
                        bint looped) noexcept nogil

cdef bint room(const MateTable* table) noexcept nogil
cdef bint make_room(MateTable* table, const i64* stop) noexcept nogil
"""Grow the table or drop entries. False if `*stop` was set meanwhile: then empty the table before its next use."""

cdef void store_repeat(MateTable* table, u64 key, int ply) noexcept nogil
cdef int find_repeat(const MateTable* table, u64 key) noexcept nogil      # its ply, or NO_REPEAT

cdef int mate_hashfull(const MateTable* table) noexcept nogil             # per mille of the whole size
