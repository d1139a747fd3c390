"""What a call of `search` knows about its node, and its steps work on."""
from engine.types cimport Move
from search.tree.worker cimport Node, Worker

cdef enum:
    PLY = 1024                  # of reduction
    MAX_TRIED = 32              # moves that are remembered to lose history when another cuts off

cdef struct Candidate:          # the move that the node has come to, as steps 14 to 17 see it
    Move move
    bint noisy                  # of the class that movegen calls so
    bint checking
    int main                    # histories of a quiet move; 0 of a noisy one
    int continuations
    int pawns
    int depth                   # to search it with
    int extension               # in that
    int reduction               # by LMR, in 1024ths of a ply

cdef struct Tried:              # moves that were searched and are not the best, of one class
    Move moves[MAX_TRIED]
    int count

cdef struct Frame:
    Worker* worker
    Node* node
    int ply
    int depth                   # left; steps change it
    int alpha                   # the window, which moves raise
    int beta
    int old_alpha
    bint at_root
    bint on_pv                  # the kind of the node: PV, …
    bint cut_node               # … or expected to fail high; otherwise an all node, expected to fail low
    bint checked
    bint improving              # the evaluation is better than two plies before
    int lmr_before              # plies by which LMR has reduced this very search
    int raw_evaluation          # as the evaluation gives it; NO_SCORE in check
    int estimate                # corrected, and improved by the table's bounds
    int best
    int count                   # of moves tried
    Move best_move
    Tried tried[2]              # quiet moves, noisy ones


cdef inline void note(Tried* tried, Move move) noexcept nogil:
    if tried.count < MAX_TRIED:
        tried.moves[tried.count] = move
        tried.count += 1
