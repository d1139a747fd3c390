"""The face of the search: a `Searcher` is one engine's mind, a `SearchHandle` one of its searches."""
import threading
from dataclasses import replace
from warnings import warn

from engine.atomic cimport relaxed_store
from engine.board cimport Position
from engine.system.clock cimport clock_ns
from engine.system.concurrency cimport Work
from engine.types cimport MAX_PLY, i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.pool cimport WorkerPool
from search.reports cimport Reports
from search.root cimport decided_by_rules, root_moves, rules_for, smallest
from search.tree.worker cimport Rules, Signals
from tt.table cimport TranspositionTable

from engine.errors import INT_MAX, LONG_MAX, whole
from engine.errors import UserError
from eval.loading import load_evaluator
from search.clock import Lateness
from search.limits import Clock, Settings
from search.parameters import with_changes
from search.staticorder import best_by_static_order
from search.threads import stall_ms, start_deep, usable_cores
from search.timeman import MILLISECOND, TimeManager

cdef enum:
    LAST_DEPTH = MAX_PLY - 1
    WATCHED_MS = 20             # to see, before the first search, how late the machine is


SEARCHING = "this searcher is searching already: stop that search and take its result first"
SETTING_UP = "this searcher is being set up by another thread: wait until that is done"


def wiping_threads(int megabytes):
    """How many threads clear a table: as there are processors, for nothing else is to do, but few for little."""
    return min(usable_cores(), 1 + max(megabytes, 0) // 64)


cdef class Searcher:
    """What searches have in common: memory, threads, evaluation. One search at a time: while it goes on, a second one
    and whatever would change the searcher or its table raise RuntimeError.

    It evaluates by the packaged network; or by `evaluator`, or by what load_evaluator has of this name: "material",
    "tables" or a weights file. OSError and UserError as load_evaluator. `params` changes margins of the search
    (search/parameters.py); UserError for an unknown one and for a value outside of its range. If there is too little
    memory for the table or the threads, they become smaller and fewer, with a RuntimeWarning.

    Without `own_threads`, `search` searches in the thread that calls it, which must have 2 MB of stack to spare and
    notices Ctrl-C only between iterations: for many short searches, each of which a new thread would make longer by a
    fifth.

    >>> from engine import Position
    >>> from search import Limits, Searcher
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """
    cdef readonly TranspositionTable table  # its guard is the searcher's
    cdef WorkerPool pool
    cdef bint learnt            # something, since all was forgotten
    cdef bint own_threads       # False: `search` searches in the thread that calls it
    cdef SearchHandle current   # the last one prepared or begun, until it has run
    cdef object lateness
    cdef object __weakref__

    def __cinit__(self, hash_mb=256, threads=1, params=None, bint own_threads=True, evaluator=None):
        cdef int megabytes = whole("hash_mb", hash_mb, 1)
        cdef int wanted = whole("threads", threads, 1)
        changes = dict(params or {})
        with_changes(changes)       # before memory is taken
        self.own_threads = own_threads
        self.lateness = Lateness()
        cdef Evaluator own = evaluator if isinstance(evaluator, Evaluator) else load_evaluator(evaluator)
        self.table = TranspositionTable(megabytes, wiping_threads(megabytes))
        self.pool = WorkerPool(changes, own, wanted)
        if self.table.megabytes < megabytes:
            warn(f"hash_mb={megabytes}: there is memory for {self.table.megabytes} MB, which the searcher takes",
                 RuntimeWarning)
        if len(self.pool) < wanted:
            warn(f"threads={wanted}: there is memory for {len(self.pool)}, which the searcher takes", RuntimeWarning)

    # Setting up; never during a search.

    def resize_hash(self, megabytes):
        """Give the table so much memory, or as much as can be had, and empty it. Returns the MB obtained."""
        return self.table.resize(megabytes, wiping_threads(megabytes) if isinstance(megabytes, int) else 1)

    def set_threads(self, threads):
        """Search with so many threads, or with as many as fit into half of the memory that this process may take yet,
        as the machine, its containers and its limits have it, and forget what they have learnt. Returns how many there
        are now; UserError if none are wanted, MemoryError if there is no memory for one."""
        cdef int wanted = whole("threads", threads, -INT_MAX)
        if wanted < 1:
            raise UserError(f"{threads} threads cannot search; give 1 or more")
        self.table.guard.take(SETTING_UP)
        try:
            return self.pool.resize(wanted)
        finally:
            self.table.guard.leave()

    def set_evaluator(self, Evaluator evaluator not None):
        """Evaluate by this one, and forget what was learnt by others."""
        self.table.guard.take(SETTING_UP)
        try:
            self.pool.set_evaluator(evaluator)
            self.forget()
        finally:
            self.table.guard.leave()

    def clear(self):
        """Forget all that was learnt: the next search depends on nothing before it."""
        self.table.guard.take(SETTING_UP)
        try:
            self.forget()
        finally:
            self.table.guard.leave()

    cdef forget(self):
        if self.learnt:         # else not: a large table takes longer to clear than a short byoyomi has
            self.table.wipe(wiping_threads(self.table.megabytes))
            self.pool.forget()
            self.learnt = False

    def measure_lateness(self):
        """See for how long a thread that could run has to wait on this machine, before any search on a clock; those see
        it too."""
        self.lateness.note(stall_ms(WATCHED_MS))

    # What can be asked.

    def evaluate(self, Position position not None):
        """The static evaluation in centipawns from the side to move, a function of the position alone."""
        return self.pool.evaluator.evaluate(position)

    def best_unsearched(self, Position position not None, wanted=()):
        """A move without any search, for when none can be had: the best of `wanted`, or else of all legal moves, by the
        evaluation after it and the exchanges that the opponent then wins. None where there is no move."""
        return best_by_static_order(position, self.pool.evaluator, wanted)

    @property
    def threads(self):
        """How many it searches with."""
        return len(self.pool)

    @property
    def traffic(self):
        """Results that the threads have stored up to the end of the last search, and contradictions among them by cause
        (see tt/table.pxd)."""
        return dict(self.pool.traffic)

    @property
    def loops(self):
        """What the threads' registries of loops did in the last search: loops found on the path and spliced from known
        ones, bounds noted that rest on them, and reuses of such bounds granted and refused (see
        search/tree/loops.pxd)."""
        return dict(self.pool.loops)

    # Searches.

    def prepare(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """A search that is ready to `run` or `start`, and whose clock is running: from `asked_at`, in nanoseconds of
        time.perf_counter_ns(), or from now.

        `on_info` is called with an `Info` for every line of every finished iteration, and for a line that failed low or
        high, in the thread that searches. Raises UserError for an illegal move in `searchmoves` and for an unknown
        entering-king rule, RuntimeError while a search is going on.
        """
        if self.table.guard.refusal is not None:
            raise RuntimeError(self.table.guard.refusal)
        self.current = SearchHandle(self, position.copy(), limits, settings or Settings(), on_info, asked_at)
        return self.current

    def start(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """A search that is going on, in a thread of its own. As `prepare`."""
        cdef SearchHandle search = self.prepare(position, limits, settings, on_info, asked_at)
        search.start()
        return search

    def search(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """Search a position and return the result, with the interpreter free for other threads meanwhile. As
        `prepare`. Ctrl-C, and whatever else a handler of signals raises, ends the search before it is raised here."""
        cdef SearchHandle search = self.prepare(position, limits, settings, on_info, asked_at)
        if not self.own_threads:
            return search.run()
        search.start()
        try:
            return search.result()
        except BaseException:
            search.stop()
            search.work.outlast()
            raise

    def stop(self, bint wait=False):
        """End the search at once, if one is going on; with `wait`, return when it is over. Not from its `on_info`."""
        cdef SearchHandle search = self.current
        if search is not None:
            search.stop()
            if wait and search.work is not None:
                search.require_other_thread()
                search.work.wait()


cdef class SearchHandle:
    """One search. Made by `Searcher.prepare` and `Searcher.start`.

    Its first iteration is always finished, whatever limits it or stops it: where the rules leave anything to decide,
    `on_info` hears of a line and the result has a move that was searched. `Limits.nodes` holds for all threads
    together, and exactly from that iteration on.
    """
    cdef Searcher searcher
    cdef Position position
    cdef readonly object limits
    cdef object settings
    cdef list moves             # at the root, as 16-bit integers
    cdef Rules rules
    cdef Reports reports
    cdef Signals signals
    cdef object time            # TimeManager
    cdef object lock            # guards the time
    cdef i64 began              # on the clock, in nanoseconds, when there was a thread for it
    cdef readonly bint is_running
    cdef bint has_begun
    cdef Work work              # its own thread's; None without one
    cdef object thread_id       # of the thread that searches
    cdef list callbacks         # for when it is over; None when it is
    cdef object answer          # the Result, once there is one
    cdef object failure         # the exception that ended the thread

    # Once, for each has its own memory: not __init__, which can be called again.
    def __cinit__(self, Searcher searcher not None, Position position not None, limits, settings, on_info, asked_at):
        cdef i64 since = clock_ns() if asked_at is None else asked_at
        if searcher.lateness.margin > settings.lateness:
            settings = replace(settings, lateness=searcher.lateness.margin)
        self.searcher = searcher
        self.callbacks = []
        self.position = position
        self.limits = limits
        self.settings = settings
        self.rules = rules_for(position, settings)
        self.moves = root_moves(position, limits, settings)
        self.reports = Reports.__new__(Reports)
        self.reports.position = position
        self.reports.table = searcher.table
        self.reports.rules = self.rules
        self.reports.report_to = on_info
        self.reports.asked_at = since
        self.lock = threading.Lock()
        self.signals.stop = 0
        self.signals.node_limit = self.signals.nodes_left = smallest(limits.nodes, settings.nodes_limit)
        self.time = TimeManager(settings, position.turn, position.ply)
        if limits.time is not None:
            self.give_time(limits.time, since)

    # For any thread, at any time.

    @property
    def budget(self):
        """The time for it; None if time does not limit it (yet)."""
        return self.time.budget

    def stop(self):
        """End it at once, or as soon as its first iteration is finished. From any thread, also before it has begun."""
        relaxed_store(&self.signals.stop, 1)

    def give_time(self, time, asked_at=None):
        """Let this time limit it, and no other, from `asked_at` (as in Searcher.prepare). From any thread. A search
        that ponders begins without a time, and gets one at the hit."""
        if isinstance(time, Clock):
            given = time
        else:
            given = whole("time", time, -LONG_MAX, LONG_MAX)
        with self.lock:
            self.time.give(given, clock_ns() if asked_at is None else asked_at)
            relaxed_store(&self.signals.deadline, self.time.deadline)

    def add_done_callback(self, callback):
        """Have `callback` called with this search when it is over, in the thread that has searched; at once if it is
        over already."""
        if self.callbacks is None:
            callback(self)
        else:
            self.callbacks.append(callback)

    # Once each.

    def start(self):
        """Search in a new thread. RuntimeError if this search has begun already, or another search of its searcher is
        going on; MemoryError if there is no room for a thread."""
        cdef Work work = Work(self._run_in_thread)
        self.begin()
        self.work = work
        try:
            start_deep(threading.Thread(target=work, daemon=True))
        except BaseException:
            self.stop()
            work.abandon()
            if not work.begun:
                self.end()
            raise

    def result(self):
        """Wait for the end of a search that was started; raises what its thread raised."""
        if self.work is None:
            raise RuntimeError("this search was not started; use run() or start()")
        self.require_other_thread()
        self.work.wait()
        if self.failure is not None:
            raise self.failure
        return self.answer

    def run(self):
        """Search in this thread, which needs the stack of search.threads (or 2 MB, see Searcher). RuntimeError as
        `start`."""
        self.begin()
        return self.go()

    cdef require_other_thread(self):
        if self.is_running and self.thread_id == threading.get_ident():
            raise RuntimeError("a search cannot wait for its own end; wait in another thread than that of on_info")

    cdef begin(self):
        if self.has_begun:
            raise RuntimeError("this search has begun already, and each runs once: prepare another one")
        self.searcher.table.guard.take(SEARCHING)
        self.has_begun = self.is_running = True
        self.searcher.current = self

    cdef void end(self) noexcept:
        self.is_running = False
        self.searcher.table.guard.leave()
        if self.searcher.current is self:
            self.searcher.current = None    # so that a searcher nobody holds frees its memory at once

    cdef go(self):
        self.thread_id = threading.get_ident()
        self.began = clock_ns()
        self.searcher.learnt = True
        try:
            decided = decided_by_rules(self.position, &self.rules)
            self.answer = self._result_by_search() if decided is None else self.reports.decided(decided)
            self._note_lateness()
        finally:
            self.end()
            callbacks, self.callbacks = self.callbacks, None
            for callback in callbacks:
                callback(self)
        return self.answer

    cdef _note_lateness(self):
        """Where the deadline ended the search, the next one is to know how far behind it that was. A deadline that was
        over before the search began says nothing of the machine."""
        cdef i64 late = clock_ns() - max(self.signals.deadline, self.began)
        if self.signals.deadline and late > 0:
            self.searcher.lateness.note(late / MILLISECOND)

    def _run_in_thread(self):
        try:
            self.go()
        except BaseException as failure:
            self.failure = failure

    cdef _result_by_search(self):
        cdef WorkerPool pool = self.searcher.pool
        cdef Deepening deepening, chosen
        for deepening in pool.deepenings:
            deepening.join(pool.workers, len(pool), &self.searcher.table.table, &self.signals, &self.rules)
            deepening.set_root(self.position, self.moves)
        self.reports.pool = pool
        self.searcher.table.next_search()
        pool.run(min(smallest(self.limits.depth, self.settings.depth_limit) or LAST_DEPTH, LAST_DEPTH),
                 self.settings.multi_pv, self._on_progress)

        chosen = pool.chosen(self.settings.multi_pv)
        return self.reports.found(chosen.lines(self.settings.multi_pv), chosen.completed)

    def _on_progress(self, int depth, index):
        """Report a line that failed low or high, or a finished iteration; after that one, whether to end here."""
        cdef Deepening leader = self.searcher.pool.leader()
        if index is None:
            self.reports.whole(leader.finished)
            return self._is_enough(leader, depth)
        self.reports.one(leader.line(index), index)

    cdef bint _is_enough(self, Deepening leader, int depth):
        """Whether to end after this iteration. If it ends soon for lack of time, the clock is set for that."""
        line = leader.finished[0]
        with self.lock:
            enough = self.time.is_enough(depth, line.pv[0], line.score, leader.worker.root_count, clock_ns())
            relaxed_store(&self.signals.deadline, self.time.deadline)
        return enough
