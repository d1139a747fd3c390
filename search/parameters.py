"""The margins of the search: name, default and meaning of each, written here and nowhere else.

The struct that the search reads, `Params` in search/parameters.pxd, is written from this list by setup.py. So a margin
is added here, used as `params.name`, and can be changed by whoever makes a `Searcher`, tunes or screens. Each worker
has its own copy, so that two engines with different margins can play each other in one process.

Scores are centipawns (a pawn is worth 100), depths plies, reductions 1024ths of a ply, histories points. A name that
begins with `use_` switches a step of the search, so that a match can measure what it is worth. All values are integers.
The sizes and limits of tables are constants of the compiler, beside the tables (history.pxd, correction.pxd).

The starting values of many margins are figures published for other engines; docs/SEARCH.md says which. Our own games
replace them one by one.
"""
from collections.abc import Mapping
from typing import NamedTuple

SWITCH = "use_"     # the names of margins that switch a step of the search begin with this


# Ranges, both ends included. With all margins in their ranges, nothing in the search divides by zero or overflows its
# 32 bits, and the first iteration, which nothing can stop, stays short. The default range is WIDE, for a switch FLAG.
# A test walks all of them to both ends.
WIDEST = 32_000
WIDE = (-WIDEST, WIDEST)
FLAG = (0, 1)
MAX_DEPTH = 255             # beyond any depth
POINTS = (-10_000, 10_000)


class Margin(NamedTuple):
    name: str
    default: int
    meaning: str
    range: tuple[int, int]


def _margin(name: str, default: int, meaning: str, allowed: tuple[int, int] | None = None) -> Margin:
    return Margin(name, default, meaning, allowed or (FLAG if name.startswith(SWITCH) else WIDE))


