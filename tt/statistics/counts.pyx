"""Counting (see counts.pxd), and its Python class."""
from libc.stdlib cimport calloc, free

from tt.table cimport Bucket, Entry, bucket_of, check_of, entry_in
from engine.errors import OutOfMemory, UserError

cdef enum:
    FIRST_SEEN_SIZE = 1 << 16

cdef struct Sight:              # the result of a key's probe
    int case                    # one of the cases
    int filled                  # entries of its bucket that are in use
    u64 entry                   # index in the whole table of the entry hit


cdef Sight look(const Table* table, u64 key) noexcept nogil:
    cdef const Bucket* bucket = bucket_of(table, key)
    cdef Sight sight
    cdef Entry entry
    cdef bint same_hash = False
    cdef u64 difference
    cdef int i
    sight.filled = 0
    sight.entry = 0
    for i in range(BUCKET):
        entry = entry_in(bucket, i)
        if not entry.marks:
            continue
        sight.filled += 1
        difference = check_of(&entry) ^ key & ((<u64>1 << CHECK_BITS) - 1)
        if difference == 0:
            sight.case = HIT
            sight.entry = <u64>(bucket - table.buckets) * BUCKET + i
            return sight
        same_hash |= difference & ((1 << HASH_BITS) - 1) == 0
    sight.case = EMPTY if sight.filled < BUCKET else OTHER_CHECK if same_hash else OTHER_HASH
    return sight


# -- What an ideal hash gives ------------------------------------------------------------------------------------------

cdef void expect(const u64* fill, int slots, int hash_bits, int check_bits, double* p) noexcept nogil:
    """The probability of each case for a new key, with fill[k] buckets that have k of their `slots` entries in use.

    Each bucket and each of the 2^s values of the key's s = hash_bits + check_bits stored bits are equally likely. The k
    entries of a bucket hold different values. So with N buckets

        hit             sum of fill[k] / N * k / 2^s        (a false hit, since the key is new)
        empty           sum of fill[k] / N * (1 - k / 2^s)  over the buckets that are not full
        other hash      fill[slots] / N * q
        other check     fill[slots] / N * (1 - slots / 2^s - q)

    where q is the chance that all entries of a full bucket are among the 2^s - 2^check_bits numbers of another hash:
    the product over j < slots of (2^s - 2^check_bits - j) / (2^s - j), nearly (1 - 2^-hash_bits)^slots. With one entry
    to a bucket these are 1 - u/N, u/N (1 - 2^-r), u/N 2^-r (1 - 2^-c) and u/N 2^-(r+c) for u entries in use.
    """
    cdef double codes = 2.0 ** (hash_bits + check_bits)
    cdef double others = codes - 2.0 ** check_bits
    cdef double buckets = 0
    cdef double q = 1
    cdef int k
    p[EMPTY] = p[HIT] = 0
    for k in range(slots + 1):
        buckets += fill[k]
        p[HIT] += fill[k] * (k / codes)
        p[EMPTY] += fill[k] * (1 - k / codes) if k < slots else 0
    for k in range(slots):
        q *= (others - k) / (codes - k)
    p[OTHER_HASH] = fill[slots] * q
    p[OTHER_CHECK] = fill[slots] * (1 - slots / codes - q)
    for k in range(CASES):
        p[k] /= buckets


# -- The set of positions ----------------------------------------------------------------------------------------------

cdef inline u64* place_of(u64* seen, u64 size, u64 position) noexcept nogil:
    cdef u64 i = position & (size - 1)
    while seen[i] and seen[i] != position:
        i = (i + 1) & (size - 1)
    return &seen[i]


cdef bint grow(Statistics* statistics) noexcept nogil:
    cdef u64 size = statistics.seen_size * 2
    cdef u64* larger = <u64*>calloc(size, sizeof(u64))
    cdef u64 i
    if larger == NULL:
        return False
    for i in range(statistics.seen_size):
        if statistics.seen[i]:
            place_of(larger, size, statistics.seen[i])[0] = statistics.seen[i]
    free(statistics.seen)
    statistics.seen = larger
    statistics.seen_size = size
    return True


