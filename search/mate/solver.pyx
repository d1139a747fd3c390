"""The Python class of the mate solver: proves a mate, searches for shorter ones, and makes the line."""
from engine.atomic cimport relaxed_store
from engine.system.monotonic cimport monotonic_ns
from engine.types cimport MAX_MOVES, MOVE_PROMOTE, Hand, Move, i64, is_drop, is_promotion, u64
from engine.position cimport CheckInfo, do_move, find_check_info, reserve, undo_move
from engine.movegen cimport checks, legal
from search.mate.table cimport NO_LIMIT, allocate, empty, mate_hashfull
from search.mate.node cimport MAX_EXCLUDED, Solver
from search.mate.dfpn cimport (DISPROVEN, NO_MEMORY, SEARCHING, STOPPED, Outcome, begin_run, close_solver, rewind, run,
                               set_root)
from search.mate.line cimport (UNKNOWN_LENGTH, Step, holds_out, known_length, longest_defence, shortest_attack,
                               store_step)
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free

from engine.board cimport Position
from engine.movetext cimport move_of, usi_of

import threading
import warnings
from numbers import Integral, Real

from engine.errors import LONG_MAX, OutOfMemory, UserError, quoted, whole
from search.mate import MateInfo, MateResult

cdef enum:
    MILLISECOND = 1000000       # in nanoseconds
    LINE_TIME = 100 * MILLISECOND
    MOST_STEPS_BACK = 512       # while making a line, about 0.1 s
    STEPS = 32                  # of these between two checks of the time
    PROMOTION_NODES = 4096      # to find out whether a promotion mates as fast
    SLICE = 4096                # nodes between two checks of the time
    SPARE = 64                  # states of a position

cdef u64 NO_NODE_LIMIT = <u64>-1
LONGEST_MS = 10**12             # 30 years
SOLVING = "this solver is solving another problem: stop that and wait for its result first"


def milliseconds(str name, limit):
    """A limit as a plain int or float, since arithmetic with small NumPy integers overflows; None stays."""
    if limit is None:
        return None
    if not isinstance(limit, Real):
        raise TypeError(f"{name}={quoted(limit)}: give a number, not {type(limit).__name__}")
    if not 0 <= limit <= LONGEST_MS:
        raise UserError("{name}={limit}: a limit is not negative, nor longer than {most} ms; leave it out for none",
                        name=name, limit=limit, most=LONGEST_MS)
    if isinstance(limit, Integral):
        return int(limit)
    return float(limit)


class Paused(Exception):
    """The time is up, or `stop` has been called."""


