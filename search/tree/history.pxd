"""Move histories: how well moves have done so far, for move ordering, pruning and reductions.

Every value stays within plus and minus its table's limit and is moved by `learn` or `learn_from` alone (history
gravity). Tables by move take its 16 bits as they are, so drops, promotions and plain moves never share an entry.
Elsewhere a piece counts as what it is after the move, and kinds that move alike (gold and the promoted minor pieces)
share their entries: that keeps the continuation tables at 5 MB each.
"""
from libc.string cimport memset

from engine.position cimport Pos
from engine.types cimport (PROMOTED, SQUARES, Move, dropped_kind, i16, is_drop, is_promotion, kind_of, make_piece,
                           move_from, move_to, u16, unpromoted)

cdef extern from *:
    """
    /* By piece: the number of the way it moves, Black's before White's, times the squares of the board. */
    static const unsigned short GAKUSHI_MOVER[32] = {
        0, 0, 81, 162, 243, 324, 405, 486, 567, 486, 486, 486, 486, 648, 729, 0,
        0, 810, 891, 972, 1053, 1134, 1215, 1296, 1377, 1296, 1296, 1296, 1296, 1458, 1539, 0};
    """
    const u16[32] MOVER "GAKUSHI_MOVER"

cdef enum:
    MOVES = 3 << 14                     # a move's 16 bits say drop, or promotion, but never both
    MOVERS = 20                         # ways to move, for each side
    PIECE_TO_SIZE = MOVERS * SQUARES    # a piece on a square
    NO_PIECE_TO = PIECE_TO_SIZE         # of a null move, and of the moves before the root
    LOW_PLIES = 5                       # plies from the root that have a table of their own
    PAWN_SHAPES = 512                   # placements of the pawns that are told apart

cdef enum:                              # limits of |value|
    MAIN_LIMIT = 7183
    CAPTURE_LIMIT = 10692
    CONTINUATION_LIMIT = 30000
    PAWN_LIMIT = 8192
    TABLE_MOVE_LIMIT = 8192

cdef enum:                              # what a move is worth that nothing is known about
    NEW_LOW_PLY = 98
    NEW_CAPTURE = -678
    NEW_CONTINUATION = -523             # the table holds the difference from this: fresh memory need not be filled
    NEW_PAWN = -1238                    # likewise

cdef struct History:
    i16 main[2][MOVES]                  # by side and move; the field's butterfly history
    i16 low_ply[LOW_PLIES][MOVES]       # by ply, of this search alone
    i16 capture[PIECE_TO_SIZE][8]       # by the kind taken, unpromoted; 0 for moves that take nothing
    # By an earlier move (whether it was an evasion, whether it was noisy, its piece and target), then by this move's
    # piece and target. See `NEW_CONTINUATION`.
    i16 continuation[2][2][PIECE_TO_SIZE + 1][PIECE_TO_SIZE]
    i16 pawns[PAWN_SHAPES][PIECE_TO_SIZE]   # by the pawns on the board, then piece and target. See `NEW_PAWN`.
    i16 table_move                      # how reliable the table's moves are

cdef inline void fill(i16* values, size_t count, i16 value) noexcept nogil:
    cdef size_t i
    for i in range(count):
        values[i] = value

cdef inline void begin_search(History* history) noexcept nogil:
    """Forget what belongs to one search."""
    fill(&history.low_ply[0][0], sizeof(history.low_ply) // sizeof(i16), NEW_LOW_PLY)

cdef inline void complete(History* history) noexcept nogil:
    """Fill memory that holds zeros alone with what is known at first."""
    fill(&history.capture[0][0], sizeof(history.capture) // sizeof(i16), NEW_CAPTURE)
    begin_search(history)

cdef inline int piece_to_of(const Pos* pos, Move move) noexcept nogil:
    """The piece as it is after the move, and where it goes, as one index."""
    cdef int piece
    if is_drop(move):
        piece = make_piece(pos.turn, dropped_kind(move))
    else:
        piece = pos.board[move_from(move)] + (PROMOTED if is_promotion(move) else 0)
    return MOVER[piece] + move_to(move)

cdef inline i16* main_history(History* history, int color, Move move) noexcept nogil:
    return &history.main[color][move]

cdef inline i16* capture_history(History* history, const Pos* pos, Move move) noexcept nogil:
    return &history.capture[piece_to_of(pos, move)][unpromoted(kind_of(pos.board[move_to(move)]))]

cdef inline int moved(int value, int bonus, int limit) noexcept nogil:
    """History gravity: a value goes towards its limit, the slower the nearer it is; |value| never exceeds it."""
    bonus = max(-limit, min(bonus, limit))
    return value + bonus - value * abs(bonus) // limit

cdef inline void learn(i16* value, int bonus, int limit) noexcept nogil:
    value[0] = <i16>moved(value[0], bonus, limit)

cdef inline void learn_from(i16* difference, int start, int bonus, int limit) noexcept nogil:
    """`learn` where the table holds the difference from what is known at first."""
    difference[0] = <i16>(moved(difference[0] + start, bonus, limit) - start)
