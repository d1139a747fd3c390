"""The learner of the tables: fits factored weights (tables/factors.pxd) to the results of searches and games.

A position's value is linear in the weights: fixed material, plus a coefficient of 1, 2, -1 or -2 times each of its few
thousand weights. `collect` lists them once for the sum and for the step. The loss is the cross-entropy of the winning
rate 1 / (1 + exp(-value / 600)) against a blend of the search's value and the game's result. AdaGrad makes one step per
position, on that position's weights.

Threads share the weights without locks. Two threads that step the same weight at once may lose a step, which is
harmless because positions are shuffled. With one thread the result is exactly reproducible. """
from engine.types cimport u32
from eval.tables.factors cimport PAIR_SETS, SETS
from eval.features cimport LISTED

cdef enum:
    PAIRS = LISTED * (LISTED - 1) // 2

cdef struct Weight:             # side by side, because a step needs both
    float value                 # centipawns
    float squares               # sum of its squared gradients so far

cdef struct Entry:
    u32 weight
    float coefficient

cdef enum:                      # room of each set among the entries
    TEMPO_ROOM = 1
    KK_ROOM = 1
    P_ROOM = LISTED
    KP_ROOM = 2 * LISTED
    KP_VECTOR_ROOM = 2 * LISTED
    KKP_ROOM = LISTED
    PAIR_ROOM = PAIRS           # each of the three
    KPP_ROOM = 2 * PAIRS
    KINGS_ROOM = KK_ROOM + P_ROOM + KP_ROOM + KP_VECTOR_ROOM + KKP_ROOM     # for Black; as much again for the mover
    ENTRIES = TEMPO_ROOM + 2 * KINGS_ROOM + PAIR_SETS * PAIR_ROOM + KPP_ROOM

cdef struct Active:             # the weights of a position
    Entry[ENTRIES] entries      # grouped by set, in the order of the sets
    int[SETS + 1] start         # index of each set's first entry, and the end

cdef struct Hyperparams:
    float blend                 # weight of the search's value in the target; the game's result has the rest
    float prior                 # added to the squared gradients, in positions: slows the first steps
    float[SETS] rate            # learning rate of each set, in centipawns; sets with 0 are left out
