"""Zobrist keys, random ones: one for every place a piece can be in, on the board or in hand, and one for the turn.

A position's keys are the exclusive or of its pieces' keys; that of the board (with the turn) and that of the hands are
kept apart, because the repetition rule compares them apart. The generator is splitmix64 (Steele, Lea, Flood 2014) from
a fixed seed: keys are the same everywhere.
"""
from engine.types cimport PLACES, u64

cdef struct Keys:
    u64 place[PLACES]
    u64 turn

cdef Keys keys
