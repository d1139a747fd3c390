"""Reading and writing SFENs in C, fast enough for millions of positions. Texts that are refused here go to
`engine/sfen.py`, which reads them or explains their faults."""
from engine.position cimport Pos
from engine.types cimport u8

cdef set_sfen(Pos* pos, str sfen)
"""Set up and settle the position of an SFEN. UserError, with `pos` in any state, if `parse_sfen` refuses the text."""
cdef require_no_check(const Pos* pos, str sfen)     # UserError, quoting the SFEN, if the side not to move is in check
cdef str sfen_of(const Pos* pos)                    # the canonical SFEN
cdef bint may_stand(const u8* board) noexcept nogil
"""Whether a board, given as pieces by square, has no two pawns of a side on a file and no piece that could never
move."""
