"""Shallow pruning and late-move reductions: which moves are left out, and how much shallower others are searched."""
from engine.types cimport Move
from search.frame cimport Frame
from search.parameters cimport Params

cdef int lmp_count(const Params* params, int depth, bint improving) noexcept nogil
"""Late-move pruning (LMP): after how many moves no more quiet ones are tried."""
cdef int base_reduction(const Frame* f) noexcept nogil
"""Late-move reductions (LMR): by how much to search a move shallower, in 1024ths of a ply, before its own traits
count."""
cdef bint prune_tactical(Frame* f, Move move, bint checking, int reduced) noexcept nogil
"""A capture, a promotion of a pawn or a check that wins too little, or loses too much."""
cdef bint prune_quiet(Frame* f, Move move, int continuations, int main, int reduced) noexcept nogil
"""A quiet move of poor history, that cannot bring the evaluation up to alpha, or loses too much."""
cdef bint is_shuffling(const Frame* f, Move move) noexcept nogil
"""Whether a piece goes to and fro: its own side's last two moves were by it, too, and took nothing."""
cdef int lmr_reduction(Frame* f, Move move, int reduction) noexcept nogil
"""LMR: what is known of the move and of its node, in 1024ths of a ply."""
