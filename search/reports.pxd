"""The reports and the result of a search."""
from engine.board cimport Position
from engine.types cimport i64
from search.pool cimport WorkerPool
from search.tree.worker cimport Rules
from tt.table cimport TranspositionTable

cdef class Reports:
    cdef Position position      # the root
    cdef TranspositionTable table
    cdef WorkerPool pool        # None until this search has begun to count nodes
    cdef Rules rules
    cdef object report_to       # called with each Info; None: no reports
    cdef i64 asked_at           # in nanoseconds, as monotonic_ns
    cdef tuple reported         # nodes and best PV of the last report
    cdef dict shown             # by root move: the PV last shown
    cdef decided(self, tuple by_rules)          # the Result of a position that the rules decide
    cdef whole(self, list lines)                # report all lines, the best first
    cdef one(self, line, int index)             # report the line at this index
    cdef found(self, list lines, int depth)     # the Result of a search to this depth
