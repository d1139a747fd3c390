"""The margins of the search. Scores are centipawns, depths plies."""

DEFAULTS = {
    "table": 1,                     # 0: search without the transposition table

    # Quiescence.
    "quiescence": 1,                # 0: the static evaluation stands for the leaves (for tests against plain minimax)
    "quiescence_recaptures": -5,    # from this depth down only captures on the last move's square

    # Futility of the child: so far above beta, a node will not fall below it.
    "futility_depth": 7,            # up to this depth; 0 switches it off
    "futility_margin": 150,         # times depth

    # Null move: if even passing keeps the score above beta, a move will.
    "null_move": 1,                 # 0 switches it off
    "null_move_depth": 3,           # from this depth on
    "null_move_base": 3,            # plies taken off …
    "null_move_divisor": 4,         # … and another for each so many of the depth …
    "null_move_score": 300,         # … and for each so much above beta

    # Late quiet moves at small depths are left out.
    "move_count_depth": 8,          # up to this depth; 0 switches it off
    "move_count_base": 4,           # after so many moves …
    "move_count_factor": 100,       # … plus hundredths of depth squared; half of it if the position is not improving

    # Futility of the parent: a quiet move that cannot bring the score up to alpha is left out.
    "quiet_futility_depth": 7,      # up to this reduced depth; 0 switches it off
    "quiet_futility_base": 150,
    "quiet_futility_margin": 150,   # times reduced depth

    # Moves that lose material are left out.
    "see_depth": 7,                 # up to this depth; 0 switches it off
    "see_quiet": 40,                # quiet moves that lose more than this times depth squared
    "see_capture": 200,             # captures that lose more than this times depth

    # Late-move reductions, in hundredths of a ply: base + factor * ln(depth) * ln(number of the move).
    "reduction": 1,                 # 0 switches them off
    "reduction_base": 20,
    "reduction_factor": 45,
    "reduction_history": 4096,      # so much history is worth a ply

    "check_extension": 1,           # a ply more for a check that loses no material; 0 switches it off

    # Iterative deepening.
    "aspiration_depth": 5,          # the first depth searched with a narrow window …
    "aspiration_window": 40,        # … of the last score plus and minus this, doubled after each failure

    # History: a move that cuts off gains, those tried in vain before it lose.
    "history_limit": 8192,          # values stay within plus and minus this
    "history_bonus": 16,            # times depth squared …
    "history_bonus_limit": 1600,    # … but no more than this
    "quiet_sort_limit": -1500,      # times depth: quiet moves of less history are tried in the order of generation
}


cdef Params params_of(dict changes) except *:
    unknown = changes.keys() - DEFAULTS.keys()
    if unknown:
        raise ValueError(f"no search parameter is called {', '.join(sorted(unknown))}; see search/params.pyx")
    return {**DEFAULTS, **changes}
