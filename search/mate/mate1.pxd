"""Mate in one, found on the board as it stands: only squares from which a check could leave no flight are tried."""
from engine.position cimport Pos
from engine.types cimport Move

cdef Move mate_in_one(const Pos* pos) noexcept nogil
"""A legal move that checks and leaves no legal reply, or MOVE_NONE if there is none. Exact both ways, except in check:
there the answer means nothing. A drop-pawn mate is not legal; a dominated non-promotion may be what is found."""
