"""The pool of workers (see pool.pxd)."""
import threading

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from engine.atomic cimport relaxed_bits, relaxed_load, relaxed_store
from engine.system.block cimport give_back_memory
from engine.types cimport MATE_IN_MAX_PLY, i64, u64
from search.worker cimport Worker, poll
from tt.table cimport Traffic

from search.threads import start_deep, threads_that_fit
from search.vote import ThreadVote, best_thread

WORKER_MB = (sizeof(Worker) >> 20) + 1
cdef i64 NEVER = 0          # where a worker looks for a stop while it may not be stopped


cdef class WorkerPool:
    """The threads' workers. Nothing here may be called during a search, but by the search itself."""

    def __cinit__(self, dict params, Evaluator evaluator, int threads):
        self.params = params
        self.evaluator = evaluator
        self.resize(threads)

    def __dealloc__(self):
        PyMem_Free(self.workers)

    def __len__(self):
        return len(self.deepenings)

    def resize(self, int threads):
        """As Searcher.set_threads."""
        cdef Worker** workers
        cdef int index
        if threads < 1:
            raise ValueError(f"{threads} threads cannot search; give 1 or more")
        # Memory is promised freely, and who touches more than there is gets killed.
        threads = threads_that_fit(threads, WORKER_MB, len(self.deepenings) if self.deepenings else 0)
        workers = <Worker**>PyMem_Realloc(self.workers, threads * sizeof(Worker*))
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        self.workers = workers
        self.deepenings = []    # first, so that its memory can be had again
        give_back_memory()
        try:
            for _ in range(threads):
                self.deepenings.append(Deepening(self.params))
        except MemoryError:
            if not self.deepenings:
                raise
            del self.deepenings[(len(self.deepenings) + 1) // 2:]       # the search needs some as well
        for deepening in self.deepenings:
            deepening.set_evaluator(self.evaluator)
        for index in range(len(self.deepenings)):
            workers[index] = (<Deepening>self.deepenings[index]).worker
        return len(self.deepenings)

    def set_evaluator(self, Evaluator evaluator):
        self.evaluator = evaluator
        for deepening in self.deepenings:
            deepening.set_evaluator(evaluator)

    def forget(self):
        for deepening in self.deepenings:
            deepening.forget()

    def run(self, int depth, int lines, on_progress):
        """Let all workers search, the leader in this thread and the others in threads of their own, until the leader
        has finished.

        Nothing can stop the leader before it has finished depth 1, and the others begin only then: so every search has
        a move with a score and a line, whatever its limits are and however busy the machine is.
        """
        cdef Deepening leader = self.leader()
        if (self._first_iteration(leader, lines, on_progress) and depth > 1
                and not relaxed_load(leader.worker.stop)):
            self._iterations_from_2(leader, depth, lines, on_progress)

    cdef bint _first_iteration(self, Deepening leader, int lines, on_progress) except -1:
        """Whether the search may go on."""
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
        started = []
        # The helpers begin at different depths, so that they do not all do the same work.
        for number, deepening in enumerate(self.deepenings[1:], 1):
            thread = threading.Thread(target=deepening.run, args=(1 + number % 2, depth, 1, None), daemon=True)
            try:
                start_deep(thread)
            except MemoryError:         # fewer will do
                break
            started.append(thread)
        try:
            leader.run(2, depth, lines, on_progress)
        finally:
            relaxed_store(&leader.worker.signals.stop, 1)
            for thread in started:
                thread.join()

    cdef Deepening leader(self):
        return self.deepenings[0]

    cdef i64 nodes(self):
        """Counted in this search so far, by all."""
        cdef i64 nodes = 0
        cdef int i
        for i in range(len(self)):
            nodes += relaxed_bits(&self.workers[i].nodes)
        return nodes

    cdef Deepening chosen(self, int lines):
        """The thread whose result counts. Only the leader knows several lines, and only it ends when it has proved a
        mate the shortest."""
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

    @property
    def traffic(self):
        """As Searcher.traffic."""
        cdef const Traffic* traffic
        cdef int index, cause
        causes = ("path", "age", "depth", "selection")
        sums = dict.fromkeys(("stores", *causes), 0)
        for index in range(len(self.deepenings)):
            traffic = &self.workers[index].traffic
            sums["stores"] += traffic.stores
            for cause, name in enumerate(causes):
                sums[name] += traffic.contradictions[cause]
        return sums

    @property
    def loops(self):
        """As Searcher.loops."""
        cdef int index
        sums = dict.fromkeys(("found", "spliced", "noted", "granted", "refused"), 0)
        for index in range(len(self.deepenings)):
            sums["found"] += self.workers[index].loops.found
            sums["spliced"] += self.workers[index].loops.spliced
            sums["noted"] += self.workers[index].loops.noted
            sums["granted"] += self.workers[index].loops.granted
            sums["refused"] += self.workers[index].loops.refused
        return sums
