"""Reports and results (see reports.pxd)."""
from engine.system.monotonic cimport monotonic_ns
from engine.types cimport MATE, MATE_IN_MAX_PLY
from search.tree.pv cimport fill_line

from search.limits import Info, Result
from search.timeman import MILLISECOND


cdef class Reports:
    def __cinit__(self):
        self.reported = (0, None)
        self.shown = {}

    cdef decided(self, tuple by_rules):
        bestmove, score, depth, outcome = by_rules
        if bestmove is not None and self.report_to is not None:
            self.report_to(Info(depth, depth, 1, score, "exact", 0, elapsed_ms(self), 0, (bestmove,)))
        return Result(bestmove, None, score, depth, 0, elapsed_ms(self), outcome, "exact")

    cdef whole(self, list lines):
        cdef int index
        for index, line in enumerate(lines):
            self.one(line, index)
        self.reported = (nodes(self), lines[0].pv)

    cdef one(self, line, int index):
        if self.report_to is not None:
            self.report_to(Info(line.depth, line.seldepth, index + 1, line.score, line.bound, nodes(self),
                                elapsed_ms(self), self.table.hashfull, shown(self, line)))

    cdef found(self, list lines, int depth):
        line = lines[0]
        if (nodes(self), line.pv) != self.reported:     # the last report must cover the whole search
            self.whole(lines)
        pv = shown(self, line)
        return Result(line.pv[0], pv[1] if len(pv) > 1 else None, line.score, depth, nodes(self), elapsed_ms(self),
                      "move", line.bound)


cdef i64 nodes(Reports reports):
    return reports.pool.nodes() if reports.pool is not None else 0


cdef i64 elapsed_ms(Reports reports):
    return max(monotonic_ns() - reports.asked_at, 0) // <i64>MILLISECOND


cdef tuple shown(Reports reports, line):
    """The PV to show: extended by earlier PVs and the table's moves, up to the mate or to the depth of its
    iteration."""
    cdef int plies = MATE - abs(line.score) if abs(line.score) >= MATE_IN_MAX_PLY else max(line.depth, 2)
    pv = fill_line(reports.position, line.pv, reports.shown.get(line.pv[0], ()), plies, &reports.table.table,
                   &reports.rules)
    reports.shown[line.pv[0]] = pv
    return pv
