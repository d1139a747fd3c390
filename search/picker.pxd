"""Which move next: moves in stages, the likeliest to cut off first, each generated only when it is needed."""
from engine.position cimport CheckInfo, Pos, is_capture
from engine.types cimport MAX_MOVES, PAWN, Move, i16, is_promotion, kind_of, move_from
from search.history cimport History
from search.parameters cimport Params

cdef struct Picker:
    const Pos* pos
    History* history
    Move table_move
    Move killers[2]
    const i16* continuations[3]     # after the moves one, two and four plies before; NULL if they are not to count
    const Params* params            # weights of the histories
    const i16* low_ply              # of this ply; NULL if there is none
    bint by_capture_history
    bint checks_only            # set by a caller who wants no more quiet moves but those that give check
    const CheckInfo* check_info
    int stage
    int recapture_square        # NO_SQUARE, or the only target of qsearch captures
    int first                   # the moves of the present stage: from here …
    int end                     # … to before here
    int next
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]        # of each move: its score, then ten bits that name it; TAKEN once it was given

cdef inline bint is_noisy(const Pos* pos, Move move) noexcept nogil:
    """Of the class that `captures` generates: captures and promotions of pawns."""
    return is_capture(pos, move) or (is_promotion(move) and kind_of(pos.board[move_from(move)]) == PAWN)

cdef void start(Picker* picker, const Pos* pos, History* history, const Params* params, Move table_move,
                const Move* killers, const CheckInfo* check_info) noexcept nogil
"""All moves: the table's, good captures, killers, quiets, bad captures; in check the table's, then evasions. Both the
table move and the killers may be any 16 bits. A caller sets the histories that are to count after this."""
cdef void start_qsearch(Picker* picker, const Pos* pos, History* history, const Params* params, Move table_move,
                        int recapture_square) noexcept nogil
"""Captures and promotions of pawns only, the table move if it is one of them; in check every evasion."""
cdef Move next_move(Picker* picker) noexcept nogil              # MOVE_NONE after the last; none comes twice
