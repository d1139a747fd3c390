"""Threads that a search may run in, with a stack for MAX_PLY nodes one above the other; and which speaks for all."""
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from engine.system.memory import addressable_megabytes, available_megabytes

STACK_MB = 64
STACK_TOUCHED_MB = 2        # of them, by a search
THREADS_SHARE = 2           # threads get at most half of the available memory, as a table does
ADDRESSES_KEPT_MB = 32      # for what else a search maps
# Of the main thread: on Windows a wait hears of no signal, elsewhere of none that comes just before it begins.
LONGEST_WAIT_S = 0.1
_starting = threading.Lock()


def threads_that_fit(wanted: int, worker_mb: int, held: int = 0) -> int:
    """For how many of the threads wanted there is memory, when each has a worker of so many MB besides its stack, and
    `held` of them have theirs already. The others get half of the available memory together, but the first may take
    the whole of it. MemoryError if there is not enough for one."""
    each = worker_mb + STACK_TOUCHED_MB
    available = available_megabytes()
    addresses = addressable_megabytes()
    more = available // THREADS_SHARE // each
    if not held and not more:
        more = min(available // each, 1)
    if addresses is not None:       # stacks are mapped only when a search begins
        more = min(more, (addresses - ADDRESSES_KEPT_MB - held * STACK_MB) // (worker_mb + STACK_MB))
    if held + more < 1:
        raise MemoryError(f"no memory for a search thread: it takes {each} MB, and addresses for a stack of "
                          f"{STACK_MB} MB")
    return min(wanted, held + more)


def start_deep(thread: threading.Thread) -> None:
    """Start a thread with that stack; MemoryError if the system has no more threads, or no stack for them."""
    with _starting:     # the size is the whole process's
        ordinary = threading.stack_size(STACK_MB << 20)
        try:
            thread.start()
        except RuntimeError:
            raise MemoryError(
                f"there is no room for one more thread, whose stack takes {STACK_MB} MB") from None
        finally:
            threading.stack_size(ordinary)


def wait_for_end(thread: threading.Thread) -> None:
    """Wait until a thread has ended. Handlers of signals run meanwhile."""
    while thread.is_alive():
        thread.join(LONGEST_WAIT_S)


def stall_ms(watched_ms: float) -> float:
    """For how long a thread that could run had to wait at worst, in the time given."""
    now = time.perf_counter_ns()
    end = now + int(watched_ms * 1e6)
    worst = 0
    while now < end:
        last, now = now, time.perf_counter_ns()
        worst = max(worst, now - last)
    return worst / 1e6


def usable_cores() -> int:
    """The processors that this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


BASIC_WEIGHT = 20       # centipawns: what a vote weighs, besides what the thread sees above the worst of them


class ThreadVote(NamedTuple):
    """What a thread found: its best move, the score in centipawns, and the last depth that it finished."""

    move: str
    score: int
    depth: int


def best_thread(ballots: Sequence[ThreadVote | None]) -> int:
    """The number of the thread that speaks for all; None is a thread that has finished no depth. Thread 0 leads.

    The threads of a search (lazy SMP) vote for their best moves, with a weight that grows with depth and score; of
    those that voted for the winner the deepest speaks, at equal depths the first. As long as the leader has finished
    nothing it decides alone, for then nobody has come far.
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
