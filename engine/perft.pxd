"""Counting the leaves of the tree of legal moves: the proof of a move generator, and the measure of its speed."""
from engine.position cimport Pos
from engine.types cimport DEBUG, MAX_MOVES, Move, u64

cdef u64 perft(Pos* pos, int depth) noexcept nogil              # bulk: the last ply is counted, not played
cdef u64 perft_by_playing(Pos* pos, int depth) noexcept nogil   # every leaf is made and unmade
