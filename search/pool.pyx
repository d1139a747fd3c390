"""The pool of search threads and what drives it: one `Searcher` is one engine's mind."""
import threading

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from engine.board cimport Position, usi_of
from engine.movegen cimport captures, evasions, is_legal, legal, quiets
from engine.position cimport Pos, in_check, key
from engine.rules cimport TRY_RULE, EnteringKingRule, can_declare, try_move
from engine.types cimport MATE, MATE_IN_MAX_PLY, MAX_MOVES, MAX_PLY, Move, i64
from eval.tables cimport EvalTables
from search.deepening cimport Deepening
from search.worker cimport Signals, Worker, clock_ns, relaxed_store
from tt.table cimport Entry, Traffic, TranspositionTable, probe

from engine.board import RULES
from eval.evaluation import evaluate_position
from search.clock import Instability, budget
from search.limits import Info, Result
from search.vote import ThreadVote, best_thread

cdef enum:
    MILLISECOND = 1000000       # in nanoseconds
    STACK_SIZE = 64 << 20       # bytes for each search thread: a search may recurse to MAX_PLY
    LAST_DEPTH = MAX_PLY - 1
    LONGEST = 1000000000        # ms: 11 days, far from what overflows in nanoseconds
    SETTLED_DEPTH = 8           # deep enough for a forced move: what comes behind it only serves the ponder move
    BOUND_REPORTS_AFTER = 10    # intervals between reports; earlier, bounds would only flood the screen


cdef i64 smallest(limit, other):
    """The smaller of two limits, of which None and 0 are none; 0 if neither limits anything."""
    return min(limit or other, other or limit) if limit or other else 0


