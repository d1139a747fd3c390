"""The pool of workers (see pool.pxd)."""
import os
from contextlib import suppress
from functools import partial

from engine.atomic cimport relaxed_bits, relaxed_load, relaxed_store
from engine.board cimport Position
from engine.system.block cimport give_back_memory
from engine.system.concurrency cimport Work
from engine.types cimport u64
from search.tree.worker cimport Worker, poll

from engine.system.concurrency import abandon_all
from search.threads import KeptThread, threads_that_fit
from search.vote import ThreadVote, best_thread

cdef enum:
    LEAST_SHARE = 100_000   # nodes: with fewer a thread does not help

WORKER_MB = (sizeof(Worker) >> 20) + 1
cdef i64 NEVER = 0          # the stop flag of a worker that may not be stopped


cdef class WorkerPool:
    """The workers of a searcher's threads. During a search only the search itself may call these methods."""

    def __cinit__(self, dict params, Evaluator evaluator, int threads):
        self.params = params
        self.evaluator = evaluator
        self.deepenings = []
        self.helpers = []
        self.ballots = []
        self.resize(threads)

    def __len__(self):
        return len(self.deepenings)

    def resize(self, int threads):
        """See Searcher.set_threads. The first worker always stays, so a failure leaves at least one."""
        cdef Deepening deepening
        self.end_threads()                  # their stacks take addresses
        # The system grants more memory than it has and kills processes that touch too much.
        threads = threads_that_fit(threads, WORKER_MB, len(self.deepenings))
        del self.deepenings[threads:]       # first, so that their memory is available
        give_back_memory()
        self.forget()
        try:
            while len(self.deepenings) < threads:
                deepening = Deepening(self.params)
                deepening.set_evaluator(self.evaluator)
                self.deepenings.append(deepening)
        except MemoryError:
            if not self.deepenings:
                raise
            del self.deepenings[(len(self.deepenings) + 1) // 2:]       # leave memory for the search
        self.count()
        return len(self.deepenings)

    cdef end_threads(self):
        """End the helpers' threads; the next search makes new ones."""
        helpers, self.helpers = self.helpers, []
        if self.process == os.getpid():
            for helper in helpers:
                helper.end()

    def set_evaluator(self, Evaluator evaluator):
        self.evaluator = evaluator
        for deepening in self.deepenings:
            deepening.set_evaluator(evaluator)

    def forget(self):
        for deepening in self.deepenings:
            deepening.forget()

    cdef void join(self, Table* table, Signals* signals, const Rules* rules):
        cdef Deepening deepening
        for number, deepening in enumerate(self.deepenings):
            deepening.join(number, table, signals, rules)

    def run(self, Position position, moves, int depth, i64 node_limit, int lines, on_progress):
        """Search these root moves with all workers until the leader has finished: the leader in this thread, the others
        in their own. `node_limit` is for all together; 0: none.

        The leader cannot be stopped before it has completed depth 1, and the others begin after that. So every search
        has a move with a score and a PV, whatever its limits and however busy the machine. """
        cdef Deepening leader = self.leader()
        cdef int threads
        leader.set_root(position, moves)
        if self._first_iteration(leader, lines, on_progress):
            threads = self.share(node_limit, lines)
            poll(leader.worker)
            if depth > 1 and not relaxed_load(leader.worker.stop):
                self._iterations_from_2(leader, threads, partial(Deepening.help, position=position, moves=moves),
                                        depth, lines, on_progress)
        self.count()

    cdef bint _first_iteration(self, Deepening leader, int lines, on_progress) except -1:
        """Search depth 1 in the leader, without stops. True if the search may go on."""
        cdef Worker* worker = leader.worker
        worker.stop = &NEVER
        worker.next_poll = <u64>-1
        try:
            return leader.run(1, 1, lines, on_progress)
        finally:
            worker.stop = &worker.signals.stop

    cdef int share(self, i64 node_limit, int lines):
        """Share the nodes left of the limit equally among the threads, and return the number of threads that take part.
        With several lines only the leader takes part, because only it finds them. In a short search fewer threads take
        part, so that each has at least LEAST_SHARE nodes: a helper's nodes are missing in the leader."""
        cdef Deepening leader = self.leader()
        cdef Deepening helper
        cdef i64 left = max(0, node_limit - <i64>leader.worker.nodes)
        cdef int threads = len(self)
        if node_limit:
            threads = 1 if lines > 1 else max(1, min(<i64>threads, left // LEAST_SHARE))
            for helper in self.deepenings[1:]:
                helper.worker.node_limit = left // threads
            leader.worker.node_limit = leader.worker.nodes + left - left // threads * (threads - 1)
        return threads

    cdef list wake(self, int count):
        """Up to `count` of the helpers' threads; fewer if the system refuses one."""
        if self.process != os.getpid():
            self.helpers = []
            self.process = os.getpid()
        with suppress(MemoryError):
            while len(self.helpers) < count:
                self.helpers.append(KeptThread())
        return self.helpers[:count]

    cdef _iterations_from_2(self, Deepening leader, int threads, help, int depth, int lines, on_progress):
        cdef Work work
        works = []
        try:
            for number, thread in enumerate(self.wake(threads - 1), 1):
                # Every other thread begins a ply deeper, so that they do not all do the same work.
                work = Work(partial(help, self.deepenings[number], first_depth=2 + number % 2, last_depth=depth))
                works.append(work)
                thread.call(work)
            leader.run(2, depth, lines, on_progress)
            if leader.worker.nodes >= leader.worker.node_limit:
                for work in works:          # the helpers have as many nodes, and may still be waiting for a core
                    work.wait()
        finally:
            relaxed_store(&leader.worker.signals.stop, 1)
            abandon_all(works)

    cdef Deepening leader(self):
        return self.deepenings[0]

    cdef i64 nodes(self):
        """The nodes of this search so far, of all threads."""
        cdef i64 nodes = 0
        cdef Deepening deepening
        for deepening in self.deepenings:
            nodes += relaxed_bits(&deepening.worker.nodes)
        return nodes

    cdef Deepening chosen(self, int lines):
        """The thread whose result counts: the winner of the vote, or the leader, which alone has several lines."""
        cdef Deepening deepening
        self.ballots = []
        for deepening in self.deepenings:
            best = next(iter(deepening.ranked()), None)
            self.ballots.append(ThreadVote(best.pv[0], best.score, deepening.completed) if best is not None else None)
        return self.leader() if lines > 1 else self.deepenings[best_thread(self.ballots)]

    cdef count(self):
        """Copy the workers' counts to `traffic`, which may be read while the workers go on."""
        cdef u64 stores = 0
        cdef u64 contradictions = 0
        cdef Deepening deepening
        for deepening in self.deepenings:
            stores += relaxed_bits(&deepening.worker.traffic.stores)
            contradictions += relaxed_bits(&deepening.worker.traffic.contradictions)
        self.traffic = {"stores": stores, "contradictions": contradictions}
