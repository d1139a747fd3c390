"""Search threads: their stack, deep enough for MAX_PLY plies, their number, and the vote on the best move."""
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from engine.system.memory import addressable_megabytes, available_megabytes

STACK_MB = 64
STACK_TOUCHED_MB = 2        # of that, used by a search
THREADS_SHARE = 2           # threads get at most 1 / this of the available memory, as a table does
ADDRESSES_KEPT_MB = 32      # of addresses, for everything else
# Of the main thread. On Windows signals do not interrupt waits; elsewhere one just before the wait does not.
LONGEST_WAIT_S = 0.1
_starting = threading.Lock()


def threads_that_fit(wanted: int, worker_mb: int, held: int = 0) -> int:
    """The number of threads, at most `wanted`, that memory allows. Each takes `worker_mb` and its stack; `held` of them
    already have theirs. New threads may take half of the available memory together, a first one all of it. Raises
    MemoryError if there is not enough for one."""
    each = worker_mb + STACK_TOUCHED_MB
    available = available_megabytes()
    addresses = addressable_megabytes()
    more = available // THREADS_SHARE // each
    if not held and not more:
        more = min(available // each, 1)
    if addresses is not None:       # stacks are not yet mapped: that happens when a search begins
        more = min(more, (addresses - ADDRESSES_KEPT_MB - held * STACK_MB) // (worker_mb + STACK_MB))
    if held + more < 1:
        raise MemoryError(f"no memory for a search thread: it takes {each} MB, and addresses for a stack of "
                          f"{STACK_MB} MB")
    return min(wanted, held + more)


def start_deep(thread: threading.Thread) -> None:
    """Start a thread with a stack of STACK_MB. Raises MemoryError if the system refuses another thread or stack."""
    with _starting:     # the stack size is a setting of the process
        ordinary = threading.stack_size(STACK_MB << 20)
        try:
            thread.start()
        except RuntimeError:
            raise MemoryError(
                f"there is no room for one more thread, whose stack takes {STACK_MB} MB") from None
        finally:
            threading.stack_size(ordinary)


def wait_for_end(thread: threading.Thread) -> None:
    """Wait until a thread has ended; signal handlers run meanwhile."""
    while thread.is_alive():
        thread.join(LONGEST_WAIT_S)


def stall_ms(watched_ms: float) -> float:
    """The longest wait of this runnable thread for the processor, in ms, during `watched_ms`."""
    now = time.perf_counter_ns()
    end = now + int(watched_ms * 1e6)
    worst = 0
    while now < end:
        last, now = now, time.perf_counter_ns()
        worst = max(worst, now - last)
    return worst / 1e6


def usable_cores() -> int:
    """The number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


BASIC_WEIGHT = 20       # of a vote, in centipawns; the score above the lowest one is added


class ThreadVote(NamedTuple):
    """A thread's vote: its best move, the score in centipawns, and its last completed depth."""

    move: str
    score: int
    depth: int


def best_thread(ballots: Sequence[ThreadVote | None]) -> int:
    """The number of the thread whose result counts. Thread 0 is the leader; None marks a thread without a completed
    depth.

    The threads of a search (lazy SMP) vote for their best moves, weighted by depth and score. Of the threads that voted
    for the winning move the deepest counts, the first of equal ones. A leader without a completed depth decides alone,
    because then no thread has got far.
    """
    cast = [(number, ballot) for number, ballot in enumerate(ballots) if ballot is not None]
    if ballots[0] is None:
        return 0
    lowest = min(ballot.score for _, ballot in cast)
    votes: dict[str, int] = {}
    for _, ballot in cast:
        votes[ballot.move] = votes.get(ballot.move, 0) + (ballot.score - lowest + BASIC_WEIGHT) * ballot.depth
    winner = max(votes, key=lambda move: votes[move])
    number, _ = max(((number, ballot) for number, ballot in cast if ballot.move == winner),
                    key=lambda voter: (voter[1].depth, -voter[0]))
    return number
