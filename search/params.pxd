"""Every margin of the search, named and explained in params.pyx. Each worker has its own copy, so that two engines with
different margins can play each other in one process."""

cdef enum:
    LOGARITHMS = 256

cdef struct Params:
    int table
    int use_ghi_guard
    int use_ghi_reuse
    int exact_depth
    int qsearch
    int selective
    int use_window_shrink
    int use_mate_in_one
    int use_correction
    int use_razoring
    int razoring_base
    int razoring_slope
    int use_rfp
    int rfp_depth
    int rfp_margin
    int use_null_move
    int null_base
    int null_depth_divisor
    int null_eval_divisor
    int null_verification_depth
    int use_probcut
    int probcut_depth
    int probcut_margin
    int use_iir
    int iir_depth
    int use_lmp
    int lmp_base
    int use_history_pruning
    int history_pruning_depth
    int history_pruning_slope
    int use_futility_pruning
    int futility_pruning_depth
    int futility_pruning_base
    int futility_pruning_slope
    int use_see_pruning
    int see_depth
    int see_noisy_slope
    int see_quiet_slope
    int use_singular
    int singular_depth
    int singular_margin
    int use_check_extension
    int use_lmr
    int lmr_scale
    int lmr_base
    int lmr_cut_node
    int lmr_history_divisor
    int use_continuation
    int use_low_ply
    int use_capture_history
    int qsearch_recaptures
    int use_qsearch_futility
    int qsearch_futility
    int aspiration_depth
    int aspiration_window
    int history_limit
    int history_bonus
    int history_bonus_limit

cdef Params params_of(dict changes) except *    # the defaults with some changed; ValueError for an unknown name
