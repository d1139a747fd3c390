"""Which move next: moves in stages, the likeliest to cut off first, each generated only when it is needed."""
from engine.position cimport CheckInfo, Pos
from engine.types cimport MAX_MOVES, Move, i16, u64
from search.parameters cimport Params
from search.tree.history cimport History
from search.tree.worker cimport Worker

cdef struct Picker:
    const Pos* pos
    History* history
    Move table_move
    const i16* continuations[5]     # after the moves 1, 2, 3, 4 and 6 plies before; NULL if they are not to count
    const i16* pawns                # with the pawns where they are; NULL if they are not to count
    const Params* params
    const i16* low_ply              # of this ply; NULL if there is none
    int low_ply_weight
    bint skip_quiets            # set by a caller who wants no more quiet moves; not heeded in check
    const CheckInfo* check_info
    u64 checked_squares[2]      # where some piece would give check; none if checks are not to come first
    int stage
    int first                   # the moves of the present stage: from here …
    int end                     # … to before here
    int captures_end            # the captures end before here …
    int quiets_end              # … and the quiet moves here
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]        # of each move: its score, then ten bits that name it; TAKEN once it was given

cdef void start(Picker* picker, Worker* worker, int ply, Move table_move, const CheckInfo* check_info) noexcept nogil
"""All moves of the node at this ply: the table's, good captures, good quiets, bad captures, bad quiets; in check the
table's, then evasions. The table move is legal or MOVE_NONE."""
cdef void start_qsearch(Picker* picker, Worker* worker, int ply, Move table_move) noexcept nogil
"""Captures and promotions of pawns only, the table move if it is one of them; in check every evasion."""
cdef Move next_move(Picker* picker) noexcept nogil              # MOVE_NONE after the last; none comes twice
