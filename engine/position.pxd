"""The position: one struct, which moves change in place and undoing changes back.

`Pos` holds the present board. `State` holds everything that cannot be recomputed when a move is taken back. One array
has a State for every ply since the position was set up. The game's history and the search's path form one list, so the
repetition rule looks at `pos.state[-4]` without knowing where the game ends and the search begins.
"""
from engine.attacks cimport tables
from engine.bitboard cimport bit, some
from engine.types cimport (BISHOP, BLACK, KINDS, KING, NO_PIECE, PROMOTED, ROOK, SQUARES, WHITE, Hand, Move, Place,
                           dropped_kind, i32, is_drop, is_promotion, kind_of, move_from, move_to, u128, u64, u8)

cdef enum:
    PIECE_NUMBERS = 40          # a piece keeps its number; the kings are 38 (Black) and 39 (White)
    BLACK_KING = 38
    WHITE_KING = 39

cdef struct DirtyPieces:        # pieces changed by the last move: 0 (null move), 1 (move, drop) or 2 (capture)
    int count
    u8 number[2]                # piece number; [0] is the piece that moved, [1] the one it captured
    Place before[2]
    Place after[2]

cdef struct State:
    # Updated from the state before.
    u64 board_key               # pieces on the board and side to move
    u64 hand_key
    i32 plies                   # plies since the set-up or the last null move
    i32 checks[2]               # by side: its consecutive checking moves up to now
    # Recomputed by every move.
    u128 checkers               # pieces that give check to the side to move
    u128 pinned                 # see `pinned`; computed when first needed, because many nodes never need it
    bint pins_known
    Hand hand                   # of the side to move; with equal boards it decides which side is better off
    Move move                   # the move that led here
    u8 captured                 # piece, as it stood on the board
    DirtyPieces dirty

cdef struct Pos:
    u128 by_kind[KINDS]         # both sides; promoted pawns, lances, knights and silvers are in GOLD
    u128 by_color[2]
    u8 board[SQUARES]           # piece codes
    u8 number[SQUARES]          # piece numbers; 0 on empty squares
    u8 king[2]                  # NO_SQUARE if that side has none
    Hand hand[2]
    u8 hand_number[2][8][19]    # colour, kind, n from 1: piece number of the n-th in hand; else 0
    Place place[PIECE_NUMBERS]  # by piece number; 0 for a piece that is not in play
    int turn
    int ply                     # as an SFEN counts: 1 before the first move
    int missing_points          # points that a handicap took off the full set's 54; constant
    State* state                # now; state[-n] is n plies ago
    State* states               # the array, owned by the Pos's creator
    int capacity                # of that array

cdef enum:
    FULL_SET_POINTS = 54

cdef inline int points_of(int kind) noexcept nogil:
    """The points of an unpromoted piece in a declaration; 0 for a king."""
    return 0 if kind == KING else 5 if kind == BISHOP or kind == ROOK else 1

cdef inline u128 occupied(const Pos* pos) noexcept nogil:
    return pos.by_color[BLACK] | pos.by_color[WHITE]

cdef inline u128 pieces(const Pos* pos, int color, int kind) noexcept nogil:
    return pos.by_color[color] & pos.by_kind[kind]

cdef inline u64 key(const Pos* pos) noexcept nogil:
    return pos.state.board_key ^ pos.state.hand_key

cdef u128 blockers(const Pos* pos, int king_color, int color) noexcept nogil
"""Pieces of `color` that alone stand between the king of `king_color` and one of the opponent's sliders."""

cdef inline u128 pinned(const Pos* pos) noexcept nogil:
    """Pieces of the side to move that alone block a slider's line to its own king."""
    if not pos.state.pins_known:
        pos.state.pinned = blockers(pos, pos.turn, pos.turn)
        pos.state.pins_known = True
    return pos.state.pinned

cdef inline bint in_check(const Pos* pos) noexcept nogil:
    return some(pos.state.checkers)

cdef inline int moved_kind(const Pos* pos, Move move) noexcept nogil:
    """The kind of the moving piece, before any promotion."""
    return dropped_kind(move) if is_drop(move) else kind_of(pos.board[move_from(move)])

cdef inline int captured_piece(const Pos* pos, Move move) noexcept nogil:
    return pos.board[move_to(move)]

cdef inline bint is_capture(const Pos* pos, Move move) noexcept nogil:
    return pos.board[move_to(move)] != NO_PIECE

# Memory. `init` gives a Pos an empty board and room for `capacity` states; -1 if there is no memory.
cdef int init(Pos* pos, int capacity) noexcept nogil
cdef void release(Pos* pos) noexcept nogil
cdef int reserve(Pos* pos, int plies) noexcept nogil                # makes room for `plies` more
cdef int copy(Pos* target, const Pos* source, int plies) noexcept nogil   # with its history and room for `plies` more

# Setting up: `clear`, `put` pieces, `give` pieces in hand; then `settle` computes everything derived.
cdef void clear(Pos* pos) noexcept nogil
cdef void put(Pos* pos, int piece, int square) noexcept nogil
cdef void give(Pos* pos, int color, int kind, int n) noexcept nogil
cdef void settle(Pos* pos, int turn, int ply) noexcept nogil

# Moves. `do_move` needs a legal move and a free state (see `reserve`).
cdef void do_move(Pos* pos, Move move) noexcept nogil
cdef void undo_move(Pos* pos) noexcept nogil
cdef void do_null(Pos* pos) noexcept nogil                          # not in check
cdef void undo_null(Pos* pos) noexcept nogil
cdef u64 board_key_after(const Pos* pos, Move move) noexcept nogil  # the child's
cdef u64 key_after(const Pos* pos, Move move) noexcept nogil        # the child's key, for prefetching

# Queries.
cdef u128 attackers_to(const Pos* pos, int square, u128 occupancy) noexcept nogil   # of both sides
cdef bint attacked(const Pos* pos, int by, int square, u128 occupancy) noexcept nogil
cdef bint gives_check(const Pos* pos, Move move) noexcept nogil

cdef struct CheckInfo:          # how the side to move can give check, computed once for all moves
    u128 squares[KINDS]         # by kind: squares from which it attacks the opponent's king
    u128 anywhere               # the union of `squares`
    u128 discoverers            # pieces whose departure may open a line to that king

cdef void find_check_info(const Pos* pos, CheckInfo* check_info) noexcept nogil

cdef inline bint checks_with(const Pos* pos, Move move, const CheckInfo* check_info) noexcept nogil:
    """Whether a legal move gives check."""
    cdef int kind
    if some(check_info.anywhere & bit(move_to(move))):
        kind = moved_kind(pos, move) + (PROMOTED if is_promotion(move) else 0)
        if some(check_info.squares[kind] & bit(move_to(move))):
            return True
    return (some(check_info.discoverers) and not is_drop(move) and some(check_info.discoverers & bit(move_from(move)))
            and not some(tables.line[pos.king[pos.turn ^ 1]][move_from(move)] & bit(move_to(move))))
