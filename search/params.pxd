"""Every margin of the search, named and explained in params.pyx. Each worker has its own copy, so that two engines with
different margins can play each other in one process."""

cdef struct Params:
    int table
    int quiescence
    int quiescence_recaptures
    int futility_depth
    int futility_margin
    int null_move
    int null_move_depth
    int null_move_base
    int null_move_divisor
    int null_move_score
    int move_count_depth
    int move_count_base
    int move_count_factor
    int quiet_futility_depth
    int quiet_futility_base
    int quiet_futility_margin
    int see_depth
    int see_quiet
    int see_capture
    int reduction
    int reduction_base
    int reduction_factor
    int reduction_history
    int check_extension
    int aspiration_depth
    int aspiration_window
    int history_limit
    int history_bonus
    int history_bonus_limit
    int quiet_sort_limit

cdef Params params_of(dict changes) except *    # the defaults with some changed; ValueError for an unknown name
