"""Iterative deepening: one worker searches the root to depth 1, 2, 3, …, each time the best lines first."""
from eval.evaluator cimport Evaluator
from search.tree.worker cimport Rules, Signals, Worker
from tt.table cimport Table

cdef class Deepening:
    cdef Worker* worker
    cdef Evaluator evaluator                # its accumulators point into it
    cdef readonly int completed             # the last depth completed
    cdef list finished                      # the lines of that depth, the best first
    cdef dict latest                        # by first move: lines without upper bounds, from that depth or later
    cdef set searched                       # first moves of the lines completed in the present iteration
    cdef void begin(self)
    cdef list lines(self, int count)
    cdef list ranked(self)
    cdef void join(self, int number, Table* table, Signals* signals, const Rules* rules)
    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil
    cdef bint aspire(self, int depth, int index, int lines, object report) except -1
