# distutils: define_macros=GAKUSHI_INSTRUMENTED=1
"""The search compiled once more, with INSTRUMENTED on (see instrumentation.pxd)."""
from libc.string cimport memset

from engine.board cimport Position
from engine.rules cimport CSA_27
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.tree.instrumentation cimport HAND_LEFT_OUT, LOW_BITS_CORRELATED, NO_FAULT, Instruments
from search.tree.worker cimport Rules, Signals, Worker
from tt.statistics.counts cimport HashStatistics
from tt.table cimport TranspositionTable

from engine.errors import Listed, UserError, whole

include "tree/qsearch.pyx"
include "tree/alphabeta.pyx"

cdef enum:
    LAST_DEPTH = MAX_PLY - 1

COUNTING = "this table is in use by a search that counts: wait until that is done"
INJECTED_FAULTS = {None: NO_FAULT, "hand": HAND_LEFT_OUT, "low-bits": LOW_BITS_CORRELATED}


cdef class InstrumentedDeepening(Deepening):
    cdef int search_root(self, int alpha, int beta, int depth) noexcept nogil:
        return alpha_beta(self.worker, alpha, beta, depth, 0, False)


def instrumented_counts(positions, depth, TranspositionTable table not None, injected_fault=None,
                        Evaluator evaluator=None):
    """Search each position to `depth` with one thread and one table, and return the counts of `HashStatistics`.

    The table must be empty. `injected_fault` breaks the keys on purpose: "hand" leaves out the pawns in hand,
    "low-bits" repeats the high bits in the low ones. Raises UserError for any other. Without an `evaluator`, evaluates
    by material. """
    cdef HashStatistics statistics
    cdef InstrumentedDeepening deepening = InstrumentedDeepening()
    cdef Signals signals
    cdef Rules rules
    cdef Instruments instruments
    cdef Position position
    if injected_fault not in INJECTED_FAULTS:
        raise UserError("{name!r} is no fault to inject; use one of {names}",
                        name=injected_fault, names=Listed(filter(None, INJECTED_FAULTS)))
    cdef int last = whole("depth", depth, 1, LAST_DEPTH)
    table.guard.take(COUNTING)
    try:
        statistics = HashStatistics(table)
        instruments.statistics = &statistics.statistics
        instruments.injected_fault = INJECTED_FAULTS[injected_fault]
        memset(&signals, 0, sizeof(Signals))
        memset(&rules, 0, sizeof(Rules))
        rules.entering_king = CSA_27
        deepening.set_evaluator(evaluator or Evaluator())
        deepening.worker.instruments = &instruments
        deepening.join(0, &table.table, &signals, &rules)
        for position in positions:
            table.next_search()
            deepening.set_root(position, [position.legal_move(usi) for usi in position.legal_moves()])
            deepening.run(1, last, 1, None)
        return statistics.counts()
    finally:
        table.guard.leave()
