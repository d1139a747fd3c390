"""The mate solver's Python face: `MateSolver` proves a mate, looks for a shorter one, and makes the line."""
from engine.atomic cimport relaxed_store
from engine.system.clock cimport clock_ns
from engine.types cimport MAX_MOVES, MOVE_PROMOTE, Hand, Move, i64, is_drop, is_promotion, u64
from engine.position cimport CheckInfo, do_move, find_check_info, reserve, undo_move
from engine.movegen cimport checks, legal
from search.mate.table cimport NO_LIMIT, empty, mate_hashfull
from search.mate.node cimport MAX_EXCLUDED, Solver
from search.mate.dfpn cimport (DISPROVEN, NO_MEMORY, SEARCHING, STOPPED, Outcome, close_solver, open_solver, rewind,
                               run, set_root, start)
from search.mate.line cimport (UNKNOWN_LENGTH, Step, holds_out, known_length, longest_defence, shortest_attack,
                               store_step)
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free

from engine.board cimport Position, move_of, usi_of

import threading

from engine.errors import LONG_MAX, whole
from engine.errors import UserError
from search.mate import MateInfo, MateResult

cdef enum:
    MILLISECOND = 1000000       # in nanoseconds
    LINE_TIME = 100 * MILLISECOND
    MOST_STEPS_BACK = 512       # while a line is made: some 0.1 s
    STEPS = 32                  # of these between two looks at the clock
    PROMOTION_NODES = 4096      # to see whether a promotion mates as well
    SLICE = 4096                # nodes between two looks at the clock
    SPARE = 64                  # states of a position

cdef u64 NO_NODE_LIMIT = <u64>-1
LONGEST_MS = 10**12             # 30 years


class Paused(Exception):
    """The time is up, or `stop` has been called."""


