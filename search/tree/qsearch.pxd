"""Quiescence search (qsearch): captures until the position is quiet enough for the static evaluation."""
from search.tree.worker cimport Worker

cdef int qsearch(Worker* worker, int alpha, int beta, int ply) noexcept nogil
"""Fail-soft value of a leaf of the search."""