cdef class Searcher:
    """A searching mind: its memory, its threads, and at most one search at a time.

    >>> from engine import Position
    >>> from search import Limits, Searcher, Settings
    >>> searcher = Searcher(hash_mb=1)
    >>> searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3), Settings()).bestmove
    'G*5b'
    """
    cdef readonly TranspositionTable table
    cdef bint learnt            # something, since all was forgotten
    cdef Signals signals
    cdef list pool              # a Deepening for each thread; the first leads
    cdef Worker** workers       # theirs, for the search itself
    cdef dict params
    cdef bint own_threads       # False: the leader searches in the thread that calls `search`
    cdef EvalTables tables      # None: material alone
    cdef object lock            # guards what `arm`, `search` and `ponderhit` change
    cdef object released        # threading.Event: nothing holds back the answer (any more)
    cdef bint armed
    cdef bint hit               # a ponderhit has come, …
    cdef object hit_limits      # … perhaps with new clocks
    cdef i64 started            # on the clock, in nanoseconds: when this search was asked for
    cdef i64 budget_from        # … and when its budget began to run
    cdef object budget          # None: time does not limit the search (yet)
    cdef object limits          # None: there is no search
    cdef object settings
    cdef object report_to
    cdef int turn
    cdef int ply
    cdef object instability
    cdef i64 reported_at        # ms of this search
    cdef tuple reported         # the depth and the first line of the last report

    def __cinit__(self, int hash_mb=256, int threads=1, params=None, bint own_threads=True, EvalTables tables=None):
        self.params = dict(params or {})
        self.tables = tables
        self.own_threads = own_threads
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.table = TranspositionTable(hash_mb, max(threads, 1))
        self.set_threads(threads)

    def __dealloc__(self):
        PyMem_Free(self.workers)

    # Setting up; never during a search.

    def resize_hash(self, int megabytes):
        """Give the table so much memory, or as much as can be had, and empty it. Returns the MB obtained."""
        return self.table.resize(megabytes, len(self.pool))

    def set_threads(self, int threads):
        """Search with so many threads, or with half of what memory can be had for. Returns how many there are now;
        ValueError if none are wanted."""
        cdef Worker** workers
        cdef int index
        if threads < 1:
            raise ValueError(f"{threads} threads cannot search; give 1 or more")
        workers = <Worker**>PyMem_Realloc(self.workers, threads * sizeof(Worker*))
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        self.workers = workers
        self.pool = []      # first, so that its memory can be had again
        try:
            for _ in range(threads):
                self.pool.append(Deepening(self.params))
        except MemoryError:
            if not self.pool:
                raise
            del self.pool[(len(self.pool) + 1) // 2:]       # the search needs some as well
        for deepening in self.pool:
            deepening.set_tables(self.tables)
        for index in range(len(self.pool)):
            workers[index] = (<Deepening>self.pool[index]).worker
        return len(self.pool)

    def set_tables(self, EvalTables tables):
        """Evaluate by these tables, or by material alone if they are None, and forget what was learnt by others."""
        self.tables = tables
        for deepening in self.pool:
            deepening.set_tables(tables)
        self.clear()

    def clear(self):
        """Forget all that was learnt: the next search depends on nothing before it."""
        if not self.learnt:     # a large table takes longer to clear than a short byoyomi has
            return
        self.learnt = False
        self.table.clear(len(self.pool))
        for deepening in self.pool:
            deepening.forget()

    def evaluate(self, Position position not None):
        """The static evaluation in centipawns from the side to move, a function of the position alone."""
        return evaluate_position(self.tables, position)

    @property
    def traffic(self):
        """Results that the threads have stored so far, and contradictions among them by cause (see tt/table.pxd)."""
        cdef const Traffic* traffic
        cdef int index, cause
        causes = ("path", "age", "depth", "selection")
        sums = dict.fromkeys(("stores", *causes), 0)
        for index in range(len(self.pool)):
            traffic = &self.workers[index].traffic
            sums["stores"] += traffic.stores
            for cause, name in enumerate(causes):
                sums[name] += traffic.contradictions[cause]
        return sums

    @property
    def loops(self):
        """What the threads' registries of loops did in the last search: loops found on the path and spliced from known
        ones, bounds noted that rest on them, and reuses of such bounds granted and refused (see search/loops.pxd)."""
        cdef int index
        sums = dict.fromkeys(("found", "spliced", "noted", "granted", "refused"), 0)
        for index in range(len(self.pool)):
            sums["found"] += self.workers[index].loops.found
            sums["spliced"] += self.workers[index].loops.spliced
            sums["noted"] += self.workers[index].loops.noted
            sums["granted"] += self.workers[index].loops.granted
            sums["refused"] += self.workers[index].loops.refused
        return sums

    # From other threads.

    def arm(self):
        """Say that `search` is about to be called in another thread. Its time begins now, and every `stop` and
        `ponderhit` from now on is meant for it, even one that comes before that thread has got going."""
        with self.lock:
            self.started = self.budget_from = clock_ns()
            relaxed_store(&self.signals.stop, 0)
            self.released.clear()
            self.hit = False
            self.hit_limits = None
            self.armed = True

    def stop(self):
        """End the search at once, whatever it waits for; without a search nothing happens."""
        relaxed_store(&self.signals.stop, 1)
        self.released.set()

    def ponderhit(self, limits=None):
        """The move pondered on was played: the time budget begins now, with new clocks if they are given."""
        with self.lock:
            self.hit = True
            self.hit_limits = limits
            self.budget_from = clock_ns()
            if self.limits is not None:
                self._start_clock()

    # The search.

    def search(self, Position position not None, limits, settings, on_info=None):
        """Think about a position and return a `Result`. Blocks, with the interpreter free for other threads.

        `on_info` is called with an `Info` for every line reported, in the thread of the search. After `infinite` and
        `ponder` the answer waits for `stop` or `ponderhit`. Raises ValueError for an illegal move in `searchmoves` and
        for an unknown entering-king rule.
        """
        if settings.entering_king_rule not in RULES:
            raise ValueError(f"{settings.entering_king_rule!r} is not an entering-king rule; use one of "
                             f"{', '.join(RULES)}")
        if not self.armed:
            self.arm()
        self.armed = False
        self.learnt = True
        with self.lock:
            self.limits = limits
            self.settings = settings
            self.report_to = on_info
            self.turn = position.turn
            self.ply = position.ply
            self._start_clock()
        try:
            result = self._outcome(position) or self._think(position)
            self.released.wait()
        finally:
            with self.lock:
                self.limits = None
        return result

    cdef _start_clock(self):
        """Set the budget running, unless the search is to go on until it is told otherwise."""
        cdef i64 deadline = 0
        cdef bint held = self.limits.infinite or (self.limits.ponder and not self.hit)
        self.budget = None
        if self.hit_limits is not None:
            self.limits = self.limits.with_times_of(self.hit_limits)
        if not held:
            self.budget = budget(self.limits, self.settings, self.turn, self.ply)
            self.released.set()
        if self.budget is not None:
            deadline = self.budget_from + <i64>min(self.budget.maximum, LONGEST) * MILLISECOND
        relaxed_store(&self.signals.deadline, deadline)

    cdef i64 _elapsed(self, i64 since):
        return (clock_ns() - since) // MILLISECOND

    cdef _outcome(self, Position position):
        """The result where the rules leave nothing to think about, else None."""
        cdef EnteringKingRule rule = RULES[self.settings.entering_king_rule]
        if position.is_mate():
            return self._result("resign", -MATE)
        if can_declare(&position.pos, rule):
            return self._result("win", MATE - 1)
        if rule == TRY_RULE and try_move(&position.pos):
            return self._result(usi_of(try_move(&position.pos)), MATE - 1)
        return None

    cdef list _root_moves(self, Position position):
        cdef Move[MAX_MOVES] moves
        cdef const Pos* pos = &position.pos
        cdef int count, i
        if self.limits.searchmoves:
            return [position.legal_move(usi) for usi in dict.fromkeys(self.limits.searchmoves)]
        if self.settings.generate_all_legal_moves:
            count = legal(pos, moves)
        elif in_check(pos):
            count = evasions(pos, moves)
        else:
            count = captures(pos, moves)
            count += quiets(pos, moves + count)
        return [moves[i] for i in range(count)]

    cdef _think(self, Position position):
        cdef Deepening leader = self.pool[0]
        cdef Deepening chosen
        moves = self._root_moves(position)
        for deepening in self.pool:
            self._instruct(deepening)
            deepening.set_root(position, moves)
        relaxed_store(&self.signals.node_limit, smallest(self.limits.nodes, self.settings.nodes_limit))
        self.table.new_search()
        self.instability = Instability()
        self.reported_at = -self.settings.pv_interval
        self.reported = (0, ())
        self._run_pool(min(smallest(self.limits.depth, self.settings.depth_limit) or LAST_DEPTH, LAST_DEPTH))

        chosen = self._chosen()
        line = chosen.line(0)
        if line is None:        # stopped before the first move was searched
            return self._result(usi_of(<Move>moves[0]), self.evaluate(position))
        if line.pv != self.reported[1]:
            self._report(chosen, leader.worker.root_depth if chosen is leader else chosen.completed)
        elif leader.completed > self.reported[0]:
            self._report(leader, leader.completed)
        if line.score <= -self.settings.resign_value:
            return self._result("resign", line.score, chosen.completed)
        return self._result(line.pv[0], line.score, chosen.completed, self._ponder_move(position, line.pv))

    cdef Deepening _chosen(self):
        """The thread whose result counts. Only the leader knows several lines, and only it ends when it has proved a
        mate the shortest."""
        ballots = []
        for deepening in self.pool:
            line = deepening.line(0) if deepening.completed else None
            ballots.append(line and ThreadVote(line.pv[0], line.score, deepening.completed))
        if self.settings.multi_pv > 1 or any(ballot and abs(ballot.score) >= MATE_IN_MAX_PLY for ballot in ballots):
            return self.pool[0]
        return self.pool[best_thread(ballots)]

    cdef _instruct(self, Deepening deepening):
        """Tell a worker the rules of the game and with whom it works."""
        cdef Worker* worker = deepening.worker
        worker.rules.entering_king = RULES[self.settings.entering_king_rule]
        worker.rules.max_moves = self.settings.max_moves
        worker.rules.draw[self.turn] = self.settings.draw_value[self.turn]
        worker.rules.draw[self.turn ^ 1] = -self.settings.draw_value[self.turn]
        worker.table = &self.table.table
        worker.signals = &self.signals
        worker.pool = self.workers
        worker.pool_size = len(self.pool)

    cdef _run_pool(self, int depth):
        """Let all threads search, until the leader has finished; its exception, if it raised one, is raised here."""
        failures = []

        if not self.own_threads and len(self.pool) == 1:
            self.pool[0].run(1, depth, self.settings.multi_pv, self._on_progress)
            return

        def lead():
            try:
                self.pool[0].run(1, depth, self.settings.multi_pv, self._on_progress)
            except BaseException as failure:
                failures.append(failure)

        ordinary = threading.stack_size(STACK_SIZE)
        # The helpers begin at different depths, so that they do not all do the same work.
        leader, *helpers = [threading.Thread(target=lead, daemon=True), *(
            threading.Thread(target=deepening.run, args=(1 + number % 2, depth, 1, None), daemon=True)
            for number, deepening in enumerate(self.pool[1:], 1))]
        try:
            leader.start()
            for thread in helpers:
                try:
                    thread.start()
                except RuntimeError:        # the system has no more threads, or no stack for them: fewer will do
                    break
        finally:
            threading.stack_size(ordinary)
        leader.join()
        relaxed_store(&self.signals.stop, 1)
        for thread in helpers:
            if thread.ident is not None:
                thread.join()
        if failures:
            raise failures[0]

    def _on_progress(self, int depth, index, bound):
        """Report a line that failed low or high, or a finished iteration; after that one, whether to end here."""
        cdef i64 elapsed = self._elapsed(self.started)
        if index is None:
            if elapsed - self.reported_at >= self.settings.pv_interval:
                self._report(self.pool[0], depth)
            return self._is_enough(depth)
        if (elapsed >= BOUND_REPORTS_AFTER * self.settings.pv_interval and self.settings.output_fail_lh_pv
                and not self.settings.consideration_mode):
            self._report_line(self.pool[0], depth, index, bound)

    cdef bint _is_enough(self, int depth):
        """Whether to end after this iteration. If it ends soon for lack of time, the clock is set for that."""
        cdef Deepening leader = self.pool[0]
        cdef i64 elapsed = self._elapsed(self.budget_from)
        line = leader.line(0)
        factor = self.instability.after(line.pv[0], line.score)
        if self.budget is None and self.limits.mate is None:
            return False
        # A mate within the depth searched is the shortest there is.
        if abs(line.score) >= MATE - depth and self.settings.multi_pv == 1:
            return True
        if self.limits.mate is not None or self.limits.movetime is not None:
            return False
        if leader.worker.root_count == 1 and depth >= SETTLED_DEPTH:
            return True
        if elapsed < factor * self.budget.optimum:
            return False
        ending = self.budget.stretched(elapsed, self.settings)
        relaxed_store(&self.signals.deadline, self.budget_from + <i64>ending * MILLISECOND)
        return ending <= elapsed

    # What it says.

    cdef _report(self, Deepening deepening, int depth):
        cdef int index
        line = deepening.line(0)
        for index in range(min(self.settings.multi_pv, deepening.worker.root_count)):
            self._report_line(deepening, depth, index, "exact")
        self.reported = (depth, line.pv)
        self.reported_at = self._elapsed(self.started)

    cdef _report_line(self, Deepening deepening, int depth, int index, str bound):
        line = deepening.line(index, bound)
        if line is not None and self.report_to is not None:
            self.report_to(Info(depth, line.seldepth, index + 1, line.score, bound, self._nodes(),
                                self._elapsed(self.started), self.table.hashfull, line.pv))

    cdef i64 _nodes(self):
        cdef i64 nodes = 0
        cdef int index
        for index in range(len(self.pool)):
            nodes += self.workers[index].nodes
        return nodes

    cdef _result(self, str bestmove, int score, int depth=0, ponder=None):
        return Result(bestmove, ponder, score, depth, self._nodes(), self._elapsed(self.started))

    cdef _ponder_move(self, Position position, tuple pv):
        """The answer expected to the best move: of the line or, where that ends early, of the table."""
        cdef Position after
        cdef Entry entry
        if len(pv) > 1:
            return pv[1]
        after = position.copy()
        after.push(pv[0])
        if probe(&self.table.table, key(&after.pos), &entry) and is_legal(&after.pos, entry.move):
            return usi_of(entry.move)
        return None
