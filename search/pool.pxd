"""The pool of workers: the data of a search's threads, and their results."""
from engine.types cimport i64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.tree.worker cimport Worker

cdef class WorkerPool:
    cdef list deepenings        # one per thread; the first is the leader's
    cdef Worker** workers       # their workers, for the search
    cdef dict params
    cdef Evaluator evaluator
    cdef readonly dict traffic  # see Searcher.traffic and Searcher.loops
    cdef readonly dict loops
    cdef count(self)
    cdef bint _first_iteration(self, Deepening leader, int lines, on_progress) except -1
    cdef _iterations_from_2(self, Deepening leader, int depth, int lines, on_progress)
    cdef Deepening leader(self)
    cdef i64 nodes(self)
    cdef Deepening chosen(self, int lines)
