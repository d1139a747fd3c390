"""The transposition table (see table.pxd), and its Python class."""
import threading
from functools import partial

from libc.string cimport memset

from engine.atomic cimport relaxed_increment
from engine.system.concurrency cimport Work
from engine.system.block cimport free_block, give_back_memory, huge_block

from engine.errors import INT_MAX, OutOfMemory, UserError, whole
from engine.system.concurrency import abandon_all, outlast_all
from engine.system.memory import MEGABYTE, largest_table_megabytes

cdef enum:
    DEPTH_SLACK = 3             # plies that a replacing bound may be shallower, because it fits the window better
    AGE_WEIGHT = 8              # plies of worth that an entry loses with each later search
    SAMPLED_BUCKETS = 1000
    RESERVE_MB = 256            # left to the rest of the process, such as stacks, when memory is short

if sizeof(Entry) != 16 or sizeof(Bucket) != 64:
    raise ImportError(f"a table entry has {sizeof(Entry)} bytes and a bucket {sizeof(Bucket)}; 16 and 64 are needed")


# -- Entries -----------------------------------------------------------------------------------------------------------

cdef inline int age(const Table* table, const Entry* entry) noexcept nogil:
    return (table.generation - (entry.marks >> GENERATION_SHIFT) + GENERATIONS) % GENERATIONS


cdef inline int worth(const Table* table, const Entry* entry) noexcept nogil:
    """The worth of an entry; the least worthy of a bucket is replaced by a new key."""
    return max(entry.lower_depth, entry.upper_depth) - AGE_WEIGHT * age(table, entry)


cdef inline int slot_of(const Table* table, u64 key, Entry* found) noexcept nogil:
    """The key's slot in its bucket, with a copy of its entry; -1 if there is none."""
    cdef const Bucket* bucket = bucket_of(table, key)
    cdef int slot
    for slot in range(BUCKET):
        found[0] = entry_in(bucket, slot)
        if found.check == <u32>key and found.more_check == <u8>(key >> 32) and found.marks:
            return slot
    return -1


cdef inline int least_worth(const Table* table, u64 key) noexcept nogil:
    cdef const Bucket* bucket = bucket_of(table, key)
    cdef Entry entry
    cdef int victim = 0
    cdef int least = 0
    cdef int slot
    for slot in range(BUCKET):
        entry = entry_in(bucket, slot)
        if not entry.marks:
            return slot
        if slot == 0 or worth(table, &entry) < least:
            least = worth(table, &entry)
            victim = slot
    return victim


cdef bint probe(const Table* table, u64 key, Entry* found) noexcept nogil:
    return slot_of(table, key, found) >= 0


cdef inline bint replaces(u8 old_depth, bint old_on_path, int depth, bint on_path, bint aged) noexcept nogil:
    """Whether a new bound replaces the old one on its side."""
    if old_depth and on_path != old_on_path:
        return old_on_path
    return aged or depth + 1 + DEPTH_SLACK >= old_depth


cdef void store(Table* table, Traffic* traffic, u64 key, const Finding* finding) noexcept nogil:
    cdef int depth = finding.depth
    cdef bint on_path = finding.on_path
    cdef Entry entry
    cdef int slot = slot_of(table, key, &entry)
    cdef bint aged = False
    cdef bint new_lower, new_upper
    relaxed_increment(&traffic.stores)
    if slot < 0:
        slot = least_worth(table, key)
        memset(&entry, 0, sizeof(Entry))
        entry.check = <u32>key
        entry.more_check = <u8>(key >> 32)
    else:
        aged = age(table, &entry) != 0
    if finding.move:
        entry.move = <u16>finding.move
    entry.evaluation = <i16>finding.evaluation
    entry.marks = <u8>(table.generation << GENERATION_SHIFT
                       | (entry.marks & (LOWER_ON_PATH | UPPER_ON_PATH)) | (ON_PV if finding.on_pv else 0))

    new_lower = finding.lower > -INFINITE and replaces(entry.lower_depth, (entry.marks & LOWER_ON_PATH) != 0,
                                                       depth, on_path, aged)
    new_upper = finding.upper < INFINITE and replaces(entry.upper_depth, (entry.marks & UPPER_ON_PATH) != 0,
                                                      depth, on_path, aged)
    if new_lower:
        entry.lower = <i16>finding.lower
        entry.lower_depth = <u8>(depth + 1)
        entry.marks = entry.marks & ~LOWER_ON_PATH | (LOWER_ON_PATH if on_path else 0)
    if new_upper:
        entry.upper = <i16>finding.upper
        entry.upper_depth = <u8>(depth + 1)
        entry.marks = entry.marks & ~UPPER_ON_PATH | (UPPER_ON_PATH if on_path else 0)
    if entry.lower_depth and entry.upper_depth and entry.lower > entry.upper:
        relaxed_increment(&traffic.contradictions)
        if new_lower:
            entry.upper_depth = 0
            entry.marks &= ~UPPER_ON_PATH
        else:
            entry.lower_depth = 0
            entry.marks &= ~LOWER_ON_PATH
    put(bucket_of(table, key), slot, &entry)


