"""The transposition table: the bounds that earlier searches found for a position.

The table stores integers only: keys, 16-bit moves, scores and depths. Mate scores are counted from the node; the search
converts them.

An entry has a lower and an upper bound, each with its own depth, so that the result of a fail high is not lost when the
same node fails low later. An entry takes 16 bytes and a bucket of four fills one cache line, so a probe reads one line.

Threads share the table without locks. An entry is two words, each read and written atomically. A reader may see the
first word of one entry and the second of another (a torn entry), and two writers may leave such a mixture. Therefore
the check in the first word is stored XORed with both halves of the second word: a torn entry agrees with its key only
by chance, once in 2**32 times. Entries remain hints, also because two keys may share a check: test a move for legality
before playing it, and ignore bounds that cross. A false entry can cause a wrong value, never an illegal move or a
crash.
"""
from engine.atomic cimport relaxed_bits, relaxed_set_bits
from engine.system.concurrency cimport Guard
from engine.types cimport INFINITE, MATE_IN_MAX_PLY, i16, prefetch, u128, u16, u32, u64, u8

cdef enum:
    BUCKET = 4
    CHECK_BITS = 40             # of the key, in an entry
    GENERATIONS = 31            # searches are numbered 1..31 cyclically; 0: never written

cdef enum Mark:                 # bits of Entry.marks below the generation
    ON_PV = 1
    LOWER_ON_PATH = 2           # the bound rests on a repetition, so it holds on some paths only
    UPPER_ON_PATH = 4
    GENERATION_SHIFT = 3

cdef struct Entry:
    u32 check                   # the lowest 32 bits of the key; the highest choose the bucket
    u16 move
    i16 evaluation              # static, NO_SCORE if unknown
    i16 lower
    i16 upper
    u8 lower_depth              # depth + 1; 0: no such bound
    u8 upper_depth
    u8 marks                    # generation 5 bits, path marks 2, PV 1
    u8 more_check               # the next 8 bits of the key

cdef union Words:               # an entry as it is stored
    Entry entry
    u64 words[2]

cdef struct Bucket:
    u64 words[BUCKET][2]        # accessed by `entry_in` and `put` only

cdef struct Table:
    Bucket* buckets
    u64 count                   # of buckets
    u8 generation

cdef struct Traffic:            # statistics of one thread
    u64 stores
    u64 contradictions          # new bounds that crossed the opposite old one

# An entry's bounds for a search of a given depth: deep enough or a proven mate, and valid on every path.
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

cdef inline u64 check_of(const Entry* entry) noexcept nogil:
    return <u64>entry.more_check << 32 | entry.check

cdef inline u32 seal(u64 second_word) noexcept nogil:
    """The number with which the check is XORed, to detect torn entries."""
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
    """Prefetch the bucket's cache line."""
    prefetch(bucket_of(table, key))

cdef bint probe(const Table* table, u64 key, Entry* found) noexcept nogil   # copies the key's entry; False if none

cdef struct Finding:            # what a search found out about a position
    int move                    # 0: keep the entry's move
    int evaluation              # static, NO_SCORE if unknown
    int lower                   # bounds; equal for an exact value. -INFINITE: none
    int upper                   # INFINITE: none
    int depth                   # plies, of both bounds
    bint on_pv
    bint on_path                # the bounds rest on a repetition, so they hold only on some paths

cdef void store(Table* table, Traffic* traffic, u64 key, const Finding* finding) noexcept nogil
"""Store a finding. Bounds that hold `on_path` never replace a bound that holds on every path. If a new bound
contradicts the opposite old one, the old one is dropped and the event counted in `traffic`."""

cdef int hashfull(const Table* table) noexcept nogil    # per mille, from a sample

cdef class TranspositionTable:
    cdef Table table
    cdef Guard guard            # held by a search that uses the table, and by methods that change it
    cdef bint is_wiping
    cdef void* block            # the memory of the buckets; NULL if `last_resort` is used
    cdef Bucket last_resort     # the only bucket when there is no memory
    cdef readonly int megabytes
    cdef void use_last_resort(self) noexcept
    # For holders of the guard:
    cdef make(self, int megabytes, int threads)     # as `resize`
    cdef wipe(self, int threads)                    # as `clear`
    cdef void next_search(self) noexcept            # as `new_search`
