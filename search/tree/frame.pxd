"""The data of one call of `alpha_beta`: what the steps of the search share about their node and its candidate move."""
from engine.types cimport Move
from search.tree.worker cimport Node, Worker

cdef enum:
    PLY = 1024                  # one ply, in the unit of reductions
    MAX_REFUTED = 32            # moves kept, of each class, to lose history if another move raises alpha

cdef struct Candidate:          # the move about to be searched, for steps 14 to 17
    Move move
    bint noisy                  # a capture or a promotion of a pawn (movegen.pxd)
    bint checking               # it gives check
    int main                    # its main history; this and the next two are 0 for a noisy move
    int continuations           # the sum of its two nearest continuation histories
    int pawns                   # its pawn history
    int depth                   # plies to search it with, extension included
    int extension               # plies, at most 3; negative: the move loses depth
    int early_reduction         # the part of LMR known before the extension, for shallow pruning; 1024ths of a ply
    int reduction               # by LMR, for the search; 1024ths of a ply

cdef struct Refuted:            # moves of one class that were searched and are not the best
    Move moves[MAX_REFUTED]
    int count

cdef struct Frame:
    Worker* worker
    Node* node
    int ply
    int depth                   # plies left; steps 7, 10 and 15 change it
    int alpha                   # the window; alpha rises with the moves
    int beta
    int old_alpha               # alpha before the first move
    bint at_root
    bint on_pv                  # a PV node: the window is open
    bint cut_node               # expected to fail high; neither PV nor cut node: an all node, expected to fail low
    bint improving              # the evaluation is better than two plies before; from step 10 on also: at least beta
    int reduced_by              # plies by which LMR has reduced this search
    int raw_evaluation          # static, without correction; NO_SCORE in check
    int estimate                # the evaluation, corrected and refined by the table's bounds
    int best                    # the best value so far
    int count                   # candidates so far, pruned ones included
    Move best_move              # MOVE_NONE until a move has raised alpha
    Refuted refuted[2]          # quiet moves, noisy moves


cdef inline void add_refuted(Refuted* refuted, Move move) noexcept nogil:
    if refuted.count < MAX_REFUTED:
        refuted.moves[refuted.count] = move
        refuted.count += 1
