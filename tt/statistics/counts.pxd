"""How well keys spread over the table: what a search finds there, counted beside what ideal keys would find.

A key decides a bucket, and its low 32 bits are stored in the entry as its check. For the statistics these are read as
two parts: the lowest HASH_BITS continue the hash, the CHECK_BITS above are the check code. So what a key finds in its
bucket is one of four cases. They are told apart when the node is left, by what the table holds then, and before the
node itself is stored: its children may have filled the bucket meanwhile.

A node that neither took its value from the table nor stores one leaves no trace there and is not counted.

What an ideal hash would give is known for a key that has never been stored before; so every position is noted in an
exact set when it is first stored, and repeats are left out. (An evicted key comes back to a bucket that is full. Such
keys would make a perfect hash look broken.) The caller names a position by a number of its own that has nothing to do
with the key: by it a repeat is known, and so is an entry that belongs to another position, a false hit.
"""
from engine.types cimport u64
from tt.table cimport BUCKET, Table, TranspositionTable

cdef enum:                      # the cases
    EMPTY = 0                   # no such key, and an entry is free
    OTHER_HASH = 1              # the bucket is full of entries of other hashes
    OTHER_CHECK = 2             # it is full, and of the entries of this hash none has this check code
    HIT = 3
    CASES = 4

cdef enum:
    HASH_BITS = 8               # few enough that OTHER_CHECK is seen thousands of times
    CHECK_BITS = 24
    BLOCKS = 256                # equal parts of the table, for the chi-square

cdef struct Owner:              # for whom an entry was last written
    u64 key
    u64 position

cdef struct Statistics:
    u64 references              # nodes that looked into the table
    u64 cases[CASES]            # of nodes left through the table
    u64 first[CASES]            # of those of positions never stored before
    double expected[CASES]      # of `first`: the sum of each case's probability p …
    double variance[CASES]      # … and of p (1 - p)
    u64 fill[BUCKET + 1]        # buckets by the number of their entries in use
    u64 blocks[BLOCKS]          # positions never stored before, by the part of the table their key leads to
    u64 false_hits              # references that were answered with another position's entry …
    u64 collisions              # … because even the whole keys are alike
    double expected_false_hits
    Owner* owners               # of each entry of the table
    u64* seen                   # the positions stored so far: open addressing, 0 is free
    u64 seen_count
    u64 seen_size               # a power of two
    bint exhausted              # no memory to go on counting

cdef void refer(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""A node looks into the table."""
cdef void leave(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""A node is left with a value from the table, or is about to be stored there."""
cdef void sign(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""A node has just been stored."""

cdef void expect(const u64* fill, int slots, int hash_bits, int check_bits, double* p) noexcept nogil
"""What an ideal hash gives: the probability of each case for a new key."""

cdef class HashStatistics:
    cdef Statistics statistics
    cdef TranspositionTable table
