"""The face of the search: a `Searcher` is one engine's mind, a `SearchHandle` one of its searches."""
import threading
from dataclasses import replace

from engine.board cimport Position, usi_of
from engine.movegen cimport captures, evasions, legal, quiets
from engine.position cimport Pos, in_check
from engine.rules cimport TRY_RULE, EnteringKingRule, can_declare, try_move
from engine.types cimport MATE, MATE_IN_MAX_PLY, MAX_MOVES, MAX_PLY, Move, i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.pool cimport WorkerPool
from search.pv cimport filled
from search.worker cimport Rules, Signals, clock_ns, relaxed_store
from tt.table cimport TranspositionTable

from engine.board import RULES
from eval.loading import load_evaluator
from search.clock import Lateness
from search.limits import Info, Result, Settings
from search.staticorder import best_by_static_order
from search.threads import stall_ms, start_deep, usable_cores, wait_for_end
from search.timeman import MILLISECOND, TimeManager

cdef enum:
    LAST_DEPTH = MAX_PLY - 1
    WATCHED_MS = 20             # to see, before the first search, how late the machine is


def wiping_threads(int megabytes):
    """How many threads clear a table: as there are processors, for nothing else is to do, but few for little."""
    return min(usable_cores(), 1 + max(megabytes, 0) // 64)


cdef i64 smallest(limit, other):
    """The smaller of two limits, of which None and 0 are none; 0 if neither limits anything."""
    return min(limit or other, other or limit) if limit or other else 0


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
    cdef object report_to
    cdef list moves             # the root moves, as 16-bit integers
    cdef Rules rules
    cdef Signals signals
    cdef object time            # TimeManager
    cdef object lock            # guards the time
    cdef i64 asked_at           # on the clock, in nanoseconds
    cdef i64 began              # the same, when there was a thread for it
    cdef tuple reported         # the nodes and the first line of the last report
    cdef dict shown             # the last line shown of each root move
    cdef readonly bint is_running
    cdef bint is_set_up         # the workers count its nodes
    cdef object thread
    cdef object answer          # the Result, once there is one
    cdef object failure         # the exception that ended the thread

    def __init__(self, Searcher searcher not None, Position position not None, limits, settings, on_info, asked_at):
        if settings.entering_king_rule not in RULES:
            raise ValueError(f"{settings.entering_king_rule!r} is not an entering-king rule; use one of "
                             f"{', '.join(RULES)}")
        if searcher.lateness.margin > settings.lateness:
            settings = replace(settings, lateness=searcher.lateness.margin)
        self.searcher = searcher
        self.position = position
        self.limits = limits
        self.settings = settings
        self.report_to = on_info
        self.moves = self._root_moves()
        self.rules.entering_king = RULES[settings.entering_king_rule]
        self.rules.max_moves = settings.max_moves
        self.rules.draw[position.turn] = settings.draw_value[position.turn]
        self.rules.draw[position.turn ^ 1] = -settings.draw_value[position.turn]
        self.lock = threading.Lock()
        self.signals.stop = 0
        self.signals.node_limit = self.signals.nodes_left = smallest(limits.nodes, settings.nodes_limit)
        self.asked_at = clock_ns() if asked_at is None else asked_at
        self.time = TimeManager(settings, position.turn, position.ply)
        if limits.time is not None:
            self.give_time(limits.time, self.asked_at)

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
            self.answer = self._result_by_rules() or self._result_by_search()
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

    cdef i64 _nodes(self):
        return self.searcher.pool.nodes() if self.is_set_up else 0

    cdef i64 _elapsed(self):
        return max(clock_ns() - self.asked_at, 0) // <i64>MILLISECOND

    cdef _result_by_rules(self):
        """The result where the rules leave nothing to think about, else None."""
        cdef Position position = self.position
        cdef EnteringKingRule rule = self.rules.entering_king
        if position.is_mate():
            return self._result(None, -MATE, 0, None, "mated")
        if can_declare(&position.pos, rule):
            return self._result(None, MATE - 1, 0, None, "declaration")
        if rule == TRY_RULE and try_move(&position.pos):
            bestmove = usi_of(try_move(&position.pos))
            if self.report_to is not None:
                self.report_to(Info(1, 1, 1, MATE - 1, "exact", 0, self._elapsed(), 0, (bestmove,)))
            return self._result(bestmove, MATE - 1, 1)
        return None

    cdef list _root_moves(self):
        cdef Move[MAX_MOVES] moves
        cdef const Pos* pos = &self.position.pos
        cdef int count, i
        if self.limits.searchmoves:
            return [self.position.legal_move(usi) for usi in dict.fromkeys(self.limits.searchmoves)]
        if self.settings.generate_all_legal_moves:
            count = legal(pos, moves)
        elif in_check(pos):
            count = evasions(pos, moves)
        else:
            count = captures(pos, moves)
            count += quiets(pos, moves + count)
        return [moves[i] for i in range(count)]

    cdef _result_by_search(self):
        cdef WorkerPool pool = self.searcher.pool
        cdef Deepening deepening, chosen
        for deepening in pool.deepenings:
            deepening.join(pool.workers, len(pool), &self.searcher.table.table, &self.signals, &self.rules)
            deepening.set_root(self.position, self.moves)
        self.is_set_up = True
        self.searcher.table.new_search()
        self.reported = (0, None)
        self.shown = {}
        pool.run(min(smallest(self.limits.depth, self.settings.depth_limit) or LAST_DEPTH, LAST_DEPTH),
                 self.settings.multi_pv, self._on_progress)

        chosen = pool.chosen(self.settings.multi_pv)
        lines = chosen.lines(self.settings.multi_pv)
        line = lines[0]
        if (self._nodes(), line.pv) != self.reported:   # the last report is of the whole search
            self._report(lines)
        pv = self._shown(line)
        return self._result(line.pv[0], line.score, chosen.completed, pv[1] if len(pv) > 1 else None, "move",
                            line.bound)

    def _on_progress(self, int depth, index):
        """Report a line that failed low or high, or a finished iteration; after that one, whether to end here."""
        cdef Deepening leader = self.searcher.pool.leader()
        if index is None:
            self._report(leader.finished)
            return self._is_enough(leader, depth)
        self._report_line(leader.line(index), index)

    cdef bint _is_enough(self, Deepening leader, int depth):
        """Whether to end after this iteration. If it ends soon for lack of time, the clock is set for that."""
        line = leader.finished[0]
        with self.lock:
            enough = self.time.is_enough(depth, line.pv[0], line.score, leader.worker.root_count, clock_ns())
            relaxed_store(&self.signals.deadline, self.time.deadline)
        return enough

    # What it says.

    cdef _report(self, list lines):
        cdef int index
        for index, line in enumerate(lines):
            self._report_line(line, index)
        self.reported = (self._nodes(), lines[0].pv)

    cdef _report_line(self, line, int index):
        if self.report_to is not None:
            self.report_to(Info(line.depth, line.seldepth, index + 1, line.score, line.bound, self._nodes(),
                                self._elapsed(), self.searcher.table.hashfull, self._shown(line)))

    cdef tuple _shown(self, line):
        """The whole line as far as it is known: to the mate, or to the depth of its iteration."""
        cdef int plies = MATE - abs(line.score) if abs(line.score) >= MATE_IN_MAX_PLY else max(line.depth, 2)
        pv = filled(self.position, line.pv, self.shown.get(line.pv[0], ()), plies, &self.searcher.table.table,
                    &self.rules)
        self.shown[line.pv[0]] = pv
        return pv

    cdef _result(self, bestmove, int score, int depth=0, ponder=None, str outcome="move", str bound="exact"):
        return Result(bestmove, ponder, score, depth, self._nodes(), self._elapsed(), outcome, bound)
