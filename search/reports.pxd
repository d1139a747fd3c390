"""What a search says: reports while it goes on, and its result."""
from engine.board cimport Position
from engine.types cimport i64
from search.pool cimport WorkerPool
from search.tree.worker cimport Rules
from tt.table cimport TranspositionTable

cdef class Reports:
    cdef Position position      # the root
    cdef TranspositionTable table
    cdef WorkerPool pool        # None until its workers count this search's nodes
    cdef Rules rules
    cdef object report_to       # called with each Info; None: nobody asks
    cdef i64 asked_at           # on the clock, in nanoseconds
    cdef tuple reported         # the nodes and the first line of the last report
    cdef dict shown             # the last line shown of each root move
    cdef decided(self, tuple by_rules)          # the Result of search.root's decided_by_rules
    cdef whole(self, list lines)                # reports lines, the best first
    cdef one(self, line, int index)             # … that at this place
    cdef found(self, list lines, int depth)     # the Result of lines searched to this depth
