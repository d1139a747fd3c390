"""Step 14 of the search, shallow pruning: which moves to leave out. Each kind of pruning is a function.

The functions are inline in a .pxd so that the compiler can put them into the loop over the moves.
"""
from engine.position cimport Pos
from engine.types cimport MAX_EVAL, SQUARES, Move, file_of, move_to, rank_of
from search.parameters cimport Params
from search.tree.evaluation cimport futility_gain
from search.tree.frame cimport PLY, Candidate, Frame
from search.tree.history cimport capture_history
from search.tree.picker cimport Picker
from search.tree.see cimport see_reaches
from search.tree.worker cimport Worker, is_decisive


cdef inline void skip_late_quiets(const Frame* f, Picker* picker) noexcept nogil:
    """Late-move pruning (LMP): after enough candidates, tell the picker to skip the remaining quiet moves. Not while
    every move so far is far below the evaluation: there is a threat, which a later move may parry."""
    cdef const Params* params = &f.worker.params
    if (params.use_lmp and f.count >= (params.lmp_base + f.depth * f.depth) // (2 - f.improving)
            and f.best >= f.node.evaluation - params.lmp_loss):
        picker.skip_quiets = True


cdef inline bint is_futile_capture(const Frame* f, const Candidate* candidate, int history,
                                   int reduced_depth) noexcept nogil:
    """Futility pruning of captures: even with the captured piece, the evaluation stays below alpha."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_capture_futility and not candidate.checking and reduced_depth < params.capture_futility_depth
            and f.node.evaluation + params.capture_futility_base + params.capture_futility_slope * reduced_depth
            + futility_gain(params, &worker.pos, candidate.move)
            + params.capture_futility_history * history // 1024 <= f.alpha)


cdef inline bint loses_exchange(const Frame* f, const Candidate* candidate, int history) noexcept nogil:
    """SEE pruning of captures and checks: the exchange loses too much. Not while a draw is better than alpha, because a
    sacrifice may reach it."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_see_pruning and f.alpha >= worker.rules.draw[worker.pos.turn]
            and not see_reaches(&worker.pos, candidate.move,
                                -max(params.see_noisy_slope * f.depth + history // params.see_noisy_history, 0)))


cdef inline bint has_poor_history(const Frame* f, const Candidate* candidate) noexcept nogil:
    """History pruning: a quiet move whose continuation and pawn histories are too low for the depth."""
    cdef const Params* params = &f.worker.params
    return params.use_history_pruning and candidate.continuations + candidate.pawns < -params.history_pruning * f.depth


cdef inline bint goes_near_king(const Pos* pos, Move move) noexcept nogil:
    """Whether a move ends at most two squares from the opponent's king."""
    cdef int king = pos.king[pos.turn ^ 1]
    cdef int target = move_to(move)
    return king < SQUARES and abs(file_of(king) - file_of(target)) <= 2 and abs(rank_of(king) - rank_of(target)) <= 2


cdef inline bint prune_futile(Frame* f, const Candidate* candidate, int reduced_depth) noexcept nogil:
    """Futility pruning of quiet moves: true if even an optimistic gain leaves the evaluation at or below alpha. That
    value then becomes the node's best one if it is higher (fail-soft)."""
    cdef const Params* params = &f.worker.params
    cdef int evaluation = f.node.evaluation
    cdef int reached
    if not params.use_futility_pruning or f.checked or reduced_depth >= params.futility_depth:
        return False
    reached = (evaluation + params.futility_base + params.futility_slope * reduced_depth
               + (params.futility_near if goes_near_king(&f.worker.pos, candidate.move) else 0)
               + (0 if f.best_move else params.futility_no_best)
               + (params.futility_above if evaluation > f.alpha else 0))
    if reached > f.alpha:
        return False
    if f.best <= reached and not is_decisive(f.best) and not is_decisive(reached):
        f.best = reached
    return True


cdef inline bint loses_material(const Frame* f, const Candidate* candidate, int reduced_depth) noexcept nogil:
    """SEE pruning of quiet moves: the moved piece would be lost for too little."""
    cdef const Params* params = &f.worker.params
    return (params.use_see_pruning
            and not see_reaches(&f.worker.pos, candidate.move, -params.see_quiet_slope * reduced_depth * reduced_depth))


cdef inline bint prune_move(Frame* f, const Candidate* candidate, Picker* picker) noexcept nogil:
    """Whether to leave the candidate out; raises the node's best value to what a futile move could reach. Never prunes
    before some move has avoided mate, nor quiet moves on the last iteration's PV."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int reduced_depth = candidate.depth - candidate.early_reduction // PLY
    cdef int history
    if not params.selective or f.at_root or f.best <= -MAX_EVAL:
        return False
    skip_late_quiets(f, picker)
    if candidate.noisy or candidate.checking:
        history = capture_history(&worker.history, &worker.pos, candidate.move)[0]
        return is_futile_capture(f, candidate, history, reduced_depth) or loses_exchange(f, candidate, history)
    if f.on_pv and f.node.on_last_pv:
        return False
    if has_poor_history(f, candidate):
        return True
    reduced_depth += ((candidate.continuations + candidate.pawns + params.futility_main * candidate.main // 1024)
                      // params.futility_history)
    return prune_futile(f, candidate, reduced_depth) or loses_material(f, candidate, max(reduced_depth, 0))
