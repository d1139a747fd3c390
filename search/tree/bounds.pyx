"""Cutoffs by bounds that rest on repetitions (see bounds.pxd)."""
from engine.types cimport u8
from search.tree.loops cimport reuse_bound
from tt.table cimport lower_owner, upper_owner


cdef inline bint serves(const Worker* worker, u8 bound_depth, int depth) noexcept nogil:
    return bound_depth == depth + 1 if worker.params.exact_depth else bound_depth > depth


cdef Cutoff ghi_cutoff(Worker* worker, const Entry* entry, int depth, int alpha, int beta,
                       int ply) noexcept nogil:
    cdef int lower = -INFINITE
    cdef int upper = INFINITE
    cdef u64 heads = 0
    cdef u8 own = worker.traffic.owner
    # Only the thread that stored a bound knows which loops it rests on.
    if entry.marks & LOWER_ON_PATH and own and lower_owner(entry) == own and serves(worker, entry.lower_depth, depth):
        lower = from_table(entry.lower, ply)
    if entry.marks & UPPER_ON_PATH and own and upper_owner(entry) == own and serves(worker, entry.upper_depth, depth):
        upper = from_table(entry.upper, ply)
    if lower >= beta:
        heads = reuse_bound(&worker.loops, &worker.pos, ply, LOWER, entry.lower, entry.lower_depth - 1)
        upper = INFINITE
    elif upper <= alpha:
        heads = reuse_bound(&worker.loops, &worker.pos, ply, UPPER, entry.upper, entry.upper_depth - 1)
    node_at(worker, ply).ghi_heads = heads
    return bounds_cutoff(lower if heads else -INFINITE, upper if heads else INFINITE, alpha, beta)