cdef class MateSolver:
    """Finds forced mates by continuous checks for the side to move.

    >>> from engine import Position
    >>> MateSolver(hash_mb=1).solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)
    """
    cdef Solver* solver
    cdef readonly int megabytes
    cdef readonly int stops     # calls of `stop` so far
    cdef i64 started            # in nanoseconds, as monotonic_ns
    cdef i64 deadline           # 0: none
    cdef u64 node_limit
    cdef i64 next_report
    cdef i64 report_interval
    cdef object report_to
    cdef int length             # plies of the shortest mate proven; 0: none
    cdef tuple moves            # its line
    cdef tuple shown            # the last line with the full length of the mate proven at the time
    cdef int depth              # moves from the problem to the solver's position
    cdef object solving         # a lock, held by `solve`

    def __cinit__(self, hash_mb=256):
        self.megabytes = whole("hash_mb", hash_mb, 1)
        self.solver = <Solver*>PyMem_Calloc(1, sizeof(Solver))
        if self.solver == NULL:
            raise OutOfMemory("no memory for a mate solver")
        self.solving = threading.Lock()

    def __dealloc__(self):
        if self.solver != NULL:
            close_solver(self.solver)
            PyMem_Free(self.solver)

    def stop(self):
        """Stop `solve` at once, if it is running."""
        self.stops += 1
        relaxed_store(&self.solver.stop, 1)

    def solve(self, Position position not None, movetime=None, nodes=None, excluded=(), bint end_early=False,
              refine_ms=None, on_info=None, report_ms=300, *, asked_at=None, stops=None, time_ms=None):
        """Solve a problem and return a `MateResult`. Releases the GIL; Ctrl-C ends the search.

        `movetime` (ms; once called `time_ms`) and `nodes` limit the work (None: no limit; 0: no work is done). After a
        mate is proven, shorter ones are searched until there is none, for at most `refine_ms` (None: as long as time
        allows). `excluded` are first moves to leave out. With `end_early`, useless interpositions do not count: the
        line ends before them. Calls `on_info` with a `MateInfo` every `report_ms`. The time runs from `asked_at`, in
        nanoseconds of time.perf_counter_ns(), or from now. `stops` is what `MateSolver.stops` was when the problem was
        set: calls of `stop` since then end the work at once. Raises RuntimeError if another problem is being solved,
        UserError for a negative limit.
        """
        if time_ms is not None:
            warnings.warn("time_ms is now movetime, as in Limits", DeprecationWarning)
            movetime = time_ms
        movetime, refine_ms = milliseconds("movetime", movetime), milliseconds("refine_ms", refine_ms)
        if nodes is not None:
            nodes = whole("nodes", nodes, 0, LONG_MAX)
        report_ms = whole("report_ms", report_ms, 0)
        if asked_at is not None:
            asked_at = whole("asked_at", asked_at, -LONG_MAX, LONG_MAX)
        if stops is not None:
            stops = whole("stops", stops, 0, LONG_MAX)
        if not self.solving.acquire(blocking=False):
            raise RuntimeError(SOLVING)
        try:
            self.started = monotonic_ns() if asked_at is None else asked_at
            relaxed_store(&self.solver.stop, stops is not None and stops != self.stops)
            return self._solve(position, movetime, nodes, excluded, end_early, refine_ms, on_info, report_ms)
        finally:
            self.solving.release()

    cdef _solve(self, Position position, movetime, nodes, excluded, bint end_early, refine_ms, on_info, int report_ms):
        self._open(position, excluded, end_early)
        self.deadline = self.started + <i64>(movetime * MILLISECOND) if movetime is not None else 0
        self.node_limit = NO_NODE_LIMIT if nodes is None else nodes
        self.report_to = on_info
        self.report_interval = max(report_ms, 1) * MILLISECOND
        self.next_report = self.started + self.report_interval
        self.length = 0
        self.moves = self.shown = ()
        shortest = False
        try:
            if self._search(NO_LIMIT) == DISPROVEN:
                return self._result("nomate", False)
            self._take_line(False)
            shortest = self._refine(refine_ms)
        except Paused:
            pass
        finally:
            self._go_back(0)
            self.report_to = None
        return self._result("mate" if self.moves else "timeout", shortest)

    cdef _open(self, Position position, excluded, bint end_early):
        cdef Solver* solver = self.solver
        if solver.table.entries == NULL:
            if allocate(&solver.table, <u64>self.megabytes << 20) < 0:
                raise OutOfMemory("no memory for a mate table of {size} MB; make it smaller", size=self.megabytes)
        else:
            empty(&solver.table)
        if set_root(solver, &position.pos) < 0:
            raise OutOfMemory("no memory for a position")
        solver.nodes = 0
        solver.end_early = end_early
        if len(excluded) > MAX_EXCLUDED:
            raise UserError("{count} moves to exclude; a position has at most {most}", count=len(excluded),
                            most=MAX_EXCLUDED)
        solver.excluded_count = 0
        for usi in excluded:
            solver.excluded[solver.excluded_count] = move_of(usi)
            solver.excluded_count += 1

    # The search, in slices.

    cdef Outcome _search(self, int limit) except SEARCHING:
        """Search for a mate within `limit` plies from the solver's present position. Raises Paused if time is up."""
        cdef Solver* solver = self.solver
        cdef Outcome outcome = SEARCHING
        cdef u64 nodes
        if not begin_run(solver, limit):
            raise OutOfMemory("no memory to search for a mate")
        while outcome == SEARCHING:
            nodes = solver.nodes + SLICE
            nodes = min(nodes, self.node_limit)
            with nogil:
                outcome = run(solver, nodes)
            if outcome == SEARCHING:
                self._pause_if_due()
        rewind(solver)
        if outcome == NO_MEMORY:
            raise OutOfMemory("no memory for so long a line")
        if outcome == STOPPED:
            raise Paused()
        return outcome

    cdef _pause_if_due(self):
        cdef i64 now = monotonic_ns()
        PyErr_CheckSignals()        # for Ctrl-C, because otherwise hardly any Python code runs here
        if (self.deadline and now >= self.deadline) or self.solver.nodes >= self.node_limit:
            raise Paused()
        if self.report_to is not None and now >= self.next_report:
            self.next_report = now + self.report_interval
            self.report_to(self._info())

    cdef bint _refine(self, refine_ms) except -1:
        """Search for shorter mates. True if the line is proven to be the shortest, False if it may not be; raises
        Paused if time is up."""
        cdef i64 refine_until
        if refine_ms is not None:
            refine_until = monotonic_ns() + <i64>(refine_ms * MILLISECOND)
            self.deadline = min(self.deadline, refine_until) if self.deadline else refine_until
        while self.length > 1:
            if self._search(self.length - 2) == DISPROVEN:
                return self._take_line(True)
            self._take_line(False)
        return True

    # The line.

    cdef bint _take_line(self, bint exact) except -1:
        """Make the line of the mate just proven; `exact`: its length is known to be the shortest. True if the line has
        the full length. Raises Paused if time is up and there is a line of an earlier pass."""
        cdef i64 deadline = self.deadline
        cdef u64 node_limit = self.node_limit
        cdef int excluded_count = self.solver.excluded_count
        if not exact:
            self.length = self.solver.result.length
        # A proof is useless without its line, so making it gets some time in any case.
        self.node_limit = NO_NODE_LIMIT
        if deadline:
            self.deadline = max(deadline, monotonic_ns() + LINE_TIME)
        moves = []
        try:
            self._walk_exactly(moves) if exact else self._walk(moves, MOST_STEPS_BACK)
        except Paused:
            if exact:
                moves = []                      # so the line of the last pass is used: it has the same length
            elif self.moves:
                raise
            else:
                self._go_back(0)
                self.solver.excluded_count = excluded_count
                if deadline:
                    self.deadline = monotonic_ns() + LINE_TIME
                moves = []
                self._walk(moves, 0)
        finally:
            self.deadline = deadline
            self.node_limit = node_limit
            self.solver.excluded_count = excluded_count
            self._go_back(0)
        # A line shorter than the proven length contains a weak defence, so prefer the line of another pass.
        if len(moves) == self.length or not self.moves:
            self.moves = tuple(moves)
        if len(moves) == self.length:
            self.shown = self.moves
        if self.report_to is not None:
            self.report_to(self._info())
        return len(self.moves) == self.length

    cdef _walk(self, list moves, int steps_back):
        """Make a line from the mate lengths in the table, against the defence with the longest known mate.

        Known lengths are upper bounds, so a mate may turn out to be shorter after the answer that seemed to resist
        longest. Then the new length is stored and the line goes back to that answer, because another may resist longer.
        So in the end no answer is known to resist longer than the line does, and a mate of that length is proven. After
        `steps_back` steps back the line no longer goes back, and may be too short.
        """
        cdef Solver* solver = self.solver
        cdef int excluded_count = solver.excluded_count
        cdef int length
        cdef bint exact = False
        cdef Step step
        cdef list bounds = [self.length]        # known plies to mate from each position of the line
        taken_back = None
        while True:
            bound = bounds[len(bounds) - 1]
            if len(moves) % 2 == 0:
                solver.excluded_count = 0 if moves else excluded_count
                step = self._attack(bound)
            else:
                solver.excluded_count = 0
                step = self._best_defence(bound, &exact)
            length = step.length + 1 if step.move else 0
            if taken_back is not None and taken_back[0] == step.move and step.length > taken_back[1]:
                raise Paused()                  # the table is full
            taken_back = None
            if length < bound and moves and steps_back:
                steps_back -= 1
                if steps_back % STEPS == 0:
                    self._pause_if_due()
                step.length = length - 1
                store_step(solver, &step)
                self._go_back(self.depth - 1)
                bounds.pop()
                taken_back = move_of(moves.pop()), length
                continue
            if not moves and steps_back:
                self.length = length
            if not step.move:
                return
            bounds[len(bounds) - 1] = length
            self._go(step.move, moves)
            bounds.append(step.length)

    cdef Step _attack(self, int bound) except *:
        """The check with the shortest known mate, within `bound` plies."""
        cdef Step step = shortest_attack(self.solver, bound)
        if not step.move:               # the table has dropped its entry
            if self._search(bound) == DISPROVEN:
                raise AssertionError(f"a mate within {bound} plies has vanished")
            step.move = self.solver.result.move
            step.length = self.solver.result.length - 1
            step.pieces = self.solver.result.pieces
        return step

    cdef Step _promoted(self, Step step) except *:
        """The same check with promotion, if that is quickly proven to mate as fast; solutions prefer it."""
        cdef Solver* solver = self.solver
        cdef Move[MAX_MOVES] moves
        cdef CheckInfo check_info
        cdef int count, i
        cdef u64 node_limit = self.node_limit
        cdef Move promotion = step.move | MOVE_PROMOTE
        if is_drop(step.move) or is_promotion(step.move) or solver.excluded_count:
            return step
        find_check_info(&solver.pos, &check_info)
        count = checks(&solver.pos, &check_info, moves)
        for i in range(count):
            if moves[i] != promotion:
                solver.excluded[solver.excluded_count] = moves[i]
                solver.excluded_count += 1
        try:
            if solver.excluded_count < count:
                self.node_limit = solver.nodes + PROMOTION_NODES
                if self._search(step.length + 1) != DISPROVEN:
                    step.move = promotion
                    step.length = solver.result.length - 1
        except Paused:
            self._go_back(self.depth)
        finally:
            self.node_limit = node_limit
            solver.excluded_count = 0
        return step

    cdef _walk_exactly(self, list moves):
        """Make a line of `length` plies, known to be the shortest mate. Chooses answers that are proven to resist that
        long, as far as time allows."""
        cdef Solver* solver = self.solver
        cdef int bound = self.length        # plies to mate from here
        cdef bint exact = True
        cdef Step step
        while True:
            step = self._promoted(self._attack(bound))
            solver.excluded_count = 0
            self._go(step.move, moves)
            bound = step.length
            step = self._best_defence(bound, &exact)
            if not step.move:
                return
            self._go(step.move, moves)
            bound = step.length

    cdef Step _best_defence(self, int bound, bint* exact) except *:
        """The answer to a check that resists longest. Sets `exact` to False if that is not proven."""
        cdef Solver* solver = self.solver
        cdef Move[MAX_MOVES] moves
        cdef Hand pieces = 0
        cdef int count, i
        cdef Step step = longest_defence(solver, bound)
        while step.move and step.length == UNKNOWN_LENGTH:
            do_move(&solver.pos, step.move)
            self.depth += 1
            if self._search(bound - 1) == DISPROVEN:
                raise AssertionError(f"a mate within {bound - 1} plies has vanished")
            self._go_back(self.depth - 1)
            if known_length(solver, step.move, False, bound - 1, &pieces) == UNKNOWN_LENGTH:
                raise Paused()              # the table is too small for a single proof
            step = longest_defence(solver, bound)
        if not exact[0] or not step.move or bound <= 2:
            return step
        count = legal(&solver.pos, moves)
        for searching in range(2):
            for i in range(count):
                if searching:
                    do_move(&solver.pos, moves[i])
                    self.depth += 1
                    self._search(bound - 3)
                    self._go_back(self.depth - 1)
                if holds_out(solver, moves[i], bound - 3):
                    step.move = moves[i]
                    step.length = bound - 1
                    return step
        exact[0] = False
        return step

    cdef _go(self, Move move, list moves):
        """Play a move and append it to the line."""
        if reserve(&self.solver.pos, SPARE) < 0:
            raise OutOfMemory("no memory for so long a line")
        moves.append(usi_of(move))
        do_move(&self.solver.pos, move)
        self.depth += 1

    cdef _go_back(self, int depth):
        rewind(self.solver)
        while self.depth > depth:
            undo_move(&self.solver.pos)
            self.depth -= 1

    # Reports and results.

    cdef object _info(self):
        cdef Solver* solver = self.solver
        cdef int ply
        path = tuple([usi_of(solver.children[solver.frames[ply].first + solver.frames[ply].best].move)
                      for ply in range(solver.ply)])
        return MateInfo(nodes=int(solver.nodes), time_ms=self._time(), hashfull=mate_hashfull(&solver.table),
                        path=path, mate=self.shown)

    cdef object _result(self, outcome, shortest):
        return MateResult(outcome=outcome, moves=self.moves, shortest=shortest, nodes=int(self.solver.nodes),
                          time_ms=self._time(), hashfull=mate_hashfull(&self.solver.table),
                          plies=self.length if self.moves else 0)

    cdef int _time(self):
        return <int>((monotonic_ns() - self.started) // MILLISECOND)
