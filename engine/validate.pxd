"""Consistency checks of a position: every field that moves update, against its recomputation."""
from engine.position cimport Pos

cdef const char* find_fault(const Pos* pos) noexcept nogil      # the name of a field that differs, or NULL

# For debug builds, at every node. No caller catches the AssertionError; tests see it as a warning.
cdef void check_position(const Pos* pos) noexcept nogil
