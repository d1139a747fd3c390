"""What a search needs of the machine: words that threads share, and a clock."""
from engine.types cimport i64

cdef extern from "system.h" nogil:
    i64 relaxed_load(const i64* word)
    void relaxed_store(i64* word, i64 value)
    i64 relaxed_take(i64* word, i64 wanted)
    i64 clock_ns()
