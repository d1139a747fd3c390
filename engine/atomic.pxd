"""Words that threads share without locks; atomic.h describes the functions."""
from engine.types cimport i64, u64

cdef extern from "atomic.h" nogil:
    i64 relaxed_load(const i64* word)
    void relaxed_store(i64* word, i64 value)
    u64 relaxed_bits(const u64* word)
    void relaxed_set_bits(u64* word, u64 bits)
    void relaxed_increment(u64* word)               # only for words that no other thread writes
