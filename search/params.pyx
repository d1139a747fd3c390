"""The margins of the search. Scores are centipawns, depths plies."""

DEFAULTS = {
    "table": 1,                     # 0: search without the transposition table

    # Quiescence.
    "quiescence": 1,                # 0: the static evaluation stands for the leaves (for tests against plain minimax)
    "quiescence_recaptures": -5,    # from this depth down only captures on the last move's square

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
