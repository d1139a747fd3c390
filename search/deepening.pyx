"""Iterations and aspiration windows of one worker (see deepening.pxd)."""
from collections import namedtuple
from operator import attrgetter

from libc.math cimport log
from libc.string cimport memcpy, memset

from engine.atomic cimport relaxed_load, relaxed_set_bits
from engine.board cimport Position
from engine.movetext cimport usi_of
from engine.position cimport copy, release
from engine.rules cimport occurred_thrice
from engine.system.block cimport empty_block, free_empty_block
from engine.types cimport INFINITE, MAX_EVAL, MAX_PLY, MOVE_NONE, NO_SCORE, u64
from eval.evaluator cimport refresh, set_evaluator
from search.parameters cimport NAMES, Params
from search.tree.alphabeta cimport alpha_beta
from search.tree.correction cimport Correction, count_keys
from search.tree.history cimport NO_PIECE_TO, History, begin_search, complete
from search.tree.worker cimport (EXACT, LOGARITHMS, LOOKBACK, LOWER_BOUND, UPPER_BOUND, Node, RootMove, node_at)

from engine.errors import OutOfMemory
from search.parameters import with_changes


BOUNDS = {EXACT: "exact", LOWER_BOUND: "lower", UPPER_BOUND: "upper"}


# The result of a root move's last search: iteration, score, its bound, selective depth, and PV in USI.
Line = namedtuple("Line", ("depth", "score", "bound", "seldepth", "pv"))
score_of = attrgetter("score")


cdef void sort_root(Worker* worker, int start, int end) noexcept nogil:
    """Sort root moves stably: by score, then by the previous iteration's score, then (without scores) by the nodes that
    refuting them took."""
    cdef RootMove moving
    cdef int i, j
    for i in range(start + 1, end):
        if not leads(&worker.root_moves[i], &worker.root_moves[i - 1]):
            continue
        moving = worker.root_moves[i]
        j = i
        while j > start and leads(&moving, &worker.root_moves[j - 1]):
            worker.root_moves[j] = worker.root_moves[j - 1]
            j -= 1
        worker.root_moves[j] = moving


cdef inline bint leads(const RootMove* move, const RootMove* other) noexcept nogil:
    if move.score != other.score:
        return move.score > other.score
    if move.previous_score != other.previous_score:
        return move.previous_score > other.previous_score
    return move.score == -INFINITE and move.nodes > other.nodes


cdef int fill_params(Params* params, dict values) except -1:
    """Copy the values, field by field in a loop: Cython's own conversion of this struct takes gcc ten seconds. Raises
    RuntimeError if these are not the fields that were compiled."""
    cdef int* field = <int*>params
    if list(values) != NAMES.decode().split():
        raise RuntimeError("search/parameters.py has changed since it was compiled: run make build")
    for value in values.values():
        field[0] = value
        field += 1
    return 0


cdef void fill_logarithms(Worker* worker) noexcept nogil:
    cdef int i
    for i in range(1, LOGARITHMS):
        worker.logarithms[i] = <int>(worker.params.lmr_scale * log(i) / 1024)


cdef void clear_nodes(Worker* worker) noexcept nogil:
    """Reset all nodes, including those before the root."""
    cdef Node* node
    cdef int ply
    memset(worker.nodes_at, 0, sizeof(worker.nodes_at))
    for ply in range(-LOOKBACK, 0):
        node = node_at(worker, ply)
        node.evaluation = NO_SCORE
        node.played.piece_to = NO_PIECE_TO
        node.played.continuation = &worker.history.continuation[0][0][NO_PIECE_TO][0]
    worker.last_pv[0] = MOVE_NONE
    node_at(worker, 0).keys = count_keys(&worker.pos)


