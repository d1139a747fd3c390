"""The margins of the search: name, default and meaning of each, written here and nowhere else.

The struct that the search reads, `Params` in search/parameters.pxd, is written from this list by setup.py. So a margin
is added here, used as `params.name`, and can be changed by whoever makes a `Searcher`, tunes or ablates. Each worker
has its own copy, so that two engines with different margins can play each other in one process.

Scores are centipawns (a pawn is worth 100), depths plies, reductions 1024ths of a ply. A name that begins with `use_`
switches a step of the search, so that a match can measure what it is worth. All values are integers.
"""
from collections.abc import Mapping
from typing import NamedTuple

SWITCH = "use_"     # the names of margins that switch a step of the search begin with this


class Margin(NamedTuple):
    name: str
    default: int
    meaning: str


MARGINS = [Margin(*fields) for fields in (
    # What proofs by exhaustive search turn off.
    ("table", 1, "0: search without the transposition table"),
    ("selective", 1, "0: no step that prunes, reduces or extends"),
    ("exact_depth", 0, "1: a bound serves only a search of its own depth"),
    ("qsearch", 1, "0: the static evaluation stands for the leaves"),

    # Transposition table; graph-history interaction (GHI): the same position reached by different paths.
    ("use_window_shrink", 1, "at PV nodes the table's bounds shrink the window"),
    ("use_ghi_guard", 1, "GHI: values that rest on a repetition are true only on paths that hold its head"),
    ("use_ghi_reuse", 1, "GHI: bounds that rest on a loop serve again where its head is on the path"),

    ("use_mate_in_one", 1, "look for a mate in one at nodes that the table does not know"),

    # Static evaluation.
    ("use_correction", 1, "Correction history: the evaluation is corrected by what searches of positions with the same "
                          "pawns have found"),

    # Razoring.
    ("use_razoring", 1, "Razoring: far below alpha, only captures could help"),
    ("razoring_base", 562, "this …"),
    ("razoring_slope", 200, "… and this times depth squared below alpha"),

    # Reverse futility pruning (RFP), also called static null move.
    ("use_rfp", 1, "Reverse futility pruning (RFP): so far above beta that the other side's best answer will not bring "
                   "it back"),
    ("rfp_depth", 8, "up to this depth"),
    ("rfp_base", 47, "this …"),
    ("rfp_margin", 87, "… and this for each ply of depth above beta …"),
    ("rfp_improving", 117, "… less this if improving"),

    # Null-move pruning (NMP).
    ("use_null_move", 1, "Null-move pruning (NMP): if passing is still good enough, a move is too"),
    ("null_base", 6, "reduction …"),
    ("null_depth_divisor", 4, "… plus depth divided by this …"),
    ("null_eval_divisor", 379, "… plus the evaluation's excess over beta divided by this, 3 at most"),
    ("null_verification_depth", 14, "from here on a search without null moves has to confirm"),

    # ProbCut.
    ("use_probcut", 1, "ProbCut: a capture that beats beta by far at low depth will beat it at this depth"),
    ("probcut_depth", 5, "from this depth on"),
    ("probcut_margin", 200, "beta is raised by this"),

    # Internal iterative reduction (IIR).
    ("use_iir", 1, "Internal iterative reduction (IIR): without a table move the order is poor, so a full depth is not "
                   "worth its nodes yet"),
    ("iir_depth", 4, "from this depth on"),

    # Shallow pruning. The reduced depth is that which a late-move reduction leaves.
    ("use_lmp", 1, "Late-move pruning (LMP), by move count: late quiet moves that give no check are left out"),
    ("lmp_base", 2, "quiet moves after this many …"),
    ("lmp_linear", 168, "… and depth times this in 64ths …"),
    ("lmp_square", 114, "… and depth squared times this in 64ths; …"),
    ("lmp_not_improving", 39, "… if not improving, so many 64ths of them"),
    ("use_history_pruning", 1, "History pruning: quiet moves of poor history are left out"),
    ("history_pruning_depth", 4, "up to this reduced depth"),
    ("history_pruning_base", -1062, "both continuation histories below 0, and the sum of histories below minus this …"),
    ("history_pruning_slope", 1489, "… and minus this for each ply"),
    ("use_futility_pruning", 1, "Futility pruning: quiet moves that cannot bring the evaluation up to alpha are left "
                                "out"),
    ("futility_pruning_depth", 7, "up to this reduced depth"),
    ("futility_pruning_base", 118, "a move may gain this …"),
    ("futility_pruning_slope", 69, "… and this for each ply of reduced depth"),
    ("use_see_pruning", 1, "SEE pruning: moves that lose material are left out"),
    ("see_depth", 7, "up to this depth, for quiet moves reduced depth"),
    ("see_noisy_slope", 48, "captures and checks may lose this times depth squared"),
    ("see_quiet_slope", 16, "quiet moves this times the reduced depth squared"),

    # Extensions.
    ("use_singular", 1, "Singular extension: a table move without rival is searched deeper; with several beta holds "
                        "anyway (multi-cut)"),
    ("singular_depth", 7, "from this depth on"),
    ("singular_margin", 105, "below the table's bound by so many 16ths of a centipawn for each ply"),
    ("use_check_extension", 1, "Check extension: a check that loses little is searched deeper"),
    ("check_extension_risk", 84, "what it may lose"),

    # Late-move reductions (LMR).
    ("use_lmr", 1, "Late-move reductions (LMR): the product of the logarithms of depth and of the move's number"),
    ("lmr_scale", 545, "of the product, in 1024ths"),
    ("lmr_base", 270, "1024ths added to every reduction"),
    ("lmr_cut_node", 789, "1024ths more at nodes expected to fail high …"),
    ("lmr_table_noisy", 541, "… if the table move captures"),
    ("lmr_in_check", 645, "… for evasions"),
    ("lmr_was_on_pv", 1324, "1024ths less at nodes that are or were on the principal variation"),
    ("lmr_noisy", 1372, "… for captures and promotions of pawns"),
    ("lmr_check", 1494, "… for other checks"),
    ("lmr_butterfly", 99, "… for 1024 points of butterfly history"),
    ("lmr_continuation_1", 23, "… of continuation history by the move before"),
    ("lmr_continuation_2", 209, "… by the one before that"),

    # Move ordering.
    ("use_continuation", 1, "Continuation history: by the moves one, two and four plies before"),
    ("use_low_ply", 1, "Low-ply history: the first plies have histories of their own"),
    ("use_capture_history", 1, "Capture history: captures are ordered by what they did before, too"),
    ("order_butterfly", 3, "weights of the histories by which quiet moves are ordered: butterfly, …"),
    ("order_continuation_1", 12, "… continuation by the move before, …"),
    ("order_continuation_2", 10, "… by the one before that, …"),
    ("order_continuation_4", 8, "… by the one four plies before, …"),
    ("order_low_ply", 8, "… and low-ply"),
    ("good_capture_risk", 62, "captures that may lose more than this come after the quiet moves"),

    # Quiescence search (qsearch).
    ("qsearch_recaptures", -5, "from this depth down only captures on the last move's square"),
    ("use_qsearch_futility", 1, "Delta pruning in qsearch: captures that cannot come near alpha are left out"),
    ("qsearch_futility", 373, "a capture has to come within so much of alpha"),

    # Aspiration windows.
    ("aspiration_depth", 5, "the first depth searched with a narrow window …"),
    ("aspiration_window", 38, "… of the last score plus and minus this, doubled after each failure"),

    # History: a move that cuts off gains, those tried in vain before it lose.
    ("history_limit", 8192, "values stay within plus and minus this"),
    ("history_bonus_linear", 101, "times depth …"),
    ("history_bonus", 41, "… and times depth squared …"),
    ("history_bonus_limit", 1433, "… but no more than this"),
    ("history_malus", 545, "1024ths of it that quiet moves lose"),
)]

DEFAULTS = {margin.name: margin.default for margin in MARGINS}


def with_changes(changes: Mapping[str, int]) -> dict[str, int]:
    """The defaults with some changed. ValueError if a name is no margin's."""
    if unknown := changes.keys() - DEFAULTS.keys():
        raise ValueError(f"no margin is called {', '.join(sorted(unknown))}; see search/parameters.py")
    return {**DEFAULTS, **changes}
