"""Proof that a position hangs together: every field that moves keep up to date, against its recomputation."""
from engine.position cimport Pos

cdef const char* find_fault(const Pos* pos) noexcept nogil      # the name of a field that differs, or NULL

# For debug builds, at every node: a fault is raised where no caller catches it, and reaches the tests as a warning.
cdef void check_position(const Pos* pos) noexcept nogil
