"""Every margin of the search, named and explained in params.pyx. Each worker has its own copy, so that two engines with
different margins can play each other in one process."""

cdef enum:
    LOGARITHMS = 256

cdef struct Params:
    int table
    int use_path_guard
    int use_loops
    int exact_depth
    int quiescence
    int selective
    int use_window_shrink
    int use_mate_in_one
    int use_correction
    int use_razoring
    int razoring_base
    int razoring_slope
    int use_futility
    int futility_depth
    int futility_margin
    int use_null_move
    int null_base
    int null_depth_divisor
    int null_eval_divisor
    int null_verification_depth
    int use_probcut
    int probcut_depth
    int probcut_margin
    int use_reduction_without_move
    int reduction_without_move_depth
    int use_move_count
    int move_count_base
    int use_history_pruning
    int history_pruning_depth
    int history_pruning_slope
    int use_quiet_futility
    int quiet_futility_depth
    int quiet_futility_base
    int quiet_futility_slope
    int use_see_pruning
    int see_depth
    int see_noisy_slope
    int see_quiet_slope
    int use_singular
    int singular_depth
    int singular_margin
    int use_check_extension
    int use_reductions
    int reduction_scale
    int reduction_base
    int reduction_cut_node
    int reduction_history_divisor
    int use_continuation
    int use_low_ply
    int use_capture_history
    int quiescence_recaptures
    int use_quiescence_futility
    int quiescence_futility
    int aspiration_depth
    int aspiration_window
    int history_limit
    int history_bonus
    int history_bonus_limit

cdef Params params_of(dict changes) except *    # the defaults with some changed; ValueError for an unknown name
