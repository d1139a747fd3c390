"""The search tree: fail-soft principal-variation search, in numbered steps."""
# Here, not in the .pyx: search/counted.pyx replaces these.
from search.tree.bounds cimport tt_cutoff, tt_probe, tt_store, tt_store_evaluation
from search.tree.qsearch cimport qsearch
from search.tree.worker cimport Worker

cdef int alpha_beta(Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
"""The fail-soft value of a node searched to `depth` plies: exact inside the window, a bound outside it. `cut_node`: the
node is expected to fail high. At ply 0 the root moves from `root_first` on are searched, and their scores are stored in
`root_moves`. After a stop the value is meaningless."""
