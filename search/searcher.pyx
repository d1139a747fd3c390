"""The face of the search: a `Searcher` is one engine's mind, a `SearchHandle` one of its searches."""
import threading
from dataclasses import replace

from engine.atomic cimport relaxed_store
from engine.board cimport Position
from engine.system.clock cimport clock_ns
from engine.types cimport MAX_PLY, i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.pool cimport WorkerPool
from search.reports cimport Reports
from search.root cimport decided_by_rules, root_moves, rules_for, smallest
from search.worker cimport Rules, Signals
from tt.table cimport TranspositionTable

from eval.loading import load_evaluator
from search.clock import Lateness
from search.limits import Settings
from search.staticorder import best_by_static_order
from search.threads import stall_ms, start_deep, usable_cores, wait_for_end
from search.timeman import MILLISECOND, TimeManager

cdef enum:
    LAST_DEPTH = MAX_PLY - 1
    WATCHED_MS = 20             # to see, before the first search, how late the machine is


def wiping_threads(int megabytes):
    """How many threads clear a table: as there are processors, for nothing else is to do, but few for little."""
    return min(usable_cores(), 1 + max(megabytes, 0) // 64)


cdef class Searcher:
    """What searches have in common: memory, threads, evaluation. One search at a time.

    >>> from engine import Position
    >>> from search import Limits, Searcher
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """
    cdef readonly TranspositionTable table
    cdef WorkerPool pool
    cdef bint learnt            # something, since all was forgotten
    cdef bint own_threads       # False: `search` searches in the thread that calls it
    cdef SearchHandle current   # the last one prepared, until it has run
    cdef object lateness

    def __cinit__(self, int hash_mb=256, int threads=1, params=None, bint own_threads=True, evaluator=None):
        self.own_threads = own_threads
        self.lateness = Lateness()
        self.table = TranspositionTable(hash_mb, wiping_threads(hash_mb))
        cdef Evaluator own = evaluator if isinstance(evaluator, Evaluator) else load_evaluator(evaluator)
        self.pool = WorkerPool(dict(params or {}), own, threads)

    # Setting up; never during a search.

    def resize_hash(self, int megabytes):
        return self.table.resize(megabytes, wiping_threads(megabytes))

    def set_threads(self, int threads):
        return self.pool.resize(threads)

    def set_evaluator(self, Evaluator evaluator not None):
        self.pool.set_evaluator(evaluator)
        self.clear()

    def clear(self):
        if not self.learnt:     # a large table takes longer to clear than a short byoyomi has
            return
        self.learnt = False
        self.table.clear(wiping_threads(self.table.megabytes))
        self.pool.forget()

    def measure_lateness(self):
        self.lateness.note(stall_ms(WATCHED_MS))

    # What can be asked.

    def evaluate(self, Position position not None):
        return self.pool.evaluator.evaluate(position)

    def best_unsearched(self, Position position not None, wanted=()):
        return best_by_static_order(position, self.pool.evaluator, wanted)

    @property
    def threads(self):
        return len(self.pool)

    @property
    def traffic(self):
        return self.pool.traffic

    @property
    def loops(self):
        return self.pool.loops

    # Searches.

    def prepare(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        if self.current is not None and self.current.is_running:
            raise RuntimeError("this searcher is searching already: stop that search and take its result first")
        self.current = SearchHandle(self, position.copy(), limits, settings or Settings(), on_info, asked_at)
        return self.current

    def start(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        cdef SearchHandle search = self.prepare(position, limits, settings, on_info, asked_at)
        search.start()
        return search

    def search(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        if self.own_threads:
            return self.start(position, limits, settings, on_info, asked_at).result()
        return self.prepare(position, limits, settings, on_info, asked_at).run()

    def stop(self):
        cdef SearchHandle search = self.current
        if search is not None:
            search.stop()


cdef class SearchHandle:
    """One search. Made by `Searcher.prepare` and `Searcher.start`."""
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
    cdef object thread
    cdef object answer          # the Result, once there is one
    cdef object failure         # the exception that ended the thread

    def __init__(self, Searcher searcher not None, Position position not None, limits, settings, on_info, asked_at):
        cdef i64 since = clock_ns() if asked_at is None else asked_at
        if searcher.lateness.margin > settings.lateness:
            settings = replace(settings, lateness=searcher.lateness.margin)
        self.searcher = searcher
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
        return self.time.budget

    def stop(self):
        relaxed_store(&self.signals.stop, 1)

    def give_time(self, time, asked_at=None):
        with self.lock:
            self.time.give(time, clock_ns() if asked_at is None else asked_at)
            relaxed_store(&self.signals.deadline, self.time.deadline)

    # Once each.

    def start(self):
        self.thread = threading.Thread(target=self._run_in_thread, daemon=True)
        self.is_running = True      # before the thread has come so far
        try:
            start_deep(self.thread)
        except MemoryError:
            self.is_running = False
            raise

    def result(self):
        if self.thread is None:
            raise RuntimeError("this search was not started; use run() or start()")
        wait_for_end(self.thread)
        if self.failure is not None:
            raise self.failure
        return self.answer

    def run(self):
        self.is_running = True
        self.began = clock_ns()
        self.searcher.learnt = True
        try:
            decided = decided_by_rules(self.position, &self.rules)
            self.answer = self._result_by_search() if decided is None else self.reports.decided(decided)
            self._note_lateness()
        finally:
            self.is_running = False
            if self.searcher.current is self:
                self.searcher.current = None    # so that a searcher nobody holds frees its memory at once
        return self.answer

    cdef _note_lateness(self):
        """Where the deadline ended the search, the next one is to know how far behind it that was. A deadline that was
        over before the search began says nothing of the machine."""
        cdef i64 late = clock_ns() - max(self.signals.deadline, self.began)
        if self.signals.deadline and late > 0:
            self.searcher.lateness.note(late / MILLISECOND)

    def _run_in_thread(self):
        try:
            self.run()
        except BaseException as failure:
            self.failure = failure

    cdef _result_by_search(self):
        cdef WorkerPool pool = self.searcher.pool
        cdef Deepening deepening, chosen
        for deepening in pool.deepenings:
            deepening.join(pool.workers, len(pool), &self.searcher.table.table, &self.signals, &self.rules)
            deepening.set_root(self.position, self.moves)
        self.reports.pool = pool
        self.searcher.table.new_search()
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