cdef class Deepening:
    """A worker and its search by iterative deepening."""

    def __cinit__(self, dict params=None):
        self.worker = <Worker*>empty_block(sizeof(Worker))     # large, and read at random: on huge pages
        if self.worker == NULL:
            raise OutOfMemory("no memory for a search thread")
        fill_params(&self.worker.params, with_changes(params or {}))
        fill_logarithms(self.worker)
        complete(&self.worker.history)

    def __dealloc__(self):
        if self.worker != NULL:
            release(&self.worker.pos)
            free_empty_block(self.worker, sizeof(Worker))

    def set_evaluator(self, Evaluator evaluator not None):
        self.evaluator = evaluator
        set_evaluator(&self.worker.accumulators, &evaluator.eval)

    def forget(self):
        """Clear the histories and corrections learned in earlier searches."""
        memset(&self.worker.history, 0, sizeof(History))
        complete(&self.worker.history)
        memset(&self.worker.correction, 0, sizeof(Correction))

    cdef void join(self, int number, Table* table, Signals* signals, const Rules* rules):
        """Take part in a search with this table and these signals and rules, as the thread of this number."""
        self.worker.number = number
        self.worker.node_limit = <u64>-1
        self.begin()
        self.worker.table = table
        self.worker.signals = signals
        self.worker.stop = &signals.stop
        self.worker.rules = rules[0]

    def set_root(self, Position position, moves):
        """Copy the position. `moves` are the root moves to search, as 16-bit integers."""
        cdef Worker* worker = self.worker
        cdef RootMove* root_move
        release(&worker.pos)
        if copy(&worker.pos, &position.pos, MAX_PLY + 2) < 0:
            raise OutOfMemory("no memory for a search thread's position")
        refresh(&worker.accumulators, &worker.pos)
        clear_nodes(worker)
        begin_search(&worker.history)
        worker.whole_game = occurred_thrice(&worker.pos)
        worker.null_forbidden_until = 0
        self.begin()
        for move in moves:
            root_move = &worker.root_moves[worker.root_count]
            root_move.score = root_move.previous_score = -INFINITE
            root_move.average = NO_SCORE
            root_move.nodes = 0
            root_move.seldepth = 0
            root_move.pv[0] = move
            root_move.pv[1] = MOVE_NONE
            worker.root_count += 1

    cdef void begin(self):
        """Forget the last search's depth and lines."""
        relaxed_set_bits(&self.worker.nodes, 0)
        self.worker.next_poll = 0
        self.worker.root_count = 0
        self.completed = 0
        self.finished = []
        self.latest = {}
        self.searched = set()

    cdef list lines(self, int count):
        """Up to `count` lines, the best first.

        After a stop, some lines are from this iteration and some from the one before. The root move that leads now
        comes first, then the others completed in this iteration, then the rest; both groups are sorted by score. An
        older score that is higher than the score of a line before it would contradict the order, so it is replaced by
        that line's score, as an upper bound.
        """
        cdef list ranked = self.ranked()
        cdef list searched, rest
        cdef int ceiling
        best = ranked[0]
        if count == 1:
            return [best]
        rest = [line for line in ranked[1:] if line.pv[0] not in self.searched]
        has_fallen = (best.bound == "exact" and best.pv[0] == self.finished[0].pv[0]
                      and any(line.score > best.score for line in rest))
        if not self.searched and (best.depth < self.worker.root_depth or has_fallen):
            return self.finished[:count]        # the best move fell, but the others are not yet searched again
        searched = [line for line in ranked[1:] if line.pv[0] in self.searched]
        searched.sort(key=score_of, reverse=True)
        rest.sort(key=score_of, reverse=True)
        ceiling = searched[len(searched) - 1].score if searched else best.score
        capped = [line if line.score <= ceiling else
                  Line(self.worker.root_depth, ceiling, "upper", line.seldepth, line.pv) for line in rest]
        return ([best] + searched + capped)[:count]

    cdef list ranked(self):
        """The lines in the order of the root moves, each with its last score that is not an upper bound. If a stop left
        a line with an upper bound, the line's previous score is used."""
        cdef dict before = dict(self.latest)
        cdef list lines = []
        cdef int index
        for index in range(self.worker.root_count):
            line = self.line(index)
            if line is not None and line.bound == "upper":
                line = before.get(line.pv[0])
            if line is not None:
                before.pop(line.pv[0], None)
                lines.append(line)
        return lines + list(before.values())

    def line(self, int index):
        """The line of the root move at this index; None if its search only showed that it is not the best."""
        cdef const RootMove* root_move = &self.worker.root_moves[index]
        cdef int score = root_move.score
        cdef int i = 0
        if score == -INFINITE:
            return None
        pv = []
        while root_move.pv[i]:
            pv.append(usi_of(root_move.pv[i]))
            i += 1
        return Line(root_move.depth, score, BOUNDS[root_move.bound], root_move.seldepth, tuple(pv))

    def help(self, Position position, moves, int first_depth, int last_depth):
        """Search as a helper: iterate from `first_depth` to `last_depth`, until a stop."""
        self.set_root(position, moves)
        self.run(first_depth, last_depth, 1, None)

    def run(self, int first_depth, int last_depth, int lines, report):
        """Iterate from `first_depth` to `last_depth`, until a stop or until `report` ends the search. True if the last
        depth was completed and the search may go on. Calls report(depth, index) when the line at `index` fails low or
        high, and report(depth, None) after each iteration; if that returns true, the search ends."""
        cdef Worker* worker = self.worker
        cdef int depth, index, i
        lines = min(lines, worker.root_count)
        for depth in range(first_depth, last_depth + 1):
            for i in range(worker.root_count):
                worker.root_moves[i].previous_score = worker.root_moves[i].score
            self.searched = set()
            for index in range(lines):
                if not self.aspire(depth, index, lines, report):
                    return False
                self.searched.add(usi_of(worker.root_moves[index].pv[0]))
            self.completed = depth
            self.finished = [self.line(i) for i in range(lines)]
            self.latest = {line.pv[0]: line for line in self.finished}
            memcpy(worker.last_pv, worker.root_moves[0].pv, sizeof(worker.last_pv))
            if report is not None and report(depth, None):
                return False
        return True

    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil:
        return alpha_beta(self.worker, alpha, beta, depth, 0, False)

    cdef bint aspire(self, int depth, int index, int lines, object report) except -1:
        """Search one line with an aspiration window, centred on the average of the root move's scores and wider for
        scores far from 0. Widens the window until the score lies inside. False if stopped."""
        cdef Worker* worker = self.worker
        cdef const RootMove* first = &worker.root_moves[index]
        cdef int alpha = -INFINITE
        cdef int beta = INFINITE
        cdef int width = worker.params.aspiration_window + worker.number      # so that threads differ
        cdef int fail_highs = 0
        cdef int value
        if first.average != NO_SCORE and abs(first.average) <= MAX_EVAL:
            width += abs(first.mean_square) // worker.params.aspiration_square
            alpha = max(first.average - width, -INFINITE)
            beta = min(first.average + width, INFINITE)
        worker.root_first = index
        worker.root_depth = depth
        worker.seldepth = 0
        while True:
            with nogil:
                worker.root_width = beta - alpha
                value = self.search_root(alpha, beta, max(1, depth - fail_highs))
                sort_root(worker, index, worker.root_count)
            if relaxed_load(worker.stop):
                break
            if value <= alpha:
                if report is not None:
                    report(depth, index)
                beta = alpha
                alpha = max(value - width, -INFINITE)
                fail_highs = 0
            elif value >= beta:
                line = self.line(index)
                self.latest[line.pv[0]] = line
                if report is not None:
                    report(depth, index)
                alpha = max(alpha, beta - width)
                beta = min(value + width, INFINITE)
                fail_highs += 1
            else:
                break
            width += width // worker.params.aspiration_growth + 1
            if abs(value) > MAX_EVAL:
                width = INFINITE
        sort_root(worker, 0, index + 1)
        return not relaxed_load(worker.stop)
