"""Hash statistics: counts of what a search's keys find in the table, next to what ideal keys would find.

A key chooses a bucket, and its low CHECK_BITS are stored in the entry. The statistics split these bits: the lowest
HASH_BITS continue the hash, the CODE_BITS above are the check code. Then a probe is one of four cases. The case
is determined when the node is left, before its own value is stored, because its children may have filled the bucket
meanwhile. Nodes that neither use a value of the table nor store one are not counted.

The expected counts are known for keys that were never stored before. So an exact set holds every position stored, and
repeats are left out. (An evicted key returns to a full bucket, so such keys would make a perfect hash look broken.) The
caller identifies positions by a fingerprint that is independent of the key. It detects repeats, and false hits: entries
that belong to another position.
"""
from engine.types cimport u64
from tt.table cimport BUCKET, CHECK_BITS, Table, TranspositionTable

cdef enum:                      # the cases
    EMPTY = 0                   # no such key, and the bucket has a free entry
    OTHER_HASH = 1              # the bucket is full, all with other hashes
    OTHER_CHECK = 2             # the bucket is full; some have this hash, none this check code
    HIT = 3
    CASES = 4

cdef enum:
    HASH_BITS = 8               # of an entry's check; few, so that OTHER_CHECK occurs thousands of times
    CODE_BITS = CHECK_BITS - HASH_BITS
    BLOCKS = 256                # equal parts of the table, for the chi-square

cdef struct Owner:              # the position for which an entry was last written
    u64 key
    u64 position

cdef struct Statistics:
    u64 references              # nodes that probed the table
    u64 cases[CASES]            # of nodes that used or stored a value
    u64 first[CASES]            # of these, nodes whose position was never stored before
    double expected[CASES]      # of `first`: the sum of the probabilities p
    double variance[CASES]      # of `first`: the sum of p (1 - p)
    u64 fill[BUCKET + 1]        # number of buckets by used entries
    u64 blocks[BLOCKS]          # positions never stored before, by the block of their bucket
    u64 false_hits              # references answered with another position's entry
    u64 collisions              # of these, with equal 64-bit keys
    double expected_false_hits
    Owner* owners               # by entry of the table
    u64* seen                   # the positions stored so far: open addressing, 0 is free
    u64 seen_count
    u64 seen_size               # a power of two
    bint exhausted              # memory ran out

cdef void refer(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""Count a probe of the table."""
cdef void leave(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""Count a node that returns a value of the table, or is about to be stored."""
cdef void sign(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil
"""Record that a node has just been stored."""

cdef void expect(const u64* fill, int slots, int hash_bits, int check_bits, double* p) noexcept nogil
"""Set `p` to the probability of each case for a new key, for an ideal hash."""

cdef class HashStatistics:
    cdef Statistics statistics
    cdef TranspositionTable table
