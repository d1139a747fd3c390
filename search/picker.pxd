"""Which move next: moves in stages, the likeliest to cut off first, each generated only when it is needed."""
from engine.position cimport CheckInfo, Pos, is_capture
from engine.types cimport MAX_MOVES, PAWN, Move, i16, is_promotion, kind_of, move_from, u64
from search.history cimport History
from search.parameters cimport Params

cdef struct Picker:
    const Pos* pos
    History* history
    Move table_move
    const i16* continuations[5]     # after the moves 1, 2, 3, 4 and 6 plies before; NULL if they are not to count
    const Params* params
    const i16* low_ply              # of this ply; NULL if there is none
    int low_ply_weight
    bint by_capture_history
    bint skip_quiets            # set by a caller who wants no more quiet moves; not heeded in check
    const CheckInfo* check_info     # NULL if checks are not to come first
    u64 checked_squares[2]      # where some piece would give check
    int stage
    int first                   # the moves of the present stage: from here …
    int end                     # … to before here
    int captures_end            # the captures end before here …
    int quiets_end              # … and the quiet moves here
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]        # of each move: its score, then ten bits that name it; TAKEN once it was given

cdef inline bint is_noisy(const Pos* pos, Move move) noexcept nogil:
    """Of the class that `captures` generates: captures and promotions of pawns."""
    return is_capture(pos, move) or (is_promotion(move) and kind_of(pos.board[move_from(move)]) == PAWN)

cdef void start(Picker* picker, const Pos* pos, History* history, const Params* params, Move table_move,
                const CheckInfo* check_info) noexcept nogil
"""All moves: the table's, good captures, good quiets, bad captures, bad quiets; in check the table's, then evasions.
The table move is legal or MOVE_NONE. A caller sets the histories that are to count after this."""
cdef void start_qsearch(Picker* picker, const Pos* pos, History* history, const Params* params,
                        Move table_move) noexcept nogil
"""Captures and promotions of pawns only, the table move if it is one of them; in check every evasion."""
cdef Move next_move(Picker* picker) noexcept nogil              # MOVE_NONE after the last; none comes twice