cdef int hashfull(const Table* table) noexcept nogil:
    cdef u64 sampled = min(table.count, <u64>SAMPLED_BUCKETS)
    cdef u64 i
    cdef int j
    cdef u64 used = 0
    for i in range(sampled):
        for j in range(BUCKET):
            used += entry_in(&table.buckets[i], j).marks >> GENERATION_SHIFT == table.generation
    return <int>(used * 1000 // (sampled * BUCKET))


# -- The Python face ---------------------------------------------------------------------------------------------------

cdef int most_megabytes(int wanted):
    """The largest possible size of a table in MB, at most `wanted`, that leaves RESERVE_MB to the process; if little
    more than RESERVE_MB is available, a quarter of what is available."""
    cdef int total = wanted + RESERVE_MB
    cdef void* block = huge_block(<size_t>total * MEGABYTE)
    while block == NULL and total > 1:
        total = total * 15 // 16
        block = huge_block(<size_t>total * MEGABYTE)
    free_block(block)
    return max(total - RESERVE_MB, total // 4)


CHANGING = "this table is being changed by another thread: wait until that is done"
MOST_WIPING = 1024          # threads


cdef int table_megabytes(megabytes) except -1:
    if (wanted := whole("megabytes", megabytes, -INT_MAX)) < 1:
        raise UserError("a table of {size} MB holds nothing; give it 1 MB or more", size=wanted)
    return wanted


cdef int wiping(threads) except -1:
    return whole("threads", threads, 1, MOST_WIPING)


cdef class TranspositionTable:
    """A transposition table of `megabytes`, cleared by `threads` threads.

    Methods that change the table raise RuntimeError while a search uses it or another thread changes it.
    """

    def __cinit__(self, megabytes=16, threads=1):
        self.guard = Guard()
        self.table.generation = 1
        self.use_last_resort()
        self.make(table_megabytes(megabytes), wiping(threads))

    def __dealloc__(self):
        free_block(self.block)

    def resize(self, megabytes, threads=1):
        """Resize the table to `megabytes`, or as large as memory allows (at most half of what is available), and empty
        it. Returns the size obtained in MB.

        Raises UserError for a size below 1. Raises MemoryError if there is no memory for 1 MB; then the table has a
        single bucket, so that searches still run, and its size is 0. """
        cdef int wanted = table_megabytes(megabytes)
        cdef int workers = wiping(threads)
        self.guard.take(CHANGING)
        try:
            return self.make(wanted, workers)
        finally:
            self.guard.leave()

    def clear(self, threads=1):
        """Empty the table, with this number of threads."""
        cdef int workers = wiping(threads)
        self.guard.take(CHANGING)
        try:
            self.wipe(workers)
        finally:
            self.guard.leave()

    def new_search(self):
        """Begin a new search: entries stored so far count as older."""
        self.guard.take(CHANGING)
        self.next_search()
        self.guard.leave()

    @property
    def hashfull(self):
        """The share of entries written by the present search, per mille; 0 while the table is being cleared."""
        return 0 if self.is_wiping else hashfull(&self.table)

    cdef void use_last_resort(self) noexcept:
        self.block = NULL
        self.table.buckets = &self.last_resort
        self.table.count = 1
        self.megabytes = 0

    cdef make(self, int megabytes, int threads):
        cdef void* block = self.block
        self.use_last_resort()
        free_block(block)           # first, so that its memory is available
        give_back_memory()
        # The system promises more memory than it has, and fails only when the memory is touched. So look up what is
        # available.
        megabytes = min(megabytes, largest_table_megabytes())
        megabytes = min(megabytes, most_megabytes(megabytes))
        if megabytes:
            block = huge_block(<size_t>megabytes * MEGABYTE)
            if block != NULL:
                self.block = block
                self.table.buckets = <Bucket*>block
                self.table.count = <u64>megabytes * MEGABYTE // sizeof(Bucket)
                self.megabytes = megabytes
        self.wipe(threads)
        if not self.megabytes:
            raise OutOfMemory("no memory for a table of 1 MB")
        return self.megabytes

    cdef wipe(self, int threads):
        cdef u64 count = self.table.count
        bounds = [count * i // threads for i in range(threads + 1)]
        works = []
        self.is_wiping = True
        try:
            for start, end in zip(bounds[1:], bounds[2:]):
                work = Work(partial(self._wipe, start, end))
                works.append(work)
                try:
                    threading.Thread(target=work).start()
                except RuntimeError:        # no room for another thread
                    works.pop()
                    self._wipe(start, end)
            self._wipe(0, bounds[1])
        except BaseException:               # Ctrl-C: wait for the threads while their memory exists
            abandon_all(works)
            raise
        else:
            outlast_all(works)
        finally:
            self.is_wiping = False
        self.table.generation = 1

    def _wipe(self, u64 start, u64 end):
        with nogil:
            memset(self.table.buckets + start, 0, (end - start) * sizeof(Bucket))

    cdef void next_search(self) noexcept:
        self.table.generation = self.table.generation % GENERATIONS + 1
