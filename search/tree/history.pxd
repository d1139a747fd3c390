"""Move histories: how well moves have done so far, for move ordering, pruning and reductions.

`learn` and `learn_from` change single values, and each stays within plus and minus its table's limit (history gravity).
Tables by move are indexed by its 16 bits, so drops, promotions and plain moves never share an entry. The other tables
are indexed by the piece after the move and its target. There the kinds that move alike (gold and the promoted minor
pieces) share entries, which keeps each continuation table at 5 MB.
"""

from engine.position cimport Pos
from engine.types cimport (PROMOTED, SQUARES, Move, dropped_kind, i16, is_drop, is_promotion, kind_of, make_piece,
                           move_from, move_to, u16, unpromoted)

cdef extern from *:
    """
    /* By piece: 81 times the index of the way it moves; Black's come first. */
    static const unsigned short GAKUSHI_MOVER[32] = {
        0, 0, 81, 162, 243, 324, 405, 486, 567, 486, 486, 486, 486, 648, 729, 0,
        0, 810, 891, 972, 1053, 1134, 1215, 1296, 1377, 1296, 1296, 1296, 1296, 1458, 1539, 0};
    """
    const u16[32] MOVER "GAKUSHI_MOVER"

cdef enum:
    MOVES = 3 << 14                     # a move has the drop bit or the promotion bit, never both
    MOVERS = 20                         # ways to move, both sides together
    PIECE_TO_SIZE = MOVERS * SQUARES    # a piece on a square
    NO_PIECE_TO = PIECE_TO_SIZE         # for null moves, and before the root
    LOW_PLIES = 5                       # plies that have a low-ply history
    PAWN_SHAPES = 512                   # entries of the pawn history, by pawn key

cdef enum:                              # limits of |value|
    MAIN_LIMIT = 7183
    CAPTURE_LIMIT = 10692
    CONTINUATION_LIMIT = 30000
    PAWN_LIMIT = 8192
    TABLE_MOVE_LIMIT = 8192

cdef enum:                              # initial values
    INITIAL_LOW_PLY = 98
    INITIAL_CAPTURE = -678
    INITIAL_CONTINUATION = -523             # stored as the difference from this, so that zeroed memory is ready
    INITIAL_PAWN = -1238                    # likewise

cdef struct History:
    i16 main[2][MOVES]                  # by side and move (butterfly history)
    i16 low_ply[LOW_PLIES][MOVES]       # by ply; for one search only
    i16 capture[PIECE_TO_SIZE][8]       # by the kind taken, unpromoted; 0 for moves that take nothing
    # Indexed by an earlier move (whether it was an evasion, whether it was noisy, its piece and target), then by this
    # move's piece and target. Stored as differences from INITIAL_CONTINUATION.
    i16 continuation[2][2][PIECE_TO_SIZE + 1][PIECE_TO_SIZE]
    i16 pawns[PAWN_SHAPES][PIECE_TO_SIZE]   # by the pawns on the board, then piece and target. See `INITIAL_PAWN`.
    i16 table_move                      # how reliable the table's moves are

cdef inline void fill(i16* values, size_t count, i16 value) noexcept nogil:
    cdef size_t i
    for i in range(count):
        values[i] = value

cdef inline void begin_search(History* history) noexcept nogil:
    """Reset the low-ply history, which serves one search only."""
    fill(&history.low_ply[0][0], sizeof(history.low_ply) // sizeof(i16), INITIAL_LOW_PLY)

cdef inline void complete(History* history) noexcept nogil:
    """Turn zeroed memory into a history without knowledge."""
    fill(&history.capture[0][0], sizeof(history.capture) // sizeof(i16), INITIAL_CAPTURE)
    begin_search(history)

cdef inline int piece_to_of(const Pos* pos, Move move) noexcept nogil:
    """The index of a piece, as it is after the move, together with its target square."""
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
    """A value after a bonus, by history gravity: the closer to its limit, the smaller the step; |value| <= limit."""
    bonus = max(-limit, min(bonus, limit))
    return value + bonus - value * abs(bonus) // limit

cdef inline void learn(i16* value, int bonus, int limit) noexcept nogil:
    value[0] = <i16>moved(value[0], bonus, limit)

cdef inline void learn_from(i16* difference, int initial, int bonus, int limit) noexcept nogil:
    """`learn` for a table that stores differences from `initial`."""
    difference[0] = <i16>(moved(difference[0] + initial, bonus, limit) - initial)