MARGINS = [_margin(*fields) for fields in (
    # What proofs by exhaustive search turn off.
    ("table", 1, "0: search without the transposition table", FLAG),
    ("selective", 1, "0: no step that prunes, reduces or extends", FLAG),
    ("exact_depth", 0, "1: a bound serves only a search of its own depth", FLAG),
    ("qsearch", 1, "0: the static evaluation stands for the leaves", FLAG),

    # Transposition table; graph-history interaction (GHI): the same position reached by different paths.
    ("use_ghi_guard", 1, "GHI: values that rest on a repetition are true only on paths that hold its head"),
    ("use_ghi_reuse", 0, "GHI: bounds that rest on a loop serve again where its head is on the path"),
    ("use_pv_spread", 1, "a node that fails low below one marked as PV is marked, too"),

    # Mate in one.
    ("use_mate_in_one", 1, "look for a mate in one at nodes that the table does not know"),
    ("mate_in_one_depth", 6, "it is stored as found by a search this many plies deeper", (0, 8)),

    # Static evaluation.
    ("use_correction", 1, "Correction history: the evaluation is corrected by what searches of positions with "
                          "something in common have found"),
    ("correction_pawns", 5500, "65536ths of a centipawn for each point: the same pawns, …"),
    ("correction_minors", 3875, "… minor pieces, …"),
    ("correction_pieces", 5625, "… other pieces of one side, …"),
    ("correction_hands", 3000, "… hands, …"),
    ("correction_moves", 3625, "… two moves"),
    ("correction_rate", 83, "1024ths that an error of a centipawn moves an entry by, for each ply of depth …"),
    ("correction_rate_low", 118, "… if no move was good enough"),
    ("correction_learn_pawns", 1069, "1024ths of that for the entry of the pawns, …"),
    ("correction_learn_minors", 1278, "… of the minor pieces, …"),
    ("correction_learn_pieces", 1562, "… of other pieces, …"),
    ("correction_learn_hands", 1100, "… of the hands, …"),
    ("correction_learn_moves", 1052, "… of the last two moves …"),
    ("correction_learn_earlier", 526, "… and of the last move and the one three plies before it"),

    # Hindsight.
    ("use_hindsight", 1, "Hindsight: a node that was reduced is searched deeper or shallower, once it is evaluated"),
    ("hindsight_deeper", 3, "a ply deeper after a reduction by this many plies if the opponent's evaluation rises",
     (1, MAX_DEPTH)),
    ("hindsight_shallower", 2, "a ply shallower after a reduction by this many plies, …", (1, MAX_DEPTH)),
    ("hindsight_depth", 2, "… from this depth on, …", (2, MAX_DEPTH)),
    ("hindsight_margin", 80, "… if the evaluations of both sides add up to more than this"),

    # Reverse futility pruning (RFP), also called static null move.
    ("use_rfp", 1, "Reverse futility pruning (RFP): so far above beta that the other side's best answer will not bring "
                   "it back"),
    ("rfp_depth", 14, "up to this depth"),
    ("rfp_margin", 76, "this for each ply of depth above beta …", (-2000, 2000)),
    ("rfp_margin_unknown", 57, "… this where the table knows nothing; …", (-2000, 2000)),
    ("rfp_improving", 1500, "… less this many 1024ths of a ply if improving …"),
    ("rfp_worsening", 362, "… and this many if the opponent's evaluation is falling; …"),
    ("rfp_correction", 743, "… plus this many 1024ths of the correction"),
    ("rfp_beta", 2, "weight of beta in the value returned, where the evaluation has 1", (0, 1000)),

    # Null-move pruning (NMP).
    ("use_null_move", 1, "Null-move pruning (NMP): if passing is still good enough, a move is too"),
    ("null_margin", 200, "the evaluation must exceed beta by this, …"),
    ("null_margin_slope", 11, "… less this for each ply of depth …"),
    ("null_improving", 37, "… and this if improving"),
    ("null_base", 6, "reduction …", (1, MAX_DEPTH)),
    ("null_depth_divisor", 3, "… plus depth divided by this", (1, MAX_DEPTH)),
    ("null_verification_depth", 16, "from this depth on, a search without null moves must confirm"),
    ("null_forbidden", 3, "quarters of that search's depth in which no null move is tried", (0, MAX_DEPTH)),

    # ProbCut.
    ("use_probcut", 1, "ProbCut: a capture that beats beta by far at low depth will beat it at this depth"),
    ("probcut_depth", 3, "from this depth on", (1, MAX_DEPTH)),
    ("probcut_reduction", 4, "a search shallower by this must confirm", (1, MAX_DEPTH)),
    ("probcut_margin", 154, "beta is raised by this, …"),
    ("probcut_improving", 42, "… less this if improving"),
    ("use_small_probcut", 1, "the same where the table has a lower bound far above beta"),
    ("small_probcut_margin", 300, "by this, …"),
    ("small_probcut_depth", 4, "… found at most this many plies shallower"),

    # Internal iterative reduction (IIR).
    ("use_iir", 1, "Internal iterative reduction (IIR): without a table move the order is poor, so a full depth is not "
                   "worth its nodes yet"),
    ("iir_depth", 6, "from this depth on", (2, MAX_DEPTH)),
    ("iir_reduced", 2, "unless LMR has taken more plies than this"),

    # Shallow pruning. The reduced depth is that which a late-move reduction leaves.
    ("use_lmp", 1, "Late-move pruning (LMP), by move count: late quiet moves are left out"),
    ("lmp_base", 1, "quiet moves after this many and depth squared; half as many if not improving, …"),
    ("lmp_loss", 300, "… unless the best of them is worse than the evaluation by more than this"),
    ("use_history_pruning", 1, "History pruning: quiet moves of poor history are left out"),
    ("history_pruning", 3200, "continuation histories below minus this times depth"),
    ("use_futility_pruning", 1, "Futility pruning: quiet moves that cannot bring the evaluation up to alpha are left "
                                "out"),
    ("futility_depth", 13, "below this reduced depth, …"),
    ("futility_history", 3220, "… to which each such amount of history adds a ply; …", (512, WIDEST)),
    ("futility_main", 2273, "… 1024ths that the main history counts there", (-8192, 8192)),
    ("futility_base", 50, "a move may gain this, …"),
    ("futility_slope", 100, "… this for each ply of reduced depth, …"),
    ("futility_near", 40, "… this if it goes near the other king, …"),
    ("futility_no_best", 104, "… this if no move has been good enough …"),
    ("futility_above", 59, "… and this if the evaluation is above alpha"),
    ("use_capture_futility", 1, "The same for captures that give no check"),
    ("capture_futility_depth", 7, "below this reduced depth"),
    ("capture_futility_base", 130, "a capture may gain this, …"),
    ("capture_futility_slope", 135, "… this for each ply of reduced depth, what it takes …"),
    ("capture_futility_history", 90, "… and this many 1024ths of its history"),
    ("futility_piece", 317, "1024ths that a piece taken counts of its exchange value"),
    ("use_see_pruning", 1, "SEE pruning: moves that lose material are left out"),
    ("see_noisy_slope", 210, "captures and checks may lose this times depth …"),
    ("see_noisy_history", 14, "… plus their history divided by this", (1, WIDEST)),
    ("see_quiet_slope", 40, "quiet moves this times the reduced depth squared", (0, 3000)),
    ("see_evaluation", 3200, "1024ths that an exchange has to win for each centipawn of evaluation that is missing",
     (0, 16384)),

    # Extensions.
    ("use_singular", 1, "Singular extension: a table move without rival is searched deeper; with several beta holds "
                        "anyway (multi-cut)"),
    ("singular_depth", 6, "from this depth on, a ply later where a PV was", (2, MAX_DEPTH)),
    ("singular_bound_depth", 3, "if the table's bound was found at most this many plies shallower"),
    ("singular_divisor", 2, "the search without the move has the depth less 1, divided by this", (1, MAX_DEPTH)),
    ("singular_margin", 48, "64ths of a centipawn below the table's bound, for each ply …"),
    ("singular_was_on_pv", 53, "… and these added where a PV was, …"),
    ("singular_excess", 600, "… the bound counting so many 1024ths of what it is above beta", (0, 4096)),
    ("double_margin", 60, "two plies if the rivals are worse by this, …"),
    ("double_on_pv", 146, "… and this at PV nodes, …"),
    ("double_quiet", 126, "… less this for quiet moves …"),
    ("double_table_move", 44, "… and this as the table's moves are reliable, …"),
    ("double_beyond", 30, "… and this beyond the depth of the iteration"),
    ("triple_margin", 130, "three plies if they are worse by this, …"),
    ("triple_on_pv", 221, "… and this at PV nodes, …"),
    ("triple_quiet", 150, "… less this for quiet moves …"),
    ("triple_was_on_pv", 63, "… and this more where a PV was, …"),
    ("triple_beyond", 31, "… less this beyond the depth of the iteration"),
    ("singular_rivals", 3, "plies that a move with rivals loses if the table's bound holds beta, …", (0, MAX_DEPTH)),
    ("singular_rivals_cut", 2, "… and at other nodes expected to fail high", (0, MAX_DEPTH)),
    ("shuffling_ply", 18, "from this ply on no piece that goes to and fro is extended …"),
    ("shuffling_plies", 6, "… more than this many plies after a null move or the position set up"),

    # Late-move reductions (LMR), in 1024ths of a ply.
    ("use_lmr", 1, "Late-move reductions (LMR): the product of the logarithms of depth and of the move's number"),
    ("lmr_depth", 2, "from this depth on", (2, MAX_DEPTH)),
    ("lmr_scale", 22104, "1024ths of either logarithm", (0, WIDEST)),
    ("lmr_not_improving", 560, "1024ths of the product added if not improving", (-4096, 4096)),
    ("lmr_base", 1200, "added to every reduction"),
    ("lmr_window", 400, "less by the window's share of the root's"),
    ("lmr_was_on_pv_early", 1013, "more where a PV was, for shallow pruning …"),
    ("lmr_was_on_pv", 3300, "… less for the search, …"),
    ("lmr_on_pv", 973, "… less at PV nodes, …"),
    ("lmr_table_above", 905, "… if the table's value is above alpha …"),
    ("lmr_table_deep", 935, "… and of this depth, …"),
    ("lmr_table_deep_cut", 959, "… more so at cut nodes"),
    ("lmr_all", 691, "more for all moves …"),
    ("lmr_count", 50, "… less for each move before …", (-200, 200)),
    ("lmr_count_limit", 24, "… up to this many", (0, 600)),
    ("lmr_correction", 110, "less for ten centipawns of correction", (-500, 500)),
    ("lmr_cut_node", 2400, "more at nodes expected to fail high …"),
    ("lmr_cut_no_move", 985, "… without a table move"),
    ("lmr_table_noisy", 1054, "more if the table move captures"),
    ("lmr_cutoffs", 251, "more if two nodes below have failed high, …"),
    ("lmr_cutoffs_more", 1500, "… more than two …"),
    ("lmr_cutoffs_all", 1400, "… and at nodes expected to fail low"),
    ("lmr_retakes", 800, "less for a move to where the last one took or promoted"),
    ("lmr_table_move", 3000, "less for the table move"),
    ("lmr_stat_score", 560, "less by 4096ths of the histories", (-8192, 8192)),
    ("stat_score_piece", 3103, "… to which a capture adds this many 1024ths of the piece's exchange value", (0, 8192)),
    ("lmr_all_scale", 273, "at nodes expected to fail low the sum grows by its product with this, divided by …",
     (0, 1024)),
    ("lmr_all_slope", 256, "… this for each ply of depth …", (0, WIDEST)),
    ("lmr_all_base", 260, "… and this", (1, WIDEST)),
    ("lmr_deeper", 2, "plies that a search may become deeper by a negative reduction", (0, 8)),
    ("lmr_no_move", 700, "first moves without a table move, more by this: …"),
    ("lmr_first_one", 4628, "… a ply less from here on …"),
    ("lmr_first_two", 5772, "… two plies from here on, …"),
    ("lmr_first_depth", 2, "… above this depth"),
    ("use_research_depth", 1, "second searches are deeper or shallower, by what the first found"),
    ("research_deeper", 80, "a ply deeper if better than the best move so far by this …"),
    ("research_shallower", 20, "… a ply shallower if not better by this"),
    ("research_bonus", 900, "what the continuation histories of such a move learn"),
    ("pv_table_depth", 1, "the table's move of a PV node keeps a ply if its bound is of a depth above this"),
    ("cutoff_extension", 2, "a cut counts among the parent's cut-offs if its move was extended by less than this"),

    # Move ordering.
    ("use_continuation", 1, "Continuation history: by the moves one, two, three, four and six plies before"),
    ("use_pawn_history", 1, "Pawn history: by the pawns that are on the board"),
    ("use_low_ply", 1, "Low-ply history: the first plies have histories of their own"),
    ("use_capture_history", 1, "Capture history: captures are ordered by what they did before, too"),
    ("use_checks_first", 1, "quiet moves that give check come first, unless they lose much"),
    ("order_exchange", 360, "64ths that a piece taken counts of its exchange value", (0, 4096)),
    ("order_low_ply", 12, "weight of the low-ply history, less with each ply", (0, 128)),
    ("order_check", 16384, "added for quiet checks …"),
    ("order_check_risk", 165, "… that lose no more than this"),
    ("order_good_quiet", -4000, "quiet moves below this come after the bad captures"),
    ("good_capture_divisor", 400, "a capture is bad if it loses more than 64 times its score divided by this",
     (1, WIDEST)),

    # Quiescence search (qsearch).
    ("use_qsearch_count", 1, "in qsearch no more captures than a few, unless they take back or give check"),
    ("qsearch_count", 3, "this many", (0, 600)),
    ("use_qsearch_futility", 1, "Delta pruning in qsearch: captures that cannot come near alpha are left out"),
    ("qsearch_futility", 190, "a capture must come within this of alpha"),
    ("qsearch_see", 90, "captures may lose this"),

    # Aspiration windows.
    ("aspiration_window", 28, "half the window around the average of the scores, plus …", (1, WIDEST)),
    ("aspiration_square", 6200, "… their mean square divided by this", (1, WIDEST)),
    ("aspiration_growth", 3, "after each failure wider by the width divided by this", (1, WIDEST)),

    # Histories: a move that cuts off gains, those tried in vain before it lose more. Bonuses are points of the tables.
    ("history_bonus", 215, "times depth …", (0, WIDEST)),
    ("history_bonus_base", 100, "… less this …", POINTS),
    ("history_bonus_limit", 2500, "… but no more than this …", POINTS),
    ("history_bonus_table", 600, "… and this for the table move, …", POINTS),
    ("history_bonus_before", 32, "… plus the histories of the move before divided by this: …", (4, WIDEST)),
    ("history_bonus_quiet", 806, "… 1024ths of it for a quiet move …", (0, 4096)),
    ("history_bonus_capture", 1286, "… and for a capture", (0, 4096)),
    ("history_malus", 990, "moves tried in vain lose this times depth …", (0, WIDEST)),
    ("history_malus_base", 265, "… less this …", POINTS),
    ("history_malus_limit", 2400, "… but no more than this: …", POINTS),
    ("history_malus_quiet", 1113, "… 1024ths of it for quiet moves, …", (0, 4096)),
    ("history_malus_decay", 977, "… times this many 1024ths for each of them, …", (0, 1024)),
    ("history_malus_capture", 1556, "… 1024ths for captures …", (0, 4096)),
    ("history_malus_parent", 614, "… and for the move before, if it was the first choice", (0, 4096)),
    ("quiet_low_ply", 1100, "1024ths of what a quiet move learns for the low-ply history …", (0, 4096)),
    ("quiet_continuation", 955, "… for the continuation histories, …", (0, 4096)),
    ("quiet_pawns", 700, "… and for the pawn history", (0, 4096)),
    ("continuation_1", 1157, "1024ths of that after the move before …", (0, 2900)),
    ("continuation_1_base", 88, "… plus this, …"),
    ("continuation_2", 648, "… after the moves two, …", (0, 2900)),
    ("continuation_3", 288, "… three, …", (0, 2900)),
    ("continuation_4", 576, "… four …", (0, 2900)),
    ("continuation_6", 441, "… and six plies before", (0, 2900)),
    ("table_move_bonus", 805, "reliability of table moves: gained where one was best, …"),
    ("table_move_malus", 787, "… lost where another was, …"),
    ("table_move_multicut", 107, "… lost at a multi-cut for each ply of depth …"),
    ("table_move_multicut_base", 424, "… and this, …"),
    ("table_move_multicut_limit", 3375, "… but no more than this"),

    ("use_table_learning", 1, "a move that cuts off by the table alone is rewarded, too"),
    ("table_bonus", 130, "a quiet one by this for each ply of depth …", (0, WIDEST)),
    ("table_bonus_base", 71, "… less this …", POINTS),
    ("table_bonus_limit", 1043, "… but no more than this", POINTS),
    ("table_parent_malus", 2142, "the quiet move before loses this …"),
    ("table_parent_count", 4, "… if it was among this many first"),

    ("use_parent_learning", 1, "the move before is rewarded where no answer was good enough, and loses where one was"),
    ("parent_capture", 1018, "a capture gains this"),
    ("parent_bonus", 135, "another move this for each ply of depth …", (0, WIDEST)),
    ("parent_bonus_base", 80, "… less this …", (-2500, 2500)),
    ("parent_bonus_limit", 1400, "… but no more than this, …", (-2500, 2500)),
    ("parent_depth", 59, "… times a weight: this for each ply of depth …"),
    ("parent_depth_limit", 454, "… but no more than this, …", (-1000, 1000)),
    ("parent_base", 232, "… less this, …", (-1000, 1000)),
    ("parent_stat_score", 108, "… less its histories divided by this, …", (64, WIDEST)),
    ("parent_late", 169, "… plus this …", (-1000, 1000)),
    ("parent_late_count", 8, "… if more moves than this came before it, …"),
    ("parent_below", 145, "… plus this …", (-1000, 1000)),
    ("parent_below_margin", 76, "… if the value is below the evaluation by this, …"),
    ("parent_fallen", 154, "… plus this …", (-1000, 1000)),
    ("parent_fallen_margin", 50, "… if it is below the evaluation before the move by this: …"),
    ("parent_continuation", 19, "… 1024ths of the product for the continuation histories …", (0, 40)),
    ("parent_main", 9, "… and for the main history", (0, 40)),

    ("use_swing_learning", 1, "the move before is judged by how the evaluation has changed"),
    ("swing_least", -148, "the change counts from this …", POINTS),
    ("swing_most", 118, "… to this, …", POINTS),
    ("swing_slope", 29, "… half a point times this for each centipawn, …"),
    ("swing_base", 600, "… plus this"),
)]

DEFAULTS = {margin.name: margin.default for margin in MARGINS}
RANGES = {margin.name: margin.range for margin in MARGINS}

# Named sets of changes. Where the value of a short search matters, and not its move, late-move pruning waits already at
# a smaller loss: that costs nodes, and makes values of 1,000 nodes agree better with deep ones.
SETS = {"short": {"lmp_loss": 100}}


def with_changes(changes: Mapping[str, int]) -> dict[str, int]:
    """The defaults with some changed. UserError if a name is no margin's or a value is out of its range, TypeError if
    it is no whole number."""
    from engine.errors import UserError, whole  # setup.py runs this file when nothing is compiled yet

    if unknown := changes.keys() - DEFAULTS.keys():
        raise UserError(f"no margin is called {', '.join(sorted(unknown))}; see search/parameters.py")
    return DEFAULTS | {name: whole(name, value, *RANGES[name]) for name, value in changes.items()}
