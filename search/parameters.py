"""The margins of the search, the only list of their names, defaults, meanings and ranges.

setup.py writes the struct that the search reads, `Params` in search/parameters.pxd, from this list. To add a margin,
add it here and use it as `params.name`; users of `Searcher`, tuning and screening can then change it. Each worker has
its own copy, so two engines with different margins can play each other in one process.

A meaning names the step that the margin belongs to, what it does there, and its unit (cp: centipawns, 100 for a pawn).
Histories and corrections are in points of their tables. "Where a PV was" means nodes marked "was on PV". A name that
begins with `use_` switches a step, so that a match can measure what the step is worth. All values are integers. Sizes
and limits of tables are compile-time constants next to the tables (history.pxd, correction.pxd).

The starting values of many margins were published for other engines; docs/SEARCH.md says which. Our own games replace
them one by one.
"""
from collections.abc import Mapping
from typing import NamedTuple

SWITCH = "use_"     # the names of margins that switch a step of the search begin with this


# Ranges, both ends included. With all margins in their ranges, the search neither divides by zero nor overflows 32
# bits, and the first iteration, which cannot be stopped, stays short. The default range is WIDE, for a switch FLAG. A
# test tries every margin at both ends.
WIDEST = 32_000
WIDE = (-WIDEST, WIDEST)
FLAG = (0, 1)
MAX_DEPTH = 255             # more than any depth
POINTS = (-10_000, 10_000)


class Margin(NamedTuple):
    name: str
    default: int
    meaning: str
    range: tuple[int, int]


def _margin(name: str, default: int, meaning: str, allowed: tuple[int, int] | None = None) -> Margin:
    return Margin(name, default, meaning, allowed or (FLAG if name.startswith(SWITCH) else WIDE))


