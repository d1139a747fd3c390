"""The clock of a search."""
from engine.types cimport i64

cdef extern from "system/clock.h" nogil:
    i64 clock_ns()      # nanoseconds of a clock that never goes back: that of Python's time.perf_counter_ns
