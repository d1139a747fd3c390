"""The margins of the search. Scores are centipawns (a pawn is worth 100), depths plies, reductions 1024ths of a ply.

A name that begins with `use_` switches a step of the search, so that a match can measure what it is worth.
"""

DEFAULTS = {
    "table": 1,                         # 0: search without the transposition table
    "selective": 1,                     # 0: no step that prunes, reduces or extends (for proofs by exhaustive search)
    "exact_depth": 0,                   # 1: a bound serves only a search of its own depth (likewise)

    # Table.
    "use_ghi_guard": 1,                 # values that rest on a repetition are true only on paths that hold its head
    "use_ghi_reuse": 1,                 # bounds that rest on a loop serve again where its head is on the path
    "use_window_shrink": 1,             # at PV nodes the table's bounds shrink the window

    "use_mate_in_one": 1,               # look for a mate in one at nodes that the table does not know

    # Static evaluation.
    "use_correction": 1,                # correct it by what searches of positions with the same pawns have found

    # Razoring: far below alpha, only captures could help.
    "use_razoring": 1,
    "razoring_base": 450,               # this …
    "razoring_slope": 250,              # … and this times depth squared below alpha

    # Futility of the node: so far above beta that the other side's best answer will not bring it back.
    "use_rfp": 1,
    "rfp_depth": 8,                     # up to this depth
    "rfp_margin": 92,                   # for each ply of depth

    # Null move: if passing is still good enough, a move is too.
    "use_null_move": 1,
    "null_base": 6,                     # reduction …
    "null_depth_divisor": 4,            # … plus depth divided by this …
    "null_eval_divisor": 230,           # … plus the evaluation's excess over beta divided by this, 3 at most
    "null_verification_depth": 14,      # from here on a search without null moves has to confirm

    # ProbCut: a capture that beats beta by far at low depth will beat it at this depth.
    "use_probcut": 1,
    "probcut_depth": 5,
    "probcut_margin": 207,

    # Internal iterative reduction: without a table move the order is poor, so a full depth is not worth its nodes yet.
    "use_iir": 1,
    "iir_depth": 4,

    # Shallow pruning.
    "use_lmp": 1,                       # late quiet moves that give no check are left out
    "lmp_base": 6,                      # quiet moves after this many plus depth squared (half if not improving)
    "use_history_pruning": 1,           # quiet moves of poor history are left out
    "history_pruning_depth": 4,         # of the reduced depth
    "history_pruning_slope": 2270,      # for each ply: both continuation histories below 0, the sum below minus this
    "use_futility_pruning": 1,          # quiet moves that cannot bring the evaluation up to alpha are left out
    "futility_pruning_depth": 7,        # of the reduced depth
    "futility_pruning_base": 168,
    "futility_pruning_slope": 99,       # for each ply of reduced depth
    "use_see_pruning": 1,               # moves that lose material are left out
    "see_depth": 7,
    "see_noisy_slope": 49,              # captures and checks may lose this times depth squared
    "see_quiet_slope": 14,              # quiet moves this times the reduced depth squared

    # Extensions.
    "use_singular": 1,                  # a table move without rival is searched deeper; with several beta holds anyway
    "singular_depth": 7,
    "singular_margin": 4,               # below the table's bound, for each ply
    "use_check_extension": 1,           # a check that loses no material is searched deeper

    # Late-move reductions: the product of the logarithms of depth and of the move's number.
    "use_lmr": 1,
    "lmr_scale": 670,                   # of the product, in 1024ths
    "lmr_base": 100,                    # 1024ths added to every reduction
    "lmr_cut_node": 1540,               # 1024ths more at nodes expected to fail high
    "lmr_history_divisor": 11,          # 1024ths less for each so many points of history

    # Order of moves.
    "use_continuation": 1,              # histories by the moves one, two and four plies before
    "use_low_ply": 1,                   # histories of their own for the first plies
    "use_capture_history": 1,           # captures are ordered by what they did before, too

    # Quiescence.
    "qsearch": 1,                       # 0: the static evaluation stands for the leaves
    "qsearch_recaptures": -5,           # from this depth down only captures on the last move's square
    "use_qsearch_futility": 1,          # captures that cannot come near alpha are left out
    "qsearch_futility": 280,            # a capture has to come within so much of alpha

    # Iterative deepening.
    "aspiration_depth": 5,              # the first depth searched with a narrow window …
    "aspiration_window": 49,            # … of the last score plus and minus this, doubled after each failure

    # History: a move that cuts off gains, those tried in vain before it lose.
    "history_limit": 8192,              # values stay within plus and minus this
    "history_bonus": 31,                # times depth squared …
    "history_bonus_limit": 1600,        # … but no more than this
}


cdef Params params_of(dict changes) except *:
    unknown = changes.keys() - DEFAULTS.keys()
    if unknown:
        raise ValueError(f"no search parameter is called {', '.join(sorted(unknown))}; see search/params.pyx")
    return {**DEFAULTS, **changes}