MARGINS = [_margin(*fields) for fields in (
    # Switches for tests that compare with an exhaustive search.
    ("table", 1, "0: search without the transposition table", FLAG),
    ("exact_depth", 0, "1: a table bound serves only a search of exactly its depth", FLAG),
    ("qsearch", 1, "0: evaluate leaves statically, without quiescence search", FLAG),

    # Transposition table; graph-history interaction (GHI): the same position reached by different paths.
    ("use_ghi_guard", 1, "GHI guard: mark values that rest on a repetition, which hold only on paths through its head"),
    ("use_pv_spread", 1, 'a node that fails low below a node marked "was on PV" is marked, too'),

    # Mate in one.
    ("use_mate_in_one", 1, "look for a mate in one at nodes that the table does not know"),
    ("mate_in_one_depth", 6, "mate in one: extra depth with which it is stored, plies", (0, 8)),

    # Static evaluation.
    ("use_correction", 1, "correction history: correct the static evaluation by the errors of earlier searches"),
    ("correction_pawns", 5500, "correction: weight of the pawns' entry, 65536ths of a cp per point"),
    ("correction_minors", 3875, "correction: weight of the minor pieces' entry, 65536ths of a cp per point"),
    ("correction_pieces", 5625, "correction: weight of one side's pieces' entry, 65536ths of a cp per point"),
    ("correction_hands", 3000, "correction: weight of the hands' entry, 65536ths of a cp per point"),
    ("correction_moves", 3625, "correction: weight of each entry by two moves, 65536ths of a cp per point"),
    ("correction_rate", 83, "correction update: step per cp of error and ply of depth, 1024ths of a point"),
    ("correction_rate_low", 118, "correction update: the same at nodes that fail low, 1024ths of a point"),
    ("correction_learn_pawns", 1069, "correction update: share of the step for the pawns' entry, 1024ths"),
    ("correction_learn_minors", 1278, "correction update: share of the step for the minor pieces' entry, 1024ths"),
    ("correction_learn_pieces", 1562, "correction update: share of the step for one side's pieces' entry, 1024ths"),
    ("correction_learn_hands", 1100, "correction update: share of the step for the hands' entry, 1024ths"),
    ("correction_learn_moves", 1052, "correction update: share for the moves 1 and 2 plies before, 1024ths"),
    ("correction_learn_earlier", 526, "correction update: share for the moves 1 and 4 plies before, 1024ths"),

    # Hindsight.
    ("use_hindsight", 1, "hindsight: search a reduced node deeper or shallower once it is evaluated"),
    ("hindsight_deeper", 3,
     "hindsight: reduction from which a node gains a ply unless the opponent is worsening, plies", (1, MAX_DEPTH)),
    ("hindsight_shallower", 2, "hindsight: least reduction after which a node may lose a ply, plies", (1, MAX_DEPTH)),
    ("hindsight_depth", 2, "hindsight: least depth at which a node may lose a ply, plies", (2, MAX_DEPTH)),
    ("hindsight_margin", 80, "hindsight: a node loses a ply if both sides' evaluations add up to more than this, cp"),

    # Reverse futility pruning (RFP), also called static null move.
    ("use_rfp", 1, "reverse futility pruning (RFP): cut a node whose evaluation is far above beta"),
    ("rfp_depth", 14, "RFP: greatest depth, plies"),
    ("rfp_margin", 76, "RFP: margin above beta per ply of depth, cp", (-2000, 2000)),
    ("rfp_margin_unknown", 57, "RFP: the same at nodes that the table does not know, cp", (-2000, 2000)),
    ("rfp_improving", 1500, "RFP: depth taken off for the margin if improving, 1024ths of a ply"),
    ("rfp_worsening", 362, "RFP: depth taken off for the margin if the opponent is worsening, 1024ths of a ply"),
    ("rfp_correction", 743, "RFP: share of the correction's size added to the margin, 1024ths"),
    ("rfp_beta", 2, "RFP: weight of beta in the value returned; the evaluation's weight is 1", (0, 1000)),

    # Null-move pruning (NMP).
    ("use_null_move", 1, "null-move pruning (NMP): cut a node that holds beta even after a pass"),
    ("null_margin", 200, "NMP: the evaluation must exceed beta by this at depth 0, cp"),
    ("null_margin_slope", 11, "NMP: decrease of that margin per ply of depth, cp"),
    ("null_improving", 37, "NMP: decrease of that margin if improving, cp"),
    ("null_base", 6, "NMP: reduction at depth 0, plies", (1, MAX_DEPTH)),
    ("null_depth_divisor", 3, "NMP: the reduction grows by the depth divided by this", (1, MAX_DEPTH)),
    ("null_verification_depth", 16, "NMP: least depth at which a search without null moves must confirm, plies"),
    ("null_forbidden", 3, "NMP: part of the confirming search's depth without null moves, quarters", (0, MAX_DEPTH)),

    # ProbCut.
    ("use_probcut", 1, "ProbCut: cut a node where a capture beats a raised beta in a shallower search"),
    ("probcut_depth", 3, "ProbCut: least depth, plies", (1, MAX_DEPTH)),
    ("probcut_reduction", 4, "ProbCut: how much shallower the confirming search is, plies", (1, MAX_DEPTH)),
    ("probcut_margin", 154, "ProbCut: how far beta is raised, cp"),
    ("probcut_improving", 42, "ProbCut: how much less beta is raised if improving, cp"),
    ("use_small_probcut", 1, "small ProbCut: cut a node where the table has a lower bound far above beta"),
    ("small_probcut_margin", 300, "small ProbCut: how far the bound must be above beta, cp"),
    ("small_probcut_depth", 4, "small ProbCut: how much shallower than the node the bound may be, plies"),

    # Internal iterative reduction (IIR).
    ("use_iir", 1, "internal iterative reduction (IIR): a PV or cut node without a table move loses a ply"),
    ("iir_depth", 6, "IIR: least depth, plies", (2, MAX_DEPTH)),
    ("iir_reduced", 2, "IIR: not at nodes that LMR has reduced by more than this, plies"),

    # Shallow pruning of moves. The reduced depth is the depth that the early part of LMR leaves.
    ("use_lmp", 1, "late-move pruning (LMP): leave out quiet moves late in the order"),
    ("lmp_base", 1, "LMP: quiet moves are left out after depth squared plus this many moves, half if not improving"),
    ("lmp_loss", 300, "LMP: waits while the best value is below the evaluation by more than this, cp"),
    ("use_history_pruning", 1, "history pruning: leave out quiet moves with a poor history"),
    ("history_pruning", 3200, "history pruning: histories below minus this per ply of depth, points"),
    ("use_futility_pruning", 1, "futility pruning: leave out quiet moves that cannot raise the evaluation to alpha"),
    ("futility_depth", 13, "futility: not from this reduced depth on, plies"),
    ("futility_history", 3220, "futility: histories that add a ply to the reduced depth, points", (512, WIDEST)),
    ("futility_main", 2273, "futility: share of the main history in them, 1024ths", (-8192, 8192)),
    ("futility_base", 50, "futility: possible gain of a move at reduced depth 0, cp"),
    ("futility_slope", 100, "futility: possible gain more per ply of reduced depth, cp"),
    ("futility_near", 40, "futility: possible gain more near the opponent's king, cp"),
    ("futility_no_best", 104, "futility: possible gain more while no move has raised alpha, cp"),
    ("futility_above", 59, "futility: possible gain more if the evaluation is above alpha, cp"),
    ("use_capture_futility", 1, "capture futility: leave out captures without check that cannot reach alpha"),
    ("capture_futility_depth", 7, "capture futility: not from this reduced depth on, plies"),
    ("capture_futility_base", 130, "capture futility: possible gain at reduced depth 0, besides the capture's, cp"),
    ("capture_futility_slope", 135, "capture futility: possible gain more per ply of reduced depth, cp"),
    ("capture_futility_history", 90, "capture futility: share of the capture history added to the gain, 1024ths"),
    ("futility_piece", 317, "futility: gain by a captured piece, 1024ths of its exchange value"),
    ("use_see_pruning", 1, "SEE pruning: leave out moves that lose material by exchange"),
    ("see_noisy_slope", 210, "SEE pruning: loss allowed to captures and checks per ply of depth, cp"),
    ("see_noisy_history", 14, "SEE pruning: points of their capture history that allow one cp more", (1, WIDEST)),
    ("see_quiet_slope", 40, "SEE pruning: loss allowed to quiet moves per squared ply of reduced depth, cp", (0, 3000)),
    ("see_evaluation", 3200,
     "ProbCut and qsearch: gain by SEE needed per cp that the evaluation lacks, 1024ths of one", (0, 16384)),

    # Extensions.
    ("deepening_value", 1000, "extensions and deeper LMR: greatest size of the table's value, cp", (0, WIDEST)),
    ("use_singular", 1, "singular extension: extend a table move without rivals; cut if rivals reach beta (multi-cut)"),
    ("singular_depth", 6, "singular: least depth, one more where a PV was, plies", (2, MAX_DEPTH)),
    ("singular_bound_depth", 3, "singular: how much shallower than the node the table's bound may be, plies"),
    ("singular_divisor", 2, "singular: the search without the table move has (depth - 1) / this", (1, MAX_DEPTH)),
    ("singular_margin", 48, "singular: how far below the bound rivals must stay, per ply of depth, 64ths of a cp"),
    ("singular_was_on_pv", 53, "singular: how much farther where a PV was, per ply of depth, 64ths of a cp"),
    ("singular_excess", 600, "singular: share of the table bound's excess over beta that counts, 1024ths", (0, 4096)),
    ("double_margin", 60, "double extension: how far below the singular bound rivals must stay, cp"),
    ("double_on_pv", 146, "double extension: how much farther at PV nodes, cp"),
    ("double_quiet", 126, "double extension: how much less far for a quiet table move, cp"),
    ("double_table_move", 44, "double extension: how much less far if table moves are fully reliable, cp"),
    ("double_past_root_depth", 30, "double extension: how much less far at plies beyond the iteration's depth, cp"),
    ("triple_margin", 130, "triple extension: how far below the singular bound rivals must stay, cp"),
    ("triple_on_pv", 221, "triple extension: how much farther at PV nodes, cp"),
    ("triple_quiet", 150, "triple extension: how much less far for a quiet table move, cp"),
    ("triple_was_on_pv", 63, "triple extension: how much farther where a PV was, cp"),
    ("triple_past_root_depth", 31, "triple extension: how much less far at plies beyond the iteration's depth, cp"),
    ("singular_rivals", 3,
     "negative extension: depth lost by a table move with rivals if its bound is at least beta, plies", (0, MAX_DEPTH)),
    ("singular_rivals_cut", 2, "negative extension: depth lost at other cut nodes, plies", (0, MAX_DEPTH)),
    ("shuffling_ply", 18, "shuffling: from this ply on, a piece that moves to and fro is not extended"),
    ("shuffling_plies", 6, "shuffling: only this many plies after a null move or the set-up, plies"),

    # Late-move reductions (LMR).
    ("use_lmr", 1, "late-move reductions (LMR): search late moves shallower first"),
    ("lmr_depth", 2, "LMR: least depth, plies", (2, MAX_DEPTH)),
    ("lmr_scale", 22104,
     "LMR: factor of the logarithms of depth and move number, whose product is the reduction, 1024ths", (0, WIDEST)),
    ("lmr_not_improving", 560, "LMR: share of the product added if not improving, 1024ths", (-4096, 4096)),
    ("lmr_base", 1200, "LMR: added to every reduction, 1024ths of a ply"),
    ("lmr_window", 400, "LMR: less at PV nodes, times the window's share of the root's window, 1024ths of a ply"),
    ("lmr_was_on_pv_early", 1013, "LMR: more where a PV was, in the part that shallow pruning uses, 1024ths of a ply"),
    ("lmr_was_on_pv", 3300, "LMR: less where a PV was, for the search, 1024ths of a ply"),
    ("lmr_on_pv", 973, "LMR: less at PV nodes, 1024ths of a ply"),
    ("lmr_table_above", 905, "LMR: less where a PV was if the table's value is above alpha, 1024ths of a ply"),
    ("lmr_table_deep", 935, "LMR: less where a PV was if the bound is at least as deep as the node, 1024ths of a ply"),
    ("lmr_table_deep_cut", 959, "LMR: still less if that is a cut node, 1024ths of a ply"),
    ("lmr_all", 691, "LMR: more for every move, 1024ths of a ply"),
    ("lmr_count", 50, "LMR: less per move up to this one, 1024ths of a ply", (-200, 200)),
    ("lmr_count_limit", 24, "LMR: greatest number of moves that count for that", (0, 600)),
    ("lmr_correction", 110, "LMR: less per ten cp of correction, 1024ths of a ply", (-500, 500)),
    ("lmr_cut_node", 2400, "LMR: more at cut nodes, 1024ths of a ply"),
    ("lmr_cut_no_move", 985, "LMR: more at cut nodes without a table move, 1024ths of a ply"),
    ("lmr_table_noisy", 1054, "LMR: more if the table move is noisy, 1024ths of a ply"),
    ("lmr_cutoffs", 251, "LMR: more if at least two children have failed high, 1024ths of a ply"),
    ("lmr_cutoffs_more", 1500, "LMR: more if more than two children have, 1024ths of a ply"),
    ("lmr_cutoffs_all", 1400, "LMR: more if at least two have at an all node, 1024ths of a ply"),
    ("lmr_retakes", 800, "LMR: less for a move to where the last move captured or promoted, 1024ths of a ply"),
    ("lmr_table_move", 3000, "LMR: less for the table move, 1024ths of a ply"),
    ("lmr_stat_score", 560, "LMR: less per point of stat score, 4096ths of 1024ths of a ply", (-8192, 8192)),
    ("stat_score_piece", 3103, "stat score: share of a captured piece's exchange value, 1024ths", (0, 8192)),
    ("lmr_all_scale", 273, "LMR: at all nodes the reduction grows by itself times this, over a divisor", (0, 1024)),
    ("lmr_all_slope", 256, "LMR: divisor at all nodes, per ply of depth", (0, WIDEST)),
    ("lmr_all_base", 260, "LMR: divisor at all nodes at depth 0", (1, WIDEST)),
    ("lmr_deeper", 2, "LMR: how much deeper a negative reduction may make a search, plies", (0, 8)),
    ("lmr_no_move", 700, "LMR of first moves at null-window nodes: more without a table move, 1024ths of a ply"),
    ("lmr_first_one", 4628, "LMR of first moves: reduction above which they lose a ply, 1024ths of a ply"),
    ("lmr_first_two", 5772, "LMR of first moves: reduction above which they lose a second ply, 1024ths of a ply"),
    ("lmr_first_depth", 2, "LMR of first moves: depth above which they may lose the second ply, plies"),
    ("use_research_depth", 1, "second search after LMR: change its depth by what the reduced search found"),
    ("research_deeper", 80, "second search: a ply deeper if the value exceeds the best one by this, cp"),
    ("research_shallower", 20, "second search: a ply shallower unless the value exceeds the best one by this, cp"),
    ("research_bonus", 900, "second search: continuation history bonus of its move, points"),
    ("pv_table_depth", 1, "PV nodes: the table move gets at least a ply if its bound is deeper than this, plies"),
    ("cutoff_extension", 2, "cut-offs of children: count only those by moves extended by less than this, plies"),

    # Move ordering.
    ("use_continuation", 1, "continuation history: order moves by those 1, 2, 3, 4 and 6 plies before"),
    ("use_pawn_history", 1, "pawn history: order moves by the pawns on the board"),
    ("use_low_ply", 1, "low-ply history: the first plies have a history of their own"),
    ("use_capture_history", 1, "capture history: order captures by earlier results, too"),
    ("use_checks_first", 1, "order quiet moves that give check first, unless they lose much"),
    ("order_exchange", 360, "order: weight of a captured piece's exchange value, 64ths", (0, 4096)),
    ("order_low_ply", 12, "order: weight of the low-ply history at the root; ply p has this / (1 + p)", (0, 128)),
    ("order_check", 16384, "order: bonus of a quiet check, points"),
    ("order_check_risk", 165, "order: greatest loss by exchange of a check with that bonus, cp"),
    ("order_good_quiet", -4000, "order: quiet moves with a lower score come after the bad captures, points"),
    ("good_capture_divisor", 400, "order: a capture is bad if it loses more than score * 64 / this, cp", (1, WIDEST)),

    # Quiescence search (qsearch).
    ("use_qsearch_count", 1, "qsearch: after some captures only recaptures and checks"),
    ("qsearch_count", 3, "qsearch: number of captures before that", (0, 600)),
    ("use_qsearch_futility", 1, "qsearch: delta pruning, leave out captures that cannot come near alpha"),
    ("qsearch_futility", 190, "qsearch: delta pruning margin, cp"),
    ("use_evasion_pruning", 1, "qsearch: in check, once a move avoids mate, leave out quiet moves and losing captures"),
    ("qsearch_see", 90, "qsearch: greatest loss by exchange, cp"),

    # Aspiration windows.
    ("aspiration_window", 28, "aspiration: least half-width of the window, cp", (1, WIDEST)),
    ("aspiration_square", 6200, "aspiration: the mean square of the scores divided by this is added, cp", (1, WIDEST)),
    ("aspiration_growth", 3, "aspiration: after a failure the half-width grows by itself divided by this", (1, WIDEST)),

    # Histories: a best move gains a bonus, the moves refuted before it lose a malus. Bonus and malus are points of the
    # tables.
    ("history_bonus", 215, "history bonus: per ply of depth, points", (0, WIDEST)),
    ("history_bonus_base", 100, "history bonus: subtracted from that, points", POINTS),
    ("history_bonus_limit", 2500, "history bonus: at most this, points", POINTS),
    ("history_bonus_table", 600, "history bonus: more if the best move is the table move, points", POINTS),
    ("history_bonus_before", 32, "history bonus: plus the stat score of the move before, divided by this", (4, WIDEST)),
    ("history_bonus_quiet", 806, "history bonus: share for a quiet move, 1024ths", (0, 4096)),
    ("history_bonus_capture", 1286, "history bonus: share for a noisy move, 1024ths", (0, 4096)),
    ("history_malus", 990, "history malus: per ply of depth, points", (0, WIDEST)),
    ("history_malus_base", 265, "history malus: subtracted from that, points", POINTS),
    ("history_malus_limit", 2400, "history malus: at most this, points", POINTS),
    ("history_malus_quiet", 1113, "history malus: share for quiet moves, 1024ths", (0, 4096)),
    ("history_malus_decay", 977, "history malus: factor from each refuted quiet move to the next, 1024ths", (0, 1024)),
    ("history_malus_capture", 1556, "history malus: share for noisy moves, 1024ths", (0, 4096)),
    ("history_malus_parent", 614,
     "history malus: share for the quiet move before if first (second if the table knew the node), 1024ths", (0, 4096)),
    ("quiet_low_ply", 1100, "quiet bonus or malus: share for the low-ply history, 1024ths", (0, 4096)),
    ("quiet_continuation", 955, "quiet bonus or malus: share for the continuation histories, 1024ths", (0, 4096)),
    ("quiet_pawns", 700, "quiet bonus or malus: share for the pawn history, 1024ths", (0, 4096)),
    ("continuation_1", 1157, "continuation histories: share for the move 1 ply before, 1024ths", (0, 2900)),
    ("continuation_1_base", 88, "continuation histories: added for the move 1 ply before, points"),
    ("continuation_2", 648, "continuation histories: share for the move 2 plies before, 1024ths", (0, 2900)),
    ("continuation_3", 288, "continuation histories: share for the move 3 plies before, 1024ths", (0, 2900)),
    ("continuation_4", 576, "continuation histories: share for the move 4 plies before, 1024ths", (0, 2900)),
    ("continuation_6", 441, "continuation histories: share for the move 6 plies before, 1024ths", (0, 2900)),
    ("table_move_bonus", 805, "reliability of table moves: gain if the table move was best, points"),
    ("table_move_malus", 787, "reliability of table moves: loss if another move was best, points"),
    ("table_move_multicut", 107, "reliability of table moves: loss at a multi-cut per ply of depth, points"),
    ("table_move_multicut_base", 424, "reliability of table moves: loss at a multi-cut at depth 0, points"),
    ("table_move_multicut_limit", 3375, "reliability of table moves: greatest loss at a multi-cut, points"),

    ("use_table_learning", 1, "table cut: reward a quiet table move that cuts without a search"),
    ("table_bonus", 130, "table cut: bonus per ply of depth, points", (0, WIDEST)),
    ("table_bonus_base", 71, "table cut: subtracted from that, points", POINTS),
    ("table_bonus_limit", 1043, "table cut: greatest bonus, points", POINTS),
    ("table_parent_malus", 2142, "table cut: malus of the quiet move before, points"),
    ("table_parent_count", 4, "table cut: greatest number of that move in its node's order for the malus"),

    ("use_parent_learning", 1, "parent reward: reward the move before a fail low, punish it if refuted at once"),
    ("parent_capture", 1018, "parent reward: bonus of a noisy move, points"),
    ("parent_bonus", 135, "parent reward: bonus of a quiet move per ply of depth, points", (0, WIDEST)),
    ("parent_bonus_base", 80, "parent reward: subtracted from that, points", (-2500, 2500)),
    ("parent_bonus_limit", 1400, "parent reward: greatest bonus, before its weight, points", (-2500, 2500)),
    ("parent_depth", 59, "parent reward: weight of the bonus per ply of depth"),
    ("parent_depth_limit", 454, "parent reward: greatest weight by depth", (-1000, 1000)),
    ("parent_base", 232, "parent reward: subtracted from the weight", (-1000, 1000)),
    ("parent_stat_score", 108, "parent reward: the weight loses the move's stat score divided by this", (64, WIDEST)),
    ("parent_late", 169, "parent reward: added to the weight if the move was late in its node's order", (-1000, 1000)),
    ("parent_late_count", 8, "parent reward: number in the order above which a move is late"),
    ("parent_below", 145, "parent reward: more weight if the value is well below the node's evaluation", (-1000, 1000)),
    ("parent_below_margin", 76, "parent reward: how far below the evaluation that is, cp"),
    ("parent_fallen", 154,
     "parent reward: added to the weight if the value is well below the evaluation before the move", (-1000, 1000)),
    ("parent_fallen_margin", 50, "parent reward: how far below the evaluation before the move that is, cp"),
    ("parent_continuation", 19, "parent reward: share of bonus * weight for continuation histories, 1024ths", (0, 40)),
    ("parent_main", 9, "parent reward: share of bonus * weight for the main history, 1024ths", (0, 40)),

    ("use_swing_learning", 1, "swing: reward or punish a quiet move by the change of the evaluation after it"),
    ("swing_least", -148, "swing: least change that counts, cp", POINTS),
    ("swing_most", 118, "swing: greatest change that counts, cp", POINTS),
    ("swing_slope", 29, "swing: bonus per cp of change, half points"),
    ("swing_base", 600, "swing: bonus without a change, points"),
)]

DEFAULTS = {margin.name: margin.default for margin in MARGINS}
RANGES = {margin.name: margin.range for margin in MARGINS}

# Named sets of changes. "short" is for short searches whose value matters, not their move: late-move pruning waits at a
# smaller loss, which costs nodes but brings the values of 1,000-node searches closer to deep ones.
SETS = {"short": {"lmp_loss": 100}}


def with_changes(changes: Mapping[str, int]) -> dict[str, int]:
    """The defaults with `changes` applied. Raises UserError for an unknown name or a value out of range, TypeError for
    a value that is not an integer."""
    # Here, because setup.py runs this file before anything is compiled.
    from engine.errors import Listed, UserError, of_type, whole

    if unknown := of_type("params", changes, Mapping).keys() - DEFAULTS.keys():
        raise UserError("no margin is called {names}; see search/parameters.py", names=Listed(sorted(unknown)))
    return DEFAULTS | {name: whole(name, value, *RANGES[name]) for name, value in changes.items()}
