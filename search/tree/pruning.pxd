"""Step 14 of the search, shallow pruning: which moves are left out. A function for each kind, with its switch, its
margins and its effect.

Written here and not in a module of its own, so that the compiler can put it into the loop over the moves.
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


cdef inline void prune_late_moves(const Frame* f, Picker* picker) noexcept nogil:
    """Late-move pruning (LMP): after so many moves no more quiet ones are tried, unless all of them have lost much: one
    that is left may parry what threatens."""
    cdef const Params* params = &f.worker.params
    if (params.use_lmp and f.count >= (params.lmp_base + f.depth * f.depth) // (2 - f.improving)
            and f.best >= f.node.evaluation - params.lmp_loss):
        picker.skip_quiets = True


cdef inline bint is_futile_capture(const Frame* f, const Candidate* tried, int history, int reduced) noexcept nogil:
    """Futility pruning of captures: what it takes does not bring the evaluation up to alpha."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_capture_futility and not tried.checking and reduced < params.capture_futility_depth
            and f.node.evaluation + params.capture_futility_base + params.capture_futility_slope * reduced
            + futility_gain(params, &worker.pos, tried.move)
            + params.capture_futility_history * history // 1024 <= f.alpha)


cdef inline bint loses_much(const Frame* f, const Candidate* tried, int history) noexcept nogil:
    """SEE pruning of captures and checks. Not while a draw would be better than alpha: a sacrifice may reach it."""
    cdef const Worker* worker = f.worker
    cdef const Params* params = &worker.params
    return (params.use_see_pruning and f.alpha >= worker.rules.draw[worker.pos.turn]
            and not see_reaches(&worker.pos, tried.move,
                                -max(params.see_noisy_slope * f.depth + history // params.see_noisy_history, 0)))


cdef inline bint has_poor_history(const Frame* f, const Candidate* tried) noexcept nogil:
    """History pruning of quiet moves."""
    cdef const Params* params = &f.worker.params
    return params.use_history_pruning and tried.continuations + tried.pawns < -params.history_pruning * f.depth


cdef inline bint goes_near_king(const Pos* pos, Move move) noexcept nogil:
    """Whether a move goes within two squares of the other king."""
    cdef int king = pos.king[pos.turn ^ 1]
    cdef int target = move_to(move)
    return king < SQUARES and abs(file_of(king) - file_of(target)) <= 2 and abs(rank_of(king) - rank_of(target)) <= 2


cdef inline bint is_futile(Frame* f, const Candidate* tried, int reduced) noexcept nogil:
    """Futility pruning of quiet moves: the evaluation is too far below alpha. The node is then worth at least what the
    move could have reached."""
    cdef const Params* params = &f.worker.params
    cdef int evaluation = f.node.evaluation
    cdef int reached
    if not params.use_futility_pruning or f.checked or reduced >= params.futility_depth:
        return False
    reached = (evaluation + params.futility_base + params.futility_slope * reduced
               + (params.futility_near if goes_near_king(&f.worker.pos, tried.move) else 0)
               + (0 if f.best_move else params.futility_no_best)
               + (params.futility_above if evaluation > f.alpha else 0))
    if reached > f.alpha:
        return False
    if f.best <= reached and not is_decisive(f.best) and not is_decisive(reached):
        f.best = reached
    return True


cdef inline bint loses_material(const Frame* f, const Candidate* tried, int reduced) noexcept nogil:
    """SEE pruning of quiet moves."""
    cdef const Params* params = &f.worker.params
    return (params.use_see_pruning
            and not see_reaches(&f.worker.pos, tried.move, -params.see_quiet_slope * reduced * reduced))


cdef inline bint is_pruned(Frame* f, const Candidate* tried, Picker* picker) noexcept nogil:
    """Whether a move is left out. Never before one has been found that is not mated, and no quiet move where the last
    iteration's PV leads."""
    cdef Worker* worker = f.worker
    cdef const Params* params = &worker.params
    cdef int reduced = tried.depth - tried.reduction // PLY
    cdef int history
    if not params.selective or f.at_root or f.best <= -MAX_EVAL:
        return False
    prune_late_moves(f, picker)
    if tried.noisy or tried.checking:
        history = capture_history(&worker.history, &worker.pos, tried.move)[0]
        return is_futile_capture(f, tried, history, reduced) or loses_much(f, tried, history)
    if f.on_pv and f.node.on_last_pv:
        return False
    if has_poor_history(f, tried):
        return True
    reduced += ((tried.continuations + tried.pawns + params.futility_main * tried.main // 1024)
                // params.futility_history)
    return is_futile(f, tried, reduced) or loses_material(f, tried, max(reduced, 0))
