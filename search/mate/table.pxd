"""The mate solver's table: proof and disproof numbers by board, with the dominance of hands.

The key is the board's (with the side to move), the hand is the attacker's. A proven entry keeps its *proof pieces*, the
smallest hand that the proof needs: it serves every position of the same board with at least that hand. A disproven one
keeps its *disproof pieces*, the largest hand that still fails. The defender has what is left of the set, so that more
for one side is less for the other.

Every entry belongs to a limit of plies (NO_LIMIT where none was set). Proven says "a mate within `length` plies",
disproven says "no mate within `length` plies"; the numbers of an entry that is neither serve its own limit only.

All entries of a board lie next to each other, from the key's home up to the first free slot (linear probing), so that
one sweep finds every hand. The table begins small and doubles twice at a time until it has its size; when that is
full, the entries with the smallest subtrees go.

A disproof that rests on a repetition holds on some paths only and never enters an entry. It is kept apart, by a key
that holds the whole path (`Repeat`), and the entry is marked LOOPED: look there too.
"""
from engine.types cimport MOVE_NONE, Hand, Move, hand_dominates, i32, i64, u128, u16, u32, u64

cdef enum:
    NO_LIMIT = 0xffff           # plies
    PN_INF = 1 << 30            # the proof number of what is disproven, the disproof number of what is proven
    PN_MAX = PN_INF - 1         # the largest of an undecided node
    NO_REPEAT = 1 << 30         # a ply that no path reaches: the result rests on no repetition

cdef enum:                      # Entry.flags
    LOOPED = 1                  # was disproven by a repetition on some path
    DEAD = 2                    # another entry says more

cdef struct Entry:              # 32 bytes; free if the key is 0
    u64 key
    Hand hand
    u32 pn
    u32 dn
    u32 amount                  # nodes spent on it: what its loss would cost
    Move move                   # that proves (attacker to move) or disproves (defender to move)
    u16 length                  # plies, see above
    u16 min_ply                 # the nearest to the root that it has been met
    u16 flags

cdef struct Repeat:             # 16 bytes
    u64 key                     # of position, hand and path
    i32 ply                     # of the shallowest position on the path that is repeated
    u32 spare

cdef struct MateTable:
    Entry* entries
    u64 slots                   # in use for homes; SPILL more lie behind them
    u64 max_slots
    u64 used                    # entries
    u64 collections             # garbage collections so far
    u64 kept                    # entries left by the last one
    Repeat* repeats
    u64 repeat_slots

cdef struct Known:              # what the table says about a position
    u32 pn
    u32 dn
    Hand hand                   # proof or disproof pieces
    u32 amount
    Move move
    u16 length
    u16 min_ply
    bint exact                  # there is an entry of this very hand and limit; if not, pn and dn are lower bounds
    bint looped

cdef int allocate(MateTable* table, u64 bytes) noexcept nogil       # -1 when memory is short
cdef void free_table(MateTable* table) noexcept nogil
cdef void empty(MateTable* table) noexcept nogil                    # as small as it began

cdef inline const Entry* home(const MateTable* table, u64 key) noexcept nogil:
    return table.entries + <u64>((<u128>key * table.slots) >> 64)

cdef void look_up(const MateTable* table, u64 key, Hand hand, int limit, Known* known) noexcept nogil

# Each notes one kind of result. `room` says whether another entry fits; if not, call `make_room` first.
cdef void store_proof(MateTable* table, u64 key, Hand proof_pieces, int length, Move move, int ply,
                      u32 amount) noexcept nogil
cdef void store_disproof(MateTable* table, u64 key, Hand disproof_pieces, int limit, Move move, int ply,
                         u32 amount) noexcept nogil
cdef void store_numbers(MateTable* table, u64 key, Hand hand, int limit, u32 pn, u32 dn, int ply, u32 amount,
                        bint looped) noexcept nogil

cdef bint room(const MateTable* table) noexcept nogil
cdef bint make_room(MateTable* table, const i64* stop) noexcept nogil
"""Grow, or collect garbage. False if `*stop` was set meanwhile: the table must then be emptied before its next use."""

cdef void store_repeat(MateTable* table, u64 key, int ply) noexcept nogil
cdef int find_repeat(const MateTable* table, u64 key) noexcept nogil      # its ply, or NO_REPEAT

cdef int mate_hashfull(const MateTable* table) noexcept nogil             # per mille of the whole size
