"""How well moves have done so far, for ordering them and for deciding how deep to look.

Every value stays within plus and minus `history_limit` (see params.pyx) and is moved by `learn` alone. A drop's origin
is its kind, so that drops and moves on the board never share an entry.
"""
from engine.bitboard cimport high_word, low_word
from engine.position cimport Pos, pieces
from engine.types cimport (BLACK, GOLD, PAWN, PIECES, SQUARES, WHITE, Move, dropped_kind, i16, is_drop, kind_of,
                           make_piece, move_from, move_to, u64, u128, unpromoted)

cdef enum:
    ORIGINS = SQUARES + GOLD            # a dropped kind has an origin of its own
    PIECE_TO_SIZE = PIECES * SQUARES    # a piece on a square
    LOW_PLIES = 4                       # plies from the root that have a table of their own
    CORRECTIONS = 16384

cdef struct History:
    i16 butterfly[2][ORIGINS][SQUARES]
    i16 low_ply[LOW_PLIES][ORIGINS][SQUARES]
    i16 capture[PIECE_TO_SIZE][8]               # by the kind taken, unpromoted; 0 for a pawn's promotion
    i16 continuation[PIECE_TO_SIZE][PIECE_TO_SIZE]  # by an earlier move's piece and target, then by this one's
    i16 correction[2][CORRECTIONS]              # what the search found the evaluation to be wrong by, by pawns

cdef inline int origin_of(Move move) noexcept nogil:
    return SQUARES + dropped_kind(move) - 1 if is_drop(move) else move_from(move)

cdef inline i16* butterfly(History* history, int color, Move move) noexcept nogil:
    return &history.butterfly[color][origin_of(move)][move_to(move)]

cdef inline i16* low_ply(History* history, int ply, Move move) noexcept nogil:
    return &history.low_ply[ply][origin_of(move)][move_to(move)]

cdef inline int piece_to_of(const Pos* pos, Move move) noexcept nogil:
    """The piece that moves, as it was before any promotion, and where it goes, as one index."""
    cdef int piece = make_piece(pos.turn, dropped_kind(move)) if is_drop(move) else pos.board[move_from(move)]
    return piece * SQUARES + move_to(move)

cdef inline i16* capture(History* history, const Pos* pos, Move move) noexcept nogil:
    return &history.capture[piece_to_of(pos, move)][unpromoted(kind_of(pos.board[move_to(move)]))]

cdef inline u64 mixed(u128 board, u64 factor) noexcept nogil:
    return (low_word(board) ^ high_word(board) << 32) * factor

cdef inline i16* correction(History* history, const Pos* pos) noexcept nogil:
    """That of positions with the same pawns and side to move."""
    cdef u64 hash = (mixed(pieces(pos, BLACK, PAWN), 0x9e3779b97f4a7c15ULL)
                     ^ mixed(pieces(pos, WHITE, PAWN), 0xc2b2ae3d27d4eb4fULL))
    return &history.correction[pos.turn][(hash ^ hash >> 32) * 0xd6e8feb86659fd93ULL >> 50]

cdef inline void learn(i16* value, int bonus, int limit) noexcept nogil:
    """History gravity: move a value towards its limit, the slower the nearer it is; |value| never exceeds it."""
    value[0] += <i16>(bonus - value[0] * abs(bonus) // limit)
