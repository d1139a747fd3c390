"""The tree: fail-soft principal-variation search, step by step."""
from search.tree.qsearch cimport qsearch         # here, for search/instrumented.pyx puts its own in place
from search.tree.worker cimport Worker

cdef int alpha_beta(Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
"""The value of a node searched to `depth`: exact inside the window, else a bound on its side, and as far out as known.
`cut_node` says that the node is expected to fail high. At ply 0 the root moves are searched from `root_first` on and
note their scores. After a stop the value means nothing."""
