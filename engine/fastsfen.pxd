"""SFEN in C, for reading millions of positions. `engine/sfen.py` reads or explains what is refused here."""
from engine.position cimport Pos
from engine.types cimport u8

cdef enum:
    LONGEST_SFEN = 256          # characters; no SFEN is longer

cdef bint read_sfen(Pos* pos, const char* text, Py_ssize_t length) noexcept nogil
"""Set up and settle the position of an SFEN. False, with `pos` in any state, if `parse_sfen` might refuse the text or
it is written unusually."""
cdef int write_sfen(const Pos* pos, char* text) noexcept nogil
"""Write the canonical SFEN to `text`, which has room for LONGEST_SFEN characters. Returns its length."""
cdef bint may_stand(const u8* board) noexcept nogil
"""Whether a board, given as pieces by square, has no two pawns of a side on a file and no piece that could never
move."""
