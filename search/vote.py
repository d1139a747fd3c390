"""The vote of a search's threads on the best move."""
from collections.abc import Sequence
from typing import NamedTuple

from engine import MATE_IN_MAX_PLY

BASIC_WEIGHT = 20       # weight of every vote, in centipawns; how far its score exceeds the lowest score is added


class ThreadVote(NamedTuple):
    """A thread's vote: its best move, the score in centipawns, and its last completed depth."""

    move: str
    score: int
    depth: int


def best_thread(ballots: Sequence[ThreadVote | None]) -> int:
    """The number of the thread whose result counts. Thread 0 is the leader; None marks a thread without a result.

    The shortest proved mate wins. A thread that found itself mated does not vote, unless all did; then the leader
    counts. The other threads (lazy SMP) vote for their best moves, weighted by depth and score. Of the threads that
    voted for the winning move the deepest counts, the first of equal ones. If the leader has completed no depth, it
    decides alone, because then no thread has got far.
    """
    cast = [(number, ballot) for number, ballot in enumerate(ballots)
            if ballot is not None and ballot.score > -MATE_IN_MAX_PLY]
    number, first = max(cast, key=lambda voter: voter[1].score, default=(0, None))
    if first is None or first.score >= MATE_IN_MAX_PLY:
        return number
    cast = [(number, ballot) for number, ballot in cast if ballot.depth]
    if ballots[0] is None or not ballots[0].depth or not cast:
        return 0
    lowest = min(ballot.score for _, ballot in cast)
    votes: dict[str, int] = {}
    for _, ballot in cast:
        votes[ballot.move] = votes.get(ballot.move, 0) + (ballot.score - lowest + BASIC_WEIGHT) * ballot.depth
    winner = max(votes, key=lambda move: votes[move])
    number, _ = max(((number, ballot) for number, ballot in cast if ballot.move == winner),
                    key=lambda voter: (voter[1].depth, -voter[0]))
    return number
