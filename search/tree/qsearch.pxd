"""Quiescence search (qsearch): captures only, until the static evaluation can be trusted."""
from search.tree.worker cimport Worker

cdef int qsearch(Worker* worker, int alpha, int beta, int ply) noexcept nogil
"""The fail-soft value of a node at depth 0. After a stop it is meaningless."""
