"""The Python interface of the search: a `Searcher` holds table, threads and evaluation; a `SearchHandle` is one
search."""
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from warnings import warn

from engine.atomic cimport relaxed_store
from engine.board cimport Position
from engine.system.monotonic cimport monotonic_ns
from engine.system.concurrency cimport Work
from engine.types cimport MAX_PLY, i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.pool cimport WorkerPool
from search.reports cimport Reports
from search.root cimport decided_by_rules, root_moves, rules_for, smallest
from search.tree.worker cimport Rules, Signals
from tt.table cimport TranspositionTable

from engine.errors import INT_MAX, LONG_MAX, UserError, of_type, whole
from eval.loading import load_evaluator
from search.clock import Lateness
from search.limits import Clock, Settings, as_limits
from search.parameters import with_changes
from search.staticorder import best_by_static_order
from search.threads import stall_ms, start_deep, usable_cores
from search.timeman import MILLISECOND, TimeManager

cdef enum:
    LAST_DEPTH = MAX_PLY - 1
    WATCHED_MS = 20             # ms, to measure the lateness of the machine before the first search


SEARCHING = "this searcher is searching already: stop that search and take its result first"
SETTING_UP = "this searcher is being set up by another thread: wait until that is done"


def wiping_threads(int megabytes):
    """The number of threads to clear a table with: one for each processor, fewer for small tables."""
    return min(usable_cores(), 1 + max(megabytes, 0) // 64)


cdef class Searcher:
    """Table, threads and evaluation for searches. A searcher runs one search at a time. During a search, a second
    search and any change of the searcher or its table raise RuntimeError.

    `evaluator` is an Evaluator or a name for load_evaluator ("material", "tables" or a weights file); by default the
    packaged network. Raises OSError and UserError as load_evaluator does. `params` changes margins of the search
    (search/parameters.py); raises UserError for an unknown name or a value out of range. If memory is short, the table
    becomes smaller or the threads fewer, with a RuntimeWarning.

    With `in_calling_thread`, `search` begins no thread: the caller needs 2 MB of free stack, and Ctrl-C is noticed only
    between iterations. Use this for many short searches: starting a thread for each would cost a fifth more time.

    >>> from engine import Position
    >>> from search import Limits, Searcher
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """
    cdef readonly TranspositionTable table  # its guard is the searcher's
    cdef WorkerPool pool
    cdef bint has_learned       # a search has run since the last clear
    cdef bint in_calling_thread     # where `search` runs, instead of a new thread
    cdef SearchHandle current   # the last search prepared or begun, until it ends
    cdef object lateness
    cdef object __weakref__

    def __cinit__(self, hash_mb=256, threads=1, params=None, bint in_calling_thread=False, evaluator=None):
        cdef int megabytes = whole("hash_mb", hash_mb, 1)
        cdef int wanted = whole("threads", threads, 1)
        changes = dict(of_type("params", params, Mapping)) if params is not None else {}
        with_changes(changes)       # before memory is taken
        self.in_calling_thread = in_calling_thread
        self.lateness = Lateness()
        cdef Evaluator own = evaluator if isinstance(evaluator, Evaluator) else load_evaluator(evaluator)
        self.table = TranspositionTable(megabytes, wiping_threads(megabytes))
        self.pool = WorkerPool(changes, own, wanted)
        if self.table.megabytes < megabytes:
            warn(f"hash_mb={megabytes}: there is memory for {self.table.megabytes} MB, which the searcher takes",
                 RuntimeWarning)
        if len(self.pool) < wanted:
            warn(f"threads={wanted}: there is memory for {len(self.pool)}, which the searcher takes", RuntimeWarning)

    # Set-up; not during a search.

    def resize_hash(self, megabytes):
        """Resize the table to `megabytes`, or as large as memory allows, and empty it. Returns the size obtained in
        MB."""
        cdef int wanted = whole("megabytes", megabytes, -INT_MAX)
        return self.table.resize(wanted, wiping_threads(wanted))

    def set_threads(self, threads):
        """Set the number of threads and forget what they have learned. If memory is short, uses as many threads as fit
        into half of the memory available to this process. Returns the number of threads. Raises UserError for a number
        below 1, MemoryError if there is no memory for one thread."""
        cdef int wanted = whole("threads", threads, -INT_MAX)
        if wanted < 1:
            raise UserError("{threads} threads cannot search; give 1 or more", threads=threads)
        self.table.guard.take(SETTING_UP)
        try:
            return self.pool.resize(wanted)
        finally:
            self.table.guard.leave()

    def set_evaluator(self, Evaluator evaluator not None):
        """Use another evaluator, and forget everything learned."""
        self.table.guard.take(SETTING_UP)
        try:
            self.pool.set_evaluator(evaluator)
            self.forget()
        finally:
            self.table.guard.leave()

    def clear(self):
        """Forget everything learned, so that the next search depends on nothing before it."""
        self.table.guard.take(SETTING_UP)
        try:
            self.forget()
        finally:
            self.table.guard.leave()

    cdef forget(self):
        if self.has_learned:    # clearing a large table can take longer than a short byoyomi
            self.table.wipe(wiping_threads(self.table.megabytes))
            self.pool.forget()
            self.has_learned = False

    def measure_lateness(self):
        """Measure how long runnable threads wait on this machine, for the first search on a clock; later ones learn
        from the searches before."""
        self.lateness.note(stall_ms(WATCHED_MS))

    # Queries.

    def evaluate(self, Position position not None):
        """The static evaluation in centipawns for the side to move; depends on the position alone."""
        return self.pool.evaluator.evaluate(position)

    def best_unsearched(self, Position position not None, wanted=()):
        """A move chosen without a search: the best of `wanted`, or else of all legal moves, by the evaluation after it
        and the opponent's best exchange. None if there is no move."""
        return best_by_static_order(position, self.pool.evaluator, wanted)

    @property
    def threads(self):
        """The number of search threads."""
        return len(self.pool)

    @property
    def ballots(self):
        """The threads' votes in the last search, the leader's first; None for a thread without a result."""
        return list(self.pool.ballots)

    @property
    def traffic(self):
        """Counts of the search up to its last report: results stored in the table, and contradictions among them (a new
        bound that crosses the opposite old one)."""
        return dict(self.pool.traffic)

    # Searches.

    def prepare(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """Make a search that is ready to `run` or `start`. The search's time runs from `asked_at`, in nanoseconds of
        time.perf_counter_ns(), or from now.

        The searching thread calls `on_info` with an `Info` for every line of every completed iteration, and for lines
        that fail low or high. Raises UserError for an illegal move in `searchmoves` or an unknown entering-king rule,
        RuntimeError while a search is running. """
        if self.table.guard.refusal is not None:
            raise RuntimeError(self.table.guard.refusal)
        chosen = Settings() if settings is None else of_type("settings", settings, Settings)
        self.current = SearchHandle(self, position.copy(), as_limits(limits), chosen, on_info, asked_at)
        return self.current

    def start(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """Start a search in a new thread, and return it. Arguments and errors as `prepare`."""
        cdef SearchHandle search = self.prepare(position, limits, settings, on_info, asked_at)
        search.start()
        return search

    def search(self, Position position not None, limits, settings=None, on_info=None, asked_at=None):
        """Search a position and return the result. Arguments and errors as `prepare`. Releases the GIL meanwhile.
        Ctrl-C, or another exception of a signal handler, stops the search before it is raised."""
        cdef SearchHandle search = self.prepare(position, limits, settings, on_info, asked_at)
        if self.in_calling_thread:
            return search.run()
        search.start()
        try:
            return search.result()
        except BaseException:
            search.stop()
            search.work.outlast()
            raise

    def stop(self, bint wait=False):
        """Stop the running search, if any. With `wait`, return only when it has ended; not from its `on_info`."""
        cdef SearchHandle search = self.current
        if search is not None:
            search.stop()
            if wait and search.work is not None:
                search.require_other_thread()
                search.work.wait()


cdef i64 instant(asked_at) except? -1:
    """The time that a caller gives, in nanoseconds; the present time for None."""
    return monotonic_ns() if asked_at is None else whole("asked_at", asked_at, -LONG_MAX, LONG_MAX)


cdef class SearchHandle:
    """One search, made by `Searcher.prepare` or `Searcher.start`.

    The first iteration is always completed, whatever the limits, and even after a stop. So unless the rules decide the
    position, `on_info` gets a line and the result has a searched move. `Limits.nodes` applies to all threads together.
    The limit is exact, but a search may end earlier, and the first iteration may exceed it. The nodes are shared
    equally. Each thread gets 100,000 nodes or more, so a smaller search has fewer threads; with several lines it has
    one. """
    cdef Searcher searcher
    cdef Position position
    cdef readonly object limits
    cdef object settings
    cdef list moves             # root moves, as 16-bit integers
    cdef Rules rules
    cdef Reports reports
    cdef Signals signals
    cdef object time            # TimeManager
    cdef object lock            # guards the time
    cdef i64 began              # when its thread began, in nanoseconds
    cdef readonly bint is_running
    cdef bint has_begun
    cdef Work work              # in its own thread; None without one
    cdef object thread_id       # of the thread that searches
    cdef list callbacks         # to call at the end; None after that
    cdef object answer          # the Result, once there is one
    cdef object failure         # the exception that ended the thread

    # __cinit__ runs only once, __init__ could be called again.
    def __cinit__(self, Searcher searcher not None, Position position not None, limits, settings, on_info, asked_at):
        cdef i64 since = instant(asked_at)
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
        self.time = TimeManager(settings, position.turn, position.pos.ply)
        if limits.time is not None:
            self.give_time(limits.time, since)

    # From any thread, at any time.

    @property
    def budget(self):
        """The time budget; None if time does not limit the search (yet)."""
        return self.time.budget

    def stop(self):
        """Stop the search as soon as its first iteration is completed. From any thread, also before the search has
        begun."""
        relaxed_store(&self.signals.stop, 1)

    def give_time(self, time, asked_at=None):
        """Replace the time limit; the time runs from `asked_at` (as in Searcher.prepare). From any thread. A ponder
        search begins without time and gets it at the ponder hit."""
        if isinstance(time, Clock):
            given = time
        else:
            given = whole("time", time, -LONG_MAX, LONG_MAX)
        with self.lock:
            self.time.give(given, instant(asked_at))
            relaxed_store(&self.signals.deadline, self.time.deadline)

    def add_done_callback(self, callback):
        """Call `callback` with this search when it ends, in the searching thread; at once if it has already ended. The
        callback may ask for the search's result. If it raises an exception, that is printed, and the result stays."""
        if self.callbacks is None:
            callback(self)
        else:
            self.callbacks.append(callback)

    # Once each.

    def start(self):
        """Search in a new thread. Raises RuntimeError if this search has already begun or its searcher runs another
        one, MemoryError if there is no memory for a thread."""
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
        """Wait for the end of a started search and return its result. Raises the exception of its thread, if any."""
        if self.work is None:
            raise RuntimeError("this search was not started; use run() or start()")
        self.require_other_thread()
        if self.thread_id != threading.get_ident():     # else its own callback asks, after the end
            self.work.wait()
        if self.failure is not None:
            raise self.failure
        return self.answer

    def run(self):
        """Search in this thread, which needs the stack of search.threads (or 2 MB, see Searcher). Raises RuntimeError
        as `start` does."""
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
            self.searcher.current = None    # breaks a reference cycle, so that memory is freed at once

    cdef go(self):
        self.thread_id = threading.get_ident()
        self.began = monotonic_ns()
        self.searcher.has_learned = True
        try:
            decided = decided_by_rules(self.position, &self.rules)
            self.answer = self._result_by_search() if decided is None else self.reports.decided(decided)
            self._note_lateness()
        except BaseException as failure:
            self.failure = failure
            raise
        finally:
            self.end()
            callbacks, self.callbacks = self.callbacks, None
            for callback in callbacks:
                try:
                    callback(self)
                except Exception:
                    sys.excepthook(*sys.exc_info())
        return self.answer

    cdef _note_lateness(self):
        """If the deadline ended the search, record by how much it was late. A deadline before the search began says
        nothing about the machine."""
        cdef i64 late = monotonic_ns() - max(self.signals.deadline, self.began)
        if self.signals.deadline and late > 0:
            self.searcher.lateness.note(late / MILLISECOND)

    def _run_in_thread(self):
        with suppress(BaseException):       # `failure` keeps it
            self.go()

    cdef _result_by_search(self):
        cdef WorkerPool pool = self.searcher.pool
        cdef Deepening chosen
        pool.join(&self.searcher.table.table, &self.signals, &self.rules)
        self.reports.pool = pool
        self.searcher.table.next_search()
        pool.run(self.position, self.moves,
                 min(smallest(self.limits.depth, self.settings.depth_limit) or LAST_DEPTH, LAST_DEPTH),
                 smallest(self.limits.nodes, self.settings.nodes_limit), self.settings.multi_pv, self._on_progress)
        chosen = pool.chosen(self.settings.multi_pv)
        return self.reports.found(chosen.lines(self.settings.multi_pv), chosen.completed)

    def _on_progress(self, int depth, index):
        """Report a line that failed low or high (`index`), or a completed iteration (None); then returns whether to
        end."""
        cdef Deepening leader = self.searcher.pool.leader()
        self.searcher.pool.count()
        if index is None:
            self.reports.whole(leader.finished)
            return self._note_iteration(leader, depth)
        self.reports.one(leader.line(index), index)

    cdef bint _note_iteration(self, Deepening leader, int depth):
        """Tell the time manager. Returns whether to end the search now."""
        line = leader.finished[0]
        with self.lock:
            enough = self.time.note_iteration(depth, line.pv[0], line.score, leader.worker.root_count, monotonic_ns())
            relaxed_store(&self.signals.deadline, self.time.deadline)
        return enough
