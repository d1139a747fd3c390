from libc.math cimport log
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.board cimport Position, usi_of
from engine.position cimport copy, release
from engine.rules cimport occurred_thrice
from engine.types cimport *
from eval.evaluator cimport refresh
from search.alphabeta cimport search
from search.history cimport History
from search.loops cimport clear_loops
from search.worker cimport LOGARITHMS, RootMove, relaxed_load

from search.parameters import with_changes


cdef class Line:
    """A root move as it stands: score, bound, selective depth and the line in USI."""
    cdef readonly int score
    cdef readonly str bound
    cdef readonly int seldepth
    cdef readonly tuple pv

    def __init__(self, int score, str bound, int seldepth, tuple pv):
        self.score = score
        self.bound = bound
        self.seldepth = seldepth
        self.pv = pv


cdef void sort_root(Worker* worker, int start, int end) noexcept nogil:
    """Best first; equals keep their order, which is that of the iteration before."""
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
    return move.previous_score > other.previous_score


cdef void fill_logarithms(Worker* worker) noexcept nogil:
    cdef int i
    for i in range(1, LOGARITHMS):
        worker.logarithms[i] = <int>(1024 * log(i))


cdef class Deepening:
    """One worker and its deepening search."""

    def __cinit__(self, dict params=None):
        self.worker = <Worker*>calloc(1, sizeof(Worker))
        if self.worker == NULL:
            raise MemoryError("no memory for a search thread")
        self.worker.params = with_changes(params or {})
        fill_logarithms(self.worker)

    def __dealloc__(self):
        if self.worker != NULL:
            release(&self.worker.pos)
            free(self.worker)

    def set_evaluator(self, Evaluator evaluator not None):
        self.evaluator = evaluator
        self.worker.evaluator = &evaluator.eval
        memset(&self.worker.refresh_cache, 0, sizeof(self.worker.refresh_cache))

    def forget(self):
        """Clear what was learnt in earlier searches."""
        memset(&self.worker.history, 0, sizeof(History))

    def set_root(self, Position position, moves):
        """Take a copy of the position; `moves` are the root moves to search, as 16-bit integers."""
        cdef Worker* worker = self.worker
        cdef RootMove* root_move
        release(&worker.pos)
        if copy(&worker.pos, &position.pos, MAX_PLY + 2) < 0:
            raise MemoryError("no memory for a search thread's position")
        refresh(worker.evaluator, &worker.sums[0], &worker.pos)
        memset(worker.nodes_at, 0, sizeof(worker.nodes_at))
        clear_loops(&worker.loops)
        memset(worker.history.low_ply, 0, sizeof(worker.history.low_ply))
        worker.whole_game = occurred_thrice(&worker.pos)
        worker.null_forbidden_until = 0
        worker.nodes = worker.next_poll = 0
        worker.root_count = 0
        for move in moves:
            root_move = &worker.root_moves[worker.root_count]
            root_move.score = root_move.previous_score = -INFINITE
            root_move.seldepth = 0
            root_move.pv[0] = move
            root_move.pv[1] = MOVE_NONE
            worker.root_count += 1
        self.completed = 0

    def line(self, int index, str bound="exact"):
        """The root move at this place of the order, or None if no search of it has been finished."""
        cdef const RootMove* root_move = &self.worker.root_moves[index]
        cdef int score = root_move.score
        cdef int i = 0
        if score == -INFINITE:
            return None
        pv = []
        while root_move.pv[i]:
            pv.append(usi_of(root_move.pv[i]))
            i += 1
        return Line(score, bound, root_move.seldepth, tuple(pv))

    def run(self, int first_depth, int last_depth, int lines, report):
        """Deepen until the last depth, a stop, or `report` says so. It is called as report(depth, index, bound) when a
        line has failed low or high, and as report(depth, None, "exact") when an iteration is finished; a true answer to
        the latter ends the search."""
        cdef Worker* worker = self.worker
        cdef int depth, index, i
        lines = min(lines, worker.root_count)
        for depth in range(first_depth, last_depth + 1):
            for i in range(worker.root_count):
                worker.root_moves[i].previous_score = worker.root_moves[i].score
            for index in range(lines):
                if not self.aspire(depth, index, lines, report):
                    return
            self.completed = depth
            if report is not None and report(depth, None, "exact"):
                return

    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil:
        return search(self.worker, alpha, beta, depth, 0, False)

    cdef bint aspire(self, int depth, int index, int lines, object report) except -1:
        """Search one line with a window around its last score, opened until the score is inside. False if stopped."""
        cdef Worker* worker = self.worker
        cdef int alpha = -INFINITE
        cdef int beta = INFINITE
        cdef int width = worker.params.aspiration_window
        cdef int previous = worker.root_moves[index].previous_score
        cdef int value
        if depth >= worker.params.aspiration_depth and abs(previous) < SUPERIOR:
            alpha = previous - width
            beta = previous + width
        worker.root_first = index
        worker.root_depth = depth
        worker.seldepth = 0
        while True:
            with nogil:
                value = self.search_root(alpha, beta, depth)
                sort_root(worker, index, worker.root_count)
            if relaxed_load(&worker.signals.stop):
                break
            width *= 2
            if value <= alpha:
                if report is not None:
                    report(depth, index, "upper")
                beta = (alpha + beta) // 2
                alpha = max(value - width, -INFINITE)
            elif value >= beta:
                if report is not None:
                    report(depth, index, "lower")
                beta = min(value + width, INFINITE)
            else:
                break
        sort_root(worker, 0, index + 1)
        return not relaxed_load(&worker.signals.stop)
