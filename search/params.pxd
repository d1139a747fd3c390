"""Every margin of the search, named and explained in params.pyx. Each worker has its own copy, so that two engines with
different margins can play each other in one process."""

cdef struct Params:
    int table
    int quiescence
    int quiescence_recaptures
    int aspiration_depth
    int aspiration_window
    int history_limit
    int history_bonus
    int history_bonus_limit
    int quiet_sort_limit

cdef Params params_of(dict changes) except *    # the defaults with some changed; ValueError for an unknown name
