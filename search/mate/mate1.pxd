"""Mate in one, found without making moves. Only checks that leave the king no flight square are tried."""
from engine.position cimport Pos
from engine.types cimport Move

cdef Move mate_in_one(const Pos* pos) noexcept nogil
"""A legal mating move, or MOVE_NONE if there is none. Always exact, but the side to move must not be in check: then the
answer is meaningless. Pawn-drop mates are illegal and never found. The move may be a dominated non-promotion."""
