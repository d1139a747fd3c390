"""The move picker: yields a node's moves in stages, likely cut-offs first. Each stage is generated only when needed."""
from engine.position cimport CheckInfo, Pos
from engine.types cimport MAX_MOVES, Move, i16, u64
from search.parameters cimport Params
from search.tree.history cimport History
from search.tree.worker cimport Worker

cdef struct Picker:
    const Pos* pos
    History* history
    Move table_move
    const i16* continuations[5]     # after the moves 1, 2, 3, 4 and 6 plies before; [0] is NULL without them
    const i16* pawns                # pawn history for the pawns on the board; NULL without it
    const Params* params
    const i16* low_ply              # low-ply history of this ply; NULL without it
    int low_ply_weight
    bint skip_quiets            # set by the caller to end the quiet moves; ignored in check
    const CheckInfo* check_info
    u64 checked_squares[2]      # where some piece would give check; 0 without `use_checks_first`
    int stage
    int first                   # index of the present stage's first move
    int end                     # index after its last
    int captures_end            # index after the last capture
    int quiets_end              # index after the last quiet move
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]        # of each move: its score above ten bits for its index; TAKEN once returned

cdef void start_picker(Picker* picker, Worker* worker, int ply, Move table_move,
                       const CheckInfo* check_info) noexcept nogil
"""Begin picking all moves of the node at this ply: table move, good captures, good quiets, bad captures, bad quiets; in
check the table move, then evasions. `table_move` must be legal or MOVE_NONE."""
cdef void start_qsearch_picker(Picker* picker, Worker* worker, int ply, Move table_move) noexcept nogil
"""Begin picking for qsearch: captures and pawn promotions, in check all evasions. The table move comes first if it is
one of these."""
cdef Move next_move(Picker* picker) noexcept nogil              # each move once, then MOVE_NONE
