"""Quiescence search (qsearch): captures until the position is quiet enough for the static evaluation."""
from search.worker cimport Worker

cdef int qsearch(Worker* worker, int alpha, int beta, int depth, int ply) noexcept nogil
"""Fail-soft value of a node at `depth` <= 0; the deeper, the fewer captures are looked at."""
