"""Quiescence search (qsearch): captures only, until the static evaluation can be trusted."""
# Here, not in the .pyx: search/counted.pyx replaces these.
from search.tree.bounds cimport tt_cutoff, tt_probe, tt_store, tt_store_evaluation
from search.tree.worker cimport Worker

cdef int qsearch(Worker* worker, int alpha, int beta, int ply) noexcept nogil
"""The fail-soft value of a node at depth 0. After a stop the value is meaningless."""
