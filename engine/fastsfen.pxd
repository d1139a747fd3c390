"""SFEN in C, for programs that read millions. What is refused here, `engine/sfen.py` reads or explains."""
from engine.position cimport Pos
from engine.types cimport u8

cdef enum:
    LONGEST_SFEN = 256          # no position takes more characters

cdef bint read_sfen(Pos* pos, const char* text, Py_ssize_t length) noexcept nogil
"""Sets the position up and settles it. False, with `pos` in any state, for what `parse_sfen` might refuse or is written
in an unusual way."""
cdef int write_sfen(const Pos* pos, char* text) noexcept nogil
"""Writes the canonical SFEN into LONGEST_SFEN characters, and returns how many it takes."""
cdef bint may_stand(const u8* board) noexcept nogil
"""Whether no side has two pawns on a file, and no piece is where it could never move. `board` has a piece by square."""
