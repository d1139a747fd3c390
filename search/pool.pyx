"""The pool of workers (see pool.pxd)."""
import threading
from functools import partial

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from engine.atomic cimport relaxed_bits, relaxed_load, relaxed_store
from engine.system.block cimport give_back_memory
from engine.system.concurrency cimport Work
from engine.types cimport MATE_IN_MAX_PLY, u64
from search.tree.loops cimport Loops
from search.tree.worker cimport poll
from tt.table cimport Traffic

from engine.system.concurrency import abandon_all, outlast_all
from search.threads import start_deep, threads_that_fit
from search.threads import ThreadVote, best_thread

WORKER_MB = (sizeof(Worker) >> 20) + 1
cdef i64 NEVER = 0          # the stop flag of a worker that may not be stopped


cdef class WorkerPool:
    """The workers of a searcher's threads. During a search only the search itself may call these methods."""

    def __cinit__(self, dict params, Evaluator evaluator, int threads):
        self.params = params
        self.evaluator = evaluator
        self.deepenings = []
        self.resize(threads)

    def __dealloc__(self):
        PyMem_Free(self.workers)

    def __len__(self):
        return len(self.deepenings)

    def resize(self, int threads):
        """See Searcher.set_threads. The first worker always stays, so a failure leaves at least one."""
        cdef Worker** workers
        cdef Deepening deepening
        # The system grants more memory than it has and kills processes that touch too much.
        threads = threads_that_fit(threads, WORKER_MB, len(self.deepenings))
        del self.deepenings[threads:]       # first, so that their memory is available
        give_back_memory()
        workers = <Worker**>PyMem_Realloc(self.workers, threads * sizeof(Worker*))
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        self.workers = workers
        self.forget()
        try:
            while len(self.deepenings) < threads:
                deepening = Deepening(self.params)
                deepening.set_evaluator(self.evaluator)
                workers[len(self.deepenings)] = deepening.worker
                self.deepenings.append(deepening)
        except MemoryError:
            if not self.deepenings:
                raise
            del self.deepenings[(len(self.deepenings) + 1) // 2:]       # leave memory for the search
        self.count()
        return len(self.deepenings)

    def set_evaluator(self, Evaluator evaluator):
        self.evaluator = evaluator
        for deepening in self.deepenings:
            deepening.set_evaluator(evaluator)

    def forget(self):
        for deepening in self.deepenings:
            deepening.forget()

    def run(self, int depth, int lines, on_progress):
        """Search with all workers until the leader has finished: the leader in this thread, the others in new threads.

        The leader cannot be stopped before it has completed depth 1, and the others begin after that. So every search
        has a move with a score and a PV, whatever its limits and however busy the machine. """
        cdef Deepening leader = self.leader()
        if (self._first_iteration(leader, lines, on_progress) and depth > 1
                and not relaxed_load(leader.worker.stop)):
            self._iterations_from_2(leader, depth, lines, on_progress)
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
            worker.signals.nodes_left -= worker.nodes
            poll(worker)

    cdef _iterations_from_2(self, Deepening leader, int depth, int lines, on_progress):
        works = []
        try:
            # Helpers begin at different depths, so that they do not all do the same work.
            for number, deepening in enumerate(self.deepenings[1:], 1):
                work = Work(partial(deepening.run, 1 + number % 2, depth, 1, None))
                works.append(work)
                try:
                    start_deep(threading.Thread(target=work, daemon=True))
                except MemoryError:         # search with fewer threads
                    works.pop()
                    break
            leader.run(2, depth, lines, on_progress)
        except BaseException:               # Ctrl-C, or an exception of on_info: stop the helpers
            relaxed_store(&leader.worker.signals.stop, 1)
            abandon_all(works)
            raise
        relaxed_store(&leader.worker.signals.stop, 1)
        outlast_all(works)

    cdef Deepening leader(self):
        return self.deepenings[0]

    cdef i64 nodes(self):
        """The nodes of this search so far, of all threads."""
        cdef i64 nodes = 0
        cdef int i
        for i in range(len(self)):
            nodes += relaxed_bits(&self.workers[i].nodes)
        return nodes

    cdef Deepening chosen(self, int lines):
        """The thread whose result counts: the winner of the vote, or the leader. The leader alone has several lines,
        and it alone ends once a mate is proved to be the shortest."""
        cdef Deepening deepening
        if lines > 1 or len(self.deepenings) == 1:
            return self.leader()
        ballots = []
        for deepening in self.deepenings:
            line = deepening.lines(1)[0] if deepening.completed else None
            ballots.append(line and ThreadVote(line.pv[0], line.score, deepening.completed))
        if any(ballot and abs(ballot.score) >= MATE_IN_MAX_PLY for ballot in ballots):
            return self.leader()
        return self.deepenings[best_thread(ballots)]

    cdef count(self):
        """Copy the workers' counts to `traffic` and `loops`, which may be read while the workers go on."""
        cdef const Traffic* traffic
        cdef const Loops* loops
        cdef Deepening deepening
        cdef int cause
        causes = ("path", "age", "depth", "selection")
        self.traffic = dict.fromkeys(("stores", *causes), 0)
        self.loops = dict.fromkeys(("found", "spliced", "noted", "granted", "refused"), 0)
        for deepening in self.deepenings:
            traffic = &deepening.worker.traffic
            self.traffic["stores"] += traffic.stores
            for cause, name in enumerate(causes):
                self.traffic[name] += traffic.contradictions[cause]
            loops = &deepening.worker.loops
            self.loops["found"] += loops.found
            self.loops["spliced"] += loops.spliced
            self.loops["noted"] += loops.noted
            self.loops["granted"] += loops.granted
            self.loops["refused"] += loops.refused
