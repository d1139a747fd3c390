"""Perft: counts the leaves of the tree of legal moves, to test the move generator and measure its speed."""
from engine.position cimport Pos
from engine.types cimport u64

cdef u64 perft(Pos* pos, int depth) noexcept nogil              # bulk counting: the last ply is not played
cdef u64 perft_by_playing(Pos* pos, int depth) noexcept nogil   # plays every leaf