cdef class MateSolver:
    """Finds forced mates by checks alone, the side to move being the attacker.

    >>> from engine import Position
    >>> MateSolver(hash_mb=1).solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves
    ('G*5b',)
    """
    cdef Solver* solver
    cdef readonly int megabytes
    cdef bint armed
    cdef i64 started            # on the clock, in nanoseconds
    cdef i64 deadline           # 0: none
    cdef u64 node_limit
    cdef i64 next_report
    cdef i64 report_interval
    cdef object report_to
    cdef int length             # of the shortest mate proven; 0 if none
    cdef tuple moves            # its line
    cdef tuple shown            # the last line that was as long as the mate proven by then
    cdef int depth              # moves of a line that the solver's position stands beyond the problem's
    cdef object solving         # a lock, held while `solve` works

    def __cinit__(self, hash_mb=256):
        self.megabytes = whole("hash_mb", hash_mb, 1)
        self.solver = <Solver*>PyMem_Calloc(1, sizeof(Solver))
        if self.solver == NULL:
            raise MemoryError("no memory for a mate solver")
        self.solving = threading.Lock()

    def __dealloc__(self):
        if self.solver != NULL:
            close_solver(self.solver)
            PyMem_Free(self.solver)

    def arm(self, asked_at=None):
        """Say that `solve` is about to be called in another thread: a `stop` is meant for it, and its time began at
        `asked_at` (time.perf_counter_ns; None: now)."""
        relaxed_store(&self.solver.stop, 0)
        self.started = clock_ns() if asked_at is None else asked_at
        self.armed = True

    def stop(self):
        """End the work at once; without any, nothing happens."""
        relaxed_store(&self.solver.stop, 1)

    def solve(self, Position position not None, time_ms=None, nodes=None, excluded=(), bint end_early=False,
              refine_ms=None, on_info=None, report_ms=300):
        """Solve a problem; returns a `MateResult`. Blocks, with the interpreter free for other threads; Ctrl-C ends it.

        `time_ms` and `nodes` limit the work (None: they do not; 0: nothing is done). Once a mate is proven, a shorter
        one is looked for until there is none, for at most `refine_ms` (None: for as long as there is time). `excluded`
        are moves not to begin with. With `end_early`, interpositions that the checking piece takes again and again
        until the mate do not count: the line ends before them. `on_info` is called with a `MateInfo` every `report_ms`.
        RuntimeError if a problem is being solved, UserError for a negative limit.
        """
        for name, limit in (("time_ms", time_ms), ("refine_ms", refine_ms)):
            if limit is not None and not 0 <= limit <= LONGEST_MS:
                raise UserError(f"{name}={limit}: a limit is not negative, nor longer than {LONGEST_MS} ms; leave it "
                                 "out for none")
        if nodes is not None:
            nodes = whole("nodes", nodes, 0, LONG_MAX)
        report_ms = whole("report_ms", report_ms, 0)
        if not self.solving.acquire(blocking=False):
            raise RuntimeError("this solver is solving another problem: stop that and wait for its result first")
        try:
            return self._solve(position, time_ms, nodes, excluded, end_early, refine_ms, on_info, report_ms)
        finally:
            self.solving.release()

    cdef _solve(self, Position position, time_ms, nodes, excluded, bint end_early, refine_ms, on_info, int report_ms):
        if not self.armed:
            self.arm()
        self.armed = False
        self._open(position, excluded, end_early)
        self.deadline = self.started + <i64>(time_ms * MILLISECOND) if time_ms is not None else 0
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
            if open_solver(solver, <u64>self.megabytes << 20) < 0:
                raise MemoryError(f"no memory for a mate table of {self.megabytes} MB; make it smaller")
        else:
            empty(&solver.table)
        if set_root(solver, &position.pos) < 0:
            raise MemoryError("no memory for a position")
        solver.nodes = 0
        solver.end_early = end_early
        if len(excluded) > MAX_EXCLUDED:
            raise UserError(f"{len(excluded)} moves to exclude; a position has at most {MAX_EXCLUDED}")
        solver.excluded_count = 0
        for usi in excluded:
            solver.excluded[solver.excluded_count] = move_of(usi)
            solver.excluded_count += 1

    # The search, in slices.

    cdef Outcome _search(self, int limit) except SEARCHING:
        """Whether there is a mate within so many plies from where the solver stands; Paused if time is too short."""
        cdef Solver* solver = self.solver
        cdef Outcome outcome = SEARCHING
        cdef u64 nodes
        if not start(solver, limit):
            raise MemoryError("no memory to search for a mate")
        while outcome == SEARCHING:
            nodes = solver.nodes + SLICE
            nodes = min(nodes, self.node_limit)
            with nogil:
                outcome = run(solver, nodes)
            if outcome == SEARCHING:
                self._pause_if_due()
        rewind(solver)
        if outcome == NO_MEMORY:
            raise MemoryError("no memory for so long a line")
        if outcome == STOPPED:
            raise Paused()
        return outcome

    cdef _pause_if_due(self):
        cdef i64 now = clock_ns()
        PyErr_CheckSignals()        # nothing here but reports runs Python, which else would see to Ctrl-C
        if (self.deadline and now >= self.deadline) or self.solver.nodes >= self.node_limit:
            raise Paused()
        if self.report_to is not None and now >= self.next_report:
            self.next_report = now + self.report_interval
            self.report_to(self._info())

    cdef bint _refine(self, refine_ms) except -1:
        """Look for shorter mates until there is none and the line is the shortest (True), or until the time is up."""
        cdef i64 refine_until
        if refine_ms is not None:
            refine_until = clock_ns() + <i64>(refine_ms * MILLISECOND)
            self.deadline = min(self.deadline, refine_until) if self.deadline else refine_until
        while self.length > 1:
            if self._search(self.length - 2) == DISPROVEN:
                return self._take_line(True)
            self._take_line(False)
        return True

    # The line.

    cdef bint _take_line(self, bint exact) except -1:
        """Make the line of the mate just proven, or of the `exact` length known; True if it is as long as that. Paused
        if the time is too short, and there is the line of an earlier pass."""
        cdef i64 deadline = self.deadline
        cdef u64 node_limit = self.node_limit
        cdef int excluded_count = self.solver.excluded_count
        if not exact:
            self.length = self.solver.result.length
        # Without its line a proof is nothing: so much time there must be.
        self.node_limit = NO_NODE_LIMIT
        if deadline:
            self.deadline = max(deadline, clock_ns() + LINE_TIME)
        moves = []
        try:
            self._walk_exactly(moves) if exact else self._walk(moves, MOST_STEPS_BACK)
        except Paused:
            if exact:
                moves = []                      # the line of the last pass is as long
            elif self.moves:
                raise
            else:
                self._go_back(0)
                self.solver.excluded_count = excluded_count
                if deadline:
                    self.deadline = clock_ns() + LINE_TIME
                moves = []
                self._walk(moves, 0)
        finally:
            self.deadline = deadline
            self.node_limit = node_limit
            self.solver.excluded_count = excluded_count
            self._go_back(0)
        # A line that is shorter than the pass has proven has a bad answer to some check. Another pass's does better.
        if len(moves) == self.length or not self.moves:
            self.moves = tuple(moves)
        if len(moves) == self.length:
            self.shown = self.moves
        if self.report_to is not None:
            self.report_to(self._info())
        return len(self.moves) == self.length

    cdef _walk(self, list moves, int steps_back):
        """A line from the lengths that are known, as long as the attacker needs by them against any defence.

        A length is that of some proof, at most, and the line may turn out to be shorter after an answer to a check
        that seemed to hold out longest. This is noted then, and the line is taken back to that answer, as another may
        be better. So in the end no answer is known to hold out longer than the line does, and a mate of its length is
        proven. After `steps_back` steps it is not taken back any more, and may be shorter than any such mate.
        """
        cdef Solver* solver = self.solver
        cdef int excluded_count = solver.excluded_count
        cdef int length
        cdef bint exact = False
        cdef Step step
        cdef list bounds = [self.length]        # plies to the mate from each position of the line, as far as is known
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
                raise Paused()                  # the table takes no more
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
        """The check with the shortest mate known, within `bound` plies."""
        cdef Step step = shortest_attack(self.solver, bound)
        if not step.move:               # the table has lost it
            if self._search(bound) == DISPROVEN:
                raise AssertionError(f"a mate within {bound} plies has vanished")
            step.move = self.solver.result.move
            step.length = self.solver.result.length - 1
            step.pieces = self.solver.result.pieces
        return step

    cdef Step _promoted(self, Step step) except *:
        """The same check with promotion, if it soon turns out to mate as fast: people write it so."""
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
        """A line of the `length` that is known to be the shortest: the answers to checks are such that it is known of
        them that they hold out so long, as far as there is time to find out."""
        cdef Solver* solver = self.solver
        cdef int bound = self.length        # plies to the mate from here
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
        """The answer to a check that holds out longest; `exact` becomes False if that is not known for sure."""
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
                raise Paused()              # the table is too small to hold a single proof
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
        """Play a move of the line."""
        if reserve(&self.solver.pos, SPARE) < 0:
            raise MemoryError("no memory for so long a line")
        moves.append(usi_of(move))
        do_move(&self.solver.pos, move)
        self.depth += 1

    cdef _go_back(self, int depth):
        rewind(self.solver)
        while self.depth > depth:
            undo_move(&self.solver.pos)
            self.depth -= 1

    # What is known.

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
        return <int>((clock_ns() - self.started) // MILLISECOND)
