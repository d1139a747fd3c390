"""The search compiled once more, to count how its keys meet the table (docs/lab/HASH.md).

The sources included below probe and store through functions that alphabeta.pxd and qsearch.pxd cimport. In this module
those names stand for its own functions, which count and then call the real ones. So the tree that plays has no code for
counting.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine.atomic cimport relaxed_store
from engine.board cimport Position
from engine.position cimport Pos, key as key_of
from engine.rules cimport CSA_27
from engine.system.concurrency cimport Guard
from engine.types cimport MAX_PLY, PAWN, SQUARES, Move, hand_place, u64
from engine.zobrist cimport Keys, keys, splitmix
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.tree cimport bounds
from search.tree.bounds cimport SEARCH, Cutoff
from search.tree.worker cimport Rules, Signals, Worker
from tt.table cimport (BUCKET, CHECK_BITS, GENERATION_SHIFT, LOWER_ON_PATH, UPPER_ON_PATH, Bucket, Entry, Finding,
                       Table, Traffic, TranspositionTable, bucket_of, check_of, entry_in, probe, store)

from engine.errors import Listed, OutOfMemory, UserError, whole

cdef enum:
    LAST_DEPTH = MAX_PLY - 1
    PAWNS_IN_HAND = 18          # at most
    HASH = 8                    # bits of an entry's check; few, so that OTHER_CHECK occurs thousands of times

cdef enum Case:                 # of a probe
    EMPTY = 0                   # no such key, and the bucket has a free entry
    OTHER_HASH = 1              # the bucket is full, all with other hashes
    OTHER_CHECK = 2             # the bucket is full; some have this hash, none this check code
    HIT = 3

cdef enum Cause:                # the likely one, if a new bound crosses the opposite old one
    BY_PATH = 0                 # one of them rests on a repetition
    BY_AGE = 1                  # the old one is from an earlier search
    BY_DEPTH = 2                # their depths differ
    BY_SELECTION = 3            # same depth: reductions, extensions, histories, or a collision of checks

cdef struct Sight:              # the result of a probe
    Case case
    int filled                  # entries of its bucket that are in use
    u64 bucket
    u64 entry                   # index in the whole table of the entry hit

cdef struct Owner:              # the position for which an entry was last written
    u64 key
    u64 position

cdef struct Counts:
    Table* table
    Owner* owners               # by entry of the table
    u64 references              # nodes that probed the table
    u64 false_hits              # references answered with another position's entry
    u64 collisions              # of these, with equal 64-bit keys
    u64 contradictions[4]       # by cause
    u64 rivals                  # entries in the probed buckets of other positions than the node's

# The state of the one counting search of this process. It is global because the hooks below have no other way to reach
# it.
cdef Counts counts
cdef object leave_node = None   # see `search_counted`
cdef object failure = None      # what that raised
cdef Guard guard = Guard()

COUNTING = "another search is counting: wait until that is done"
SLOTS = BUCKET
HASH_BITS = HASH
CODE_BITS = CHECK_BITS - HASH
INJECTED_FAULTS = ("hand", "low-bits")
CAUSES = ("path", "age", "depth", "selection")


# -- Counting ----------------------------------------------------------------------------------------------------------

cdef Sight look(u64 key) noexcept nogil:
    cdef const Bucket* bucket = bucket_of(counts.table, key)
    cdef Sight sight
    cdef Entry entry
    cdef bint same_hash = False
    cdef u64 difference
    cdef int i
    sight.filled = 0
    sight.bucket = <u64>(bucket - counts.table.buckets)
    sight.entry = 0
    for i in range(BUCKET):
        entry = entry_in(bucket, i)
        if not entry.marks:
            continue
        sight.filled += 1
        difference = check_of(&entry) ^ key & ((<u64>1 << CHECK_BITS) - 1)
        if difference == 0:
            sight.case = HIT
            sight.entry = sight.bucket * BUCKET + i
            return sight
        same_hash |= difference & ((1 << HASH) - 1) == 0
    sight.case = EMPTY if sight.filled < BUCKET else OTHER_CHECK if same_hash else OTHER_HASH
    return sight


cdef void refer(u64 key, u64 position) noexcept nogil:
    """Count a probe of the table."""
    cdef Sight sight = look(key)
    cdef const Owner* owner
    counts.references += 1
    if sight.case == HIT:
        owner = &counts.owners[sight.entry]
        if owner.position == position:
            return
        counts.false_hits += 1
        counts.collisions += owner.key == key
    counts.rivals += sight.filled


cdef bint leave(u64 key, u64 position) noexcept with gil:
    """Count a node that returns a value of the table, or is about to be stored. False if that has failed."""
    global failure
    cdef Sight sight = look(key)
    try:
        leave_node(<int>sight.case, sight.filled, sight.bucket, position)
        return True
    except BaseException as error:
        failure = error
        return False


cdef void sign(u64 key, u64 position) noexcept nogil:
    """Record that a node has just been stored."""
    cdef Owner* owner = &counts.owners[look(key).entry]
    owner.key = key
    owner.position = position


cdef int cause_of(const Entry* old, const Entry* new) noexcept nogil:
    """Why a store has dropped a bound: `old` and `new` are the entry before and after it."""
    cdef bint drops_upper = new.upper_depth == 0
    cdef int dropped_depth = old.upper_depth if drops_upper else old.lower_depth
    if (new.marks & (LOWER_ON_PATH | UPPER_ON_PATH)
            or old.marks & (UPPER_ON_PATH if drops_upper else LOWER_ON_PATH)):
        return BY_PATH
    if old.marks >> GENERATION_SHIFT != new.marks >> GENERATION_SHIFT:
        return BY_AGE
    return BY_DEPTH if dropped_depth != max(new.lower_depth, new.upper_depth) else BY_SELECTION


cdef u64 fingerprint(const Pos* pos) noexcept nogil:
    """A hash of the whole position, independent of its key. Among a million positions the chance of a collision is 1 in
    10^7."""
    cdef u64 digest = 0x9e3779b97f4a7c15ULL
    cdef u64 word
    cdef int square
    for square in range(0, SQUARES - 1, 8):
        memcpy(&word, &pos.board[square], sizeof(word))
        digest = splitmix(digest ^ word) + 0x9e3779b97f4a7c15ULL
    digest = splitmix(digest ^ (<u64>pos.board[SQUARES - 1] << 1 | pos.turn)) + 0x9e3779b97f4a7c15ULL
    return splitmix(digest ^ (<u64>pos.hand[0] << 32 | pos.hand[1]))


# -- The tree ----------------------------------------------------------------------------------------------------------

cdef void leave_at(Worker* worker) noexcept nogil:
    if not leave(key_of(&worker.pos), fingerprint(&worker.pos)):
        relaxed_store(&worker.signals.stop, 1)


cdef inline bint tt_probe(Worker* worker, Entry* entry) noexcept nogil:
    refer(key_of(&worker.pos), fingerprint(&worker.pos))
    return bounds.tt_probe(worker, entry)


cdef inline Cutoff tt_cutoff(Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                             int ply) noexcept nogil:
    cdef Cutoff cutoff = bounds.tt_cutoff(worker, entry, depth, alpha, beta, ply)
    if cutoff.answer != SEARCH:
        leave_at(worker)
    return cutoff


cdef inline void tt_store(Worker* worker, Move move, int evaluation, int value, int alpha, int beta, int depth,
                          bint on_pv, int ply) noexcept nogil:
    cdef u64 contradictions = worker.traffic.contradictions
    cdef Entry old, new
    leave_at(worker)
    probe(worker.table, key_of(&worker.pos), &old)
    bounds.tt_store(worker, move, evaluation, value, alpha, beta, depth, on_pv, ply)
    if worker.traffic.contradictions != contradictions:
        probe(worker.table, key_of(&worker.pos), &new)
        counts.contradictions[cause_of(&old, &new)] += 1
    sign(key_of(&worker.pos), fingerprint(&worker.pos))


cdef inline void tt_store_evaluation(Worker* worker, int evaluation, bint on_pv) noexcept nogil:
    leave_at(worker)
    bounds.tt_store_evaluation(worker, evaluation, on_pv)
    sign(key_of(&worker.pos), fingerprint(&worker.pos))


include "tree/qsearch.pyx"
include "tree/alphabeta.pyx"


cdef class CountedDeepening(Deepening):
    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil:
        return alpha_beta(self.worker, alpha, beta, depth, 0, False)


# -- The Python face ---------------------------------------------------------------------------------------------------

cdef class Counting:
    """A block in which one table is counted; it is emptied first."""
    cdef TranspositionTable table
    cdef Keys intact

    def __cinit__(self, TranspositionTable table not None):
        self.table = table

    def __enter__(self):
        global failure
        guard.take(COUNTING)
        try:
            self.table.guard.take(COUNTING)
        except BaseException:
            guard.leave()
            raise
        self.intact = keys
        self.table.wipe(1)
        failure = None
        memset(&counts, 0, sizeof(Counts))
        counts.table = &self.table.table
        counts.owners = <Owner*>calloc(counts.table.count * BUCKET, sizeof(Owner))
        if counts.owners == NULL:
            self.__exit__()
            raise OutOfMemory("no memory for the statistics of a table of {size} MB", size=self.table.megabytes)

    def __exit__(self, *_):
        global leave_node
        leave_node = None
        free(counts.owners)
        memcpy(&keys, &self.intact, sizeof(Keys))
        self.table.guard.leave()
        guard.leave()

    cdef dict totals(self):
        cdef u64 used = 0
        cdef u64 i
        cdef int j
        if failure is not None:
            raise failure
        for i in range(counts.table.count):
            for j in range(BUCKET):
                used += entry_in(&counts.table.buckets[i], j).marks != 0
        return {
            "entries": counts.table.count * BUCKET, "used": used, "references": counts.references,
            "false_hits": counts.false_hits, "collisions": counts.collisions,
            "expected_false_hits": counts.rivals / 2.0 ** CHECK_BITS,
            "contradictions": {cause: counts.contradictions[i] for i, cause in enumerate(CAUSES)},
        }


cdef void inject(fault):
    """Change the numbers that keys are made of. A key is the XOR of such numbers, so the same change applies to every
    key."""
    cdef u64* words = <u64*>&keys
    cdef int color, n
    cdef size_t i
    if fault == "hand":
        for color in range(2):
            for n in range(1, PAWNS_IN_HAND + 1):
                keys.place[hand_place(color, PAWN, n)] = 0
    elif fault == "low-bits":
        for i in range(sizeof(Keys) // sizeof(u64)):
            words[i] = words[i] & ~<u64>0xffff | words[i] >> 48


def search_counted(positions, depth, TranspositionTable table not None, left, injected_fault=None,
                   Evaluator evaluator=None):
    """Empty the table, search each position to `depth` with it and one thread, and return counts by name.

    Calls left(case, filled, bucket, position) as each node is left that uses a value of the table or is about to store
    one: the case of the probe, the entries in use in the bucket, the bucket's number, and a fingerprint of the
    position. `injected_fault` breaks the keys on purpose: "hand" leaves out the pawns in hand, "low-bits" repeats the
    high bits in the low ones; meanwhile no other thread may use a position. Raises UserError for any other fault,
    RuntimeError while another search counts or uses the table. Without an `evaluator`, evaluates by material. """
    global leave_node
    cdef CountedDeepening deepening = CountedDeepening()
    cdef Counting counting = Counting(table)
    cdef Signals signals
    cdef Rules rules
    cdef Position root
    cdef int last = whole("depth", depth, 1, LAST_DEPTH)
    if injected_fault is not None and injected_fault not in INJECTED_FAULTS:
        raise UserError("{name!r} is no fault to inject; use one of {names}",
                        name=injected_fault, names=Listed(INJECTED_FAULTS))
    memset(&signals, 0, sizeof(Signals))
    memset(&rules, 0, sizeof(Rules))
    rules.entering_king = CSA_27
    deepening.set_evaluator(evaluator or Evaluator())
    deepening.join(0, &table.table, &signals, &rules)
    with counting:
        leave_node = left
        inject(injected_fault)
        for position in positions:
            table.next_search()
            root = Position(position.sfen)      # with the keys as they are now
            deepening.set_root(root, [root.legal_move(usi) for usi in root.legal_moves()])
            deepening.run(1, last, 1, None)
        return counting.totals()


def visit_counted(visits, TranspositionTable table not None, left):
    """Visit nodes without children, given by key and fingerprint: probe, leave and store each. Results and errors are
    as in `search_counted`. Used by tests, which compare with ideal keys."""
    global leave_node
    cdef Counting counting = Counting(table)
    cdef Finding finding = Finding(move=0, evaluation=0, lower=0, upper=0, depth=0, on_pv=False, on_path=False)
    cdef Traffic traffic
    cdef u64 key, position
    with counting:
        leave_node = left
        for key, position in visits:
            refer(key, position)
            leave(key, position)
            store(&table.table, &traffic, key, &finding)
            sign(key, position)
        return counting.totals()
