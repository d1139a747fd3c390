"""The learner: fits factored weights (tables/factors.pxd) to positions that a search and a game have judged.

A position's value is linear in the weights: fixed material, plus a coefficient of 1, 2, -1 or -2 for each of the few
thousand weights that it has. `collect` lists them once for the sum and for the step. The cross-entropy of the winning
rate 1 / (1 + exp(-value / 600)) against a blend of the search's and the game's result is stepped down at every
position by AdaGrad, only where the position has weights.

Threads share the weights without locks: two that step one weight at once may lose a step, which does no harm where
positions are shuffled. With one thread the result is exactly reproducible.
"""
from engine.types cimport u32
from eval.tables.factors cimport PAIR_SETS, SETS, Kings, Pair
from eval.features cimport LISTED
from eval.tables.layout cimport SCALE

cdef enum:
    PAIRS = LISTED * (LISTED - 1) // 2

cdef struct Weight:             # side by side, for a step needs both
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
    KINGS_ROOM = KK_ROOM + P_ROOM + KP_ROOM + KP_VECTOR_ROOM + KKP_ROOM     # for Black; as much for the side to move
    ENTRIES = TEMPO_ROOM + 2 * KINGS_ROOM + PAIR_SETS * PAIR_ROOM + KPP_ROOM

cdef struct Active:             # the weights that a position has
    Entry[ENTRIES] entries      # those of a set together, in the order of the sets
    int[SETS + 1] start         # of each set, and the end

cdef struct Hyperparams:
    float blend                 # share of the search's value in the target; the game's result has the rest
    float prior                 # added to the squares: how many positions' worth a weight is held back at first
    float[SETS] rate            # of each set, in centipawns; sets that have 0 are left out altogether
