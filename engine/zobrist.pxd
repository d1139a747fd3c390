"""Random keys of the board and of the hands.

The board's key is the exclusive or of its pieces' keys and of the side to move; the hands' key is the sum of a key for
each unit in hand, so that a count needs no table of its own. They are kept apart because the repetition rule compares
them apart. The generator is splitmix64 (Steele, Lea, Flood 2014) from a fixed seed: keys are the same everywhere.
"""
from engine.types cimport *

cdef struct Keys:
    u64 board[PIECES][SQUARES]
    u64 hand[2][8]
    u64 turn

cdef Keys keys
