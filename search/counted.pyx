# distutils: define_macros=GAKUSHI_COUNTING=1
"""The search compiled once more, with COUNTING on (see counting.pxd)."""
from libc.string cimport memset

from engine.board cimport Position
from eval.tables cimport EvalTables
from search.counting cimport HAND_LEFT_OUT, LOW_BITS_CORRELATED, NO_FLAW
from search.deepening cimport Deepening
from tt.statistics cimport HashStatistics
from tt.table cimport TranspositionTable

from engine.board import RULES

include "qsearch.pyx"
include "alphabeta.pyx"

FLAWS = {None: NO_FLAW, "hand": HAND_LEFT_OUT, "low-bits": LOW_BITS_CORRELATED}


cdef class CountedDeepening(Deepening):
    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil:
        return search(self.worker, alpha, beta, depth, 0, False)


def searched_counts(positions, int depth, TranspositionTable table not None, flaw=None, EvalTables tables=None):
    """Search each position to `depth`, in one thread and with one table, and return what `HashStatistics` counted.

    The table has to be empty. `flaw` breaks the keys on purpose: "hand" leaves out the pawns in hand, with "low-bits"
    the low bits repeat the high ones; ValueError for another. Evaluated is by `tables`, or by material alone.
    """
    cdef HashStatistics statistics = HashStatistics(table)
    cdef CountedDeepening deepening = CountedDeepening()
    cdef Worker* worker = deepening.worker
    cdef Signals signals
    cdef Census census
    cdef Position position
    if flaw not in FLAWS:
        raise ValueError(f"{flaw!r} is not a flaw; use one of {', '.join(filter(None, FLAWS))}")
    census.statistics = &statistics.statistics
    census.flaw = FLAWS[flaw]
    memset(&signals, 0, sizeof(Signals))
    deepening.set_tables(tables)
    worker.census = &census
    worker.signals = &signals
    worker.table = &table.table
    worker.crew = &worker
    worker.crew_size = 1
    worker.rules.entering_king = RULES["CSARule27"]
    for position in positions:
        table.new_search()
        deepening.set_root(position, [position.legal_move(usi) for usi in position.legal_moves()])
        deepening.run(1, depth, 1, None)
    return statistics.counts()
