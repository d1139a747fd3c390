"""SFEN in C, for programs that read millions. What is refused here, `engine/sfen.py` reads or explains."""
from engine.position cimport Pos, clear, give, put, settle
from engine.types cimport (BISHOP, BLACK, GOLD, KING, KNIGHT, LANCE, MOVE_NONE, NO_PIECE, PAWN, PIECES, PROMOTED, ROOK,
                           SILVER, SQUARES, WHITE, color_of, file_of, hand_count, kind_of, make_piece, rank_of, u16,
                           u32, u8, unpromoted)

cdef enum:
    LONGEST_SFEN = 256          # no position takes more characters

cdef bint read_sfen(Pos* pos, const char* text, Py_ssize_t length) noexcept nogil
"""Sets the position up and settles it. False, with `pos` in any state, for what `parse_sfen` might refuse or is written
in an unusual way."""
cdef int write_sfen(const Pos* pos, char* text) noexcept nogil
"""Writes the canonical SFEN into LONGEST_SFEN characters, and returns how many it takes."""
cdef bint may_stand(const u8* board) noexcept nogil
"""Whether no side has two pawns on a file, and no piece is where it could never move. `board` has a piece by square."""
