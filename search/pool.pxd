"""The pool of workers: the data of a search's threads, and their results."""
from engine.types cimport i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.tree.worker cimport Rules, Signals
from tt.table cimport Table

cdef class WorkerPool:
    cdef list deepenings        # one per thread; the first is the leader's
    cdef list helpers           # the threads of the others, kept between searches; fewer than them until one is needed
    cdef object process         # the process that they belong to; a fork has none of them
    cdef dict params
    cdef Evaluator evaluator
    cdef readonly list ballots  # see Searcher.ballots
    cdef readonly dict traffic  # see Searcher.traffic
    cdef count(self)
    cdef void join(self, Table* table, Signals* signals, const Rules* rules)    # for a search with these
    cdef int share(self, i64 node_limit, int lines)
    cdef list wake(self, int count)
    cdef end_threads(self)
    cdef bint _first_iteration(self, Deepening leader, int lines, on_progress) except -1
    cdef _iterations_from_2(self, Deepening leader, int threads, help, int depth, int lines, on_progress)
    cdef Deepening leader(self)
    cdef i64 nodes(self)
    cdef Deepening chosen(self, int lines)
