"""The transposition table: what earlier searches found out about a position, as a lower and an upper bound.

It knows nothing but integers: keys, 16-bit moves, scores and depths. Mate scores go in and out counted from the node;
the search converts them.

An entry keeps both bounds, each with its own depth, so that what a fail-high proved is not lost when the same node
fails low. It has 16 bytes and a bucket of four fills one cache line: a probe costs one line of memory.

Threads share the table without locks. An entry is two words, each read and written whole, so a reader may see the first
word of one entry and the second of another, and two writers may leave such a mixture. The check in the first word is
therefore stored XORed with the second: a mixture has a wrong check and is taken for another key's entry. What is read
remains a hint, for two keys may have the same check: a move from here must be tested for legality before it is played,
and bounds that cross count as none. A false entry can give a wrong value, never an illegal move or a crash.
"""
from engine.atomic cimport relaxed_bits, relaxed_set_bits
from engine.system.concurrency cimport Guard
from engine.types cimport INFINITE, MATE_IN_MAX_PLY, NO_SCORE, i16, prefetch, u8, u16, u32, u64, u128

cdef enum:
    BUCKET = 4
    GENERATIONS = 31            # searches are numbered 1..31 in turn; 0 is an entry never written
    OWNERS = 15                 # threads that are told apart, numbered from 1; 0 stands for all others
    OWNER_SHIFT = 4

cdef enum Mark:                 # bits of Entry.marks below the generation
    ON_PV = 1
    LOWER_ON_PATH = 2           # the bound rests on a repetition, so it holds only on some paths to the node
    UPPER_ON_PATH = 4
    GENERATION_SHIFT = 3

cdef struct Entry:
    u32 check                   # of the key's bits those that least decide the bucket
    u16 move
    i16 evaluation              # static, NO_SCORE if unknown
    i16 lower
    i16 upper
    u8 lower_depth              # depth + 1, so that 0 says there is no such bound
    u8 upper_depth
    u8 marks                    # generation 5 bits, path marks 2, PV 1
    u8 owners                   # who stored a bound that rests on a repetition: 4 bits for the lower, 4 for the upper

cdef union Words:               # an entry, as the table holds it
    Entry entry
    u64 words[2]

cdef struct Bucket:
    u64 words[BUCKET][2]        # for `entry_in` and `put` alone

cdef struct Table:
    Bucket* buckets
    u64 count                   # of buckets
    u8 generation

# Why a new bound crossed the opposite old one, as far as the two tell.
cdef enum Cause:
    BY_PATH = 0                 # one of them rests on a repetition
    BY_AGE = 1                  # the old one is of an earlier search
    BY_DEPTH = 2                # they are of different depths
    BY_SELECTION = 3            # of the same depth: reductions, extensions, histories, a clash of check codes
    CAUSES = 4

cdef struct Traffic:            # of one thread
    u8 owner                    # its number, or 0
    u64 stores
    u64 contradictions[CAUSES]

# The bounds that serve a search of a given depth: deep enough, or a proven mate, and true on every path.
cdef inline int lower_bound(const Entry* entry, int depth) noexcept nogil:
    if entry.lower_depth and not entry.marks & LOWER_ON_PATH:
        if entry.lower_depth > depth or entry.lower >= MATE_IN_MAX_PLY:
            return entry.lower
    return -INFINITE

cdef inline int upper_bound(const Entry* entry, int depth) noexcept nogil:
    if entry.upper_depth and not entry.marks & UPPER_ON_PATH:
        if entry.upper_depth > depth or entry.upper <= -MATE_IN_MAX_PLY:
            return entry.upper
    return INFINITE

cdef inline int lower_owner(const Entry* entry) noexcept nogil:
    return entry.owners & OWNERS

cdef inline int upper_owner(const Entry* entry) noexcept nogil:
    return entry.owners >> OWNER_SHIFT

cdef inline u32 seal(u64 second_word) noexcept nogil:
    """What the check is XORed with, so that it betrays a second word that is not its own."""
    return <u32>(second_word ^ second_word >> 32)

cdef inline Entry entry_in(const Bucket* bucket, int slot) noexcept nogil:
    cdef Words stored
    stored.words[0] = relaxed_bits(&bucket.words[slot][0])
    stored.words[1] = relaxed_bits(&bucket.words[slot][1])
    stored.entry.check ^= seal(stored.words[1])
    return stored.entry

cdef inline void put(Bucket* bucket, int slot, const Entry* entry) noexcept nogil:
    cdef Words stored
    stored.entry = entry[0]
    stored.entry.check ^= seal(stored.words[1])
    relaxed_set_bits(&bucket.words[slot][0], stored.words[0])
    relaxed_set_bits(&bucket.words[slot][1], stored.words[1])

cdef inline Bucket* bucket_of(const Table* table, u64 key) noexcept nogil:
    return table.buckets + <u64>((<u128>key * table.count) >> 64)

cdef inline void prefetch_bucket(const Table* table, u64 key) noexcept nogil:
    """Ask for the bucket's cache line ahead of the probe."""
    prefetch(bucket_of(table, key))

cdef bint probe(const Table* table, u64 key, Entry* found) noexcept nogil   # copies out the key's entry, if any

cdef void store(Table* table, Traffic* traffic, u64 key, int move, int evaluation, int lower, int upper, int depth,
                bint on_pv, bint on_path) noexcept nogil
"""Note what a search of this depth found: a lower bound, an upper bound (-INFINITE, INFINITE for none) or, if they are
equal, the value; with neither, the evaluation alone. Without a move the old move stays. A result that is true only
`on_path` never displaces a clean bound. When a new bound crosses the opposite old one, the old one goes and the event
is counted."""

cdef int hashfull(const Table* table) noexcept nogil    # per mille of entries written by the present search, sampled

cdef class TranspositionTable:
    cdef Table table
    cdef Guard guard            # taken by every search that uses it, and for the time of each method that changes it
    cdef bint is_wiping
    cdef void* block            # the memory of the buckets; NULL if there was none …
    cdef Bucket last_resort     # … so that this has to do
    cdef readonly int megabytes
    cdef void use_last_resort(self) noexcept
    # For who has taken the guard:
    cdef make(self, int megabytes, int threads)     # as `resize`
    cdef wipe(self, int threads)                    # as `clear`
    cdef void next_search(self) noexcept            # as `new_search`
