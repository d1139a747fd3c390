"""Zobrist keys: a random number for every piece in every place, on the board or in hand, and one for the side to move.

A position's key is the XOR of its pieces' numbers. The key of the board (with the side to move) and the key of the
hands are kept separately, because the repetition rule compares them separately. The numbers come from splitmix64
(Steele, Lea, Flood 2014) with a fixed seed, so keys are the same on every machine. """
from engine.types cimport PLACES, u64

cdef struct Keys:
    u64 place[PLACES]
    u64 turn

cdef Keys keys

cdef inline u64 splitmix(u64 word) noexcept nogil:
    """The finalizer of splitmix64: scatters a word's bits, one to one."""
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL
    return word ^ (word >> 31)