cdef bint is_first(Statistics* statistics, u64 position) noexcept nogil:
    """Add a position to the set; True if it was new."""
    cdef u64* place
    if statistics.seen_count * 2 >= statistics.seen_size and not grow(statistics):
        statistics.exhausted = True
        return False
    place = place_of(statistics.seen, statistics.seen_size, position or 1)
    if place[0]:
        return False
    place[0] = position or 1
    statistics.seen_count += 1
    return True


# -- Counting ----------------------------------------------------------------------------------------------------------

cdef void refer(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil:
    cdef Sight sight = look(table, key)
    cdef const Owner* owner
    statistics.references += 1
    if sight.case == HIT:
        owner = &statistics.owners[sight.entry]
        if owner.position == position:
            return
        statistics.false_hits += 1
        statistics.collisions += owner.key == key
    statistics.expected_false_hits += sight.filled / 2.0 ** CHECK_BITS


cdef void leave(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil:
    cdef Sight sight = look(table, key)
    cdef double p[CASES]
    cdef int i
    statistics.cases[sight.case] += 1
    if is_first(statistics, position):
        statistics.first[sight.case] += 1
        statistics.blocks[<u64>(bucket_of(table, key) - table.buckets) * BLOCKS // table.count] += 1
        expect(statistics.fill, BUCKET, HASH_BITS, CODE_BITS, p)
        for i in range(CASES):
            statistics.expected[i] += p[i]
            statistics.variance[i] += p[i] * (1 - p[i])
    if sight.case == EMPTY:     # the following store fills an entry
        statistics.fill[sight.filled] -= 1
        statistics.fill[sight.filled + 1] += 1


cdef void sign(Statistics* statistics, const Table* table, u64 key, u64 position) noexcept nogil:
    cdef Owner* owner = &statistics.owners[look(table, key).entry]
    owner.key = key
    owner.position = position


# -- The Python face ---------------------------------------------------------------------------------------------------

cdef class HashStatistics:
    """Counts for one table, which must be empty at first, must not be cleared, and is used by one thread."""

    def __cinit__(self, TranspositionTable table not None):
        cdef Statistics* statistics = &self.statistics
        self.table = table
        statistics.fill[0] = table.table.count
        statistics.owners = <Owner*>calloc(table.table.count * BUCKET, sizeof(Owner))
        statistics.seen_size = FIRST_SEEN_SIZE
        statistics.seen = <u64*>calloc(FIRST_SEEN_SIZE, sizeof(u64))
        if statistics.owners == NULL or statistics.seen == NULL:
            raise OutOfMemory("no memory for the statistics of a table of {size} MB", size=table.megabytes)
        if self._used():
            raise UserError("{count} entries of the table are in use already; clear it first", count=self._used())

    def __dealloc__(self):
        free(self.statistics.owners)
        free(self.statistics.seen)

    def _used(self):
        """The number of used entries, counted one by one."""
        cdef const Table* table = &self.table.table
        cdef u64 used = 0
        cdef u64 i
        cdef int j
        for i in range(table.count):
            for j in range(BUCKET):
                used += entry_in(&table.buckets[i], j).marks != 0
        return used

    def counts(self):
        """All counts so far, as the arguments of `Quality`. Raises MemoryError if memory ran out."""
        cdef Statistics* statistics = &self.statistics
        if statistics.exhausted:
            raise OutOfMemory("no memory to tell apart more than {count} positions; count fewer",
                              count=statistics.seen_count)
        return {
            "entries": self.table.table.count * BUCKET,
            "slots": BUCKET,
            "used": self._used(),
            "references": statistics.references,
            "cases": tuple(statistics.cases),
            "first": tuple(statistics.first),
            "expected": tuple(statistics.expected),
            "variance": tuple(statistics.variance),
            "blocks": tuple(statistics.blocks),
            "false_hits": statistics.false_hits,
            "collisions": statistics.collisions,
            "expected_false_hits": statistics.expected_false_hits,
        }
