"""Monotonic time, for the search."""
from engine.types cimport i64

cdef extern from "system/monotonic.h" nogil:
    i64 monotonic_ns()      # nanoseconds, the same time as Python's time.perf_counter_ns
