"""The vote for the best thread: whose result counts when several threads (lazy SMP) have searched one position."""
from collections.abc import Sequence
from typing import NamedTuple

BASIC_WEIGHT = 20       # centipawns: what a vote weighs, besides what the thread sees above the worst of them


class ThreadVote(NamedTuple):
    """What a thread found: its best move, the score in centipawns, and the last depth that it finished."""

    move: str
    score: int
    depth: int


def best_thread(ballots: Sequence[ThreadVote | None]) -> int:
    """The number of the thread that speaks for all; None is a thread that has finished no depth. Thread 0 leads.

    The threads vote for their best moves, with a weight that grows with depth and score; of those that voted for the
    winner the deepest speaks, at equal depths the first. As long as the leader has finished nothing it decides alone,
    for then nobody has come far.
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
