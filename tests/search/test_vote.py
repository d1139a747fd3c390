"""The vote of a search's threads."""
from engine import MATE
from search.vote import ThreadVote, best_thread
from tests.each import each


@each(("ballots", "number"), [
    ([ThreadVote("7g7f", 50, 12)], 0),
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 12)], 0),                      # equal depths: the first
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 13)], 1),                      # agreed: the deepest
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 50, 13)], 1),                      # the deeper weighs more
    ([ThreadVote("7g7f", 90, 12), ThreadVote("2g2f", 50, 13)], 0),                      # but less than a better score
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 45, 12), ThreadVote("2g2f", 45, 11)], 1),  # two against one
    ([ThreadVote("7g7f", 50, 12), None, ThreadVote("2g2f", 60, 12)], 2),                # one has found nothing
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 900, 0)], 0),                      # or finished nothing
    ([None, ThreadVote("2g2f", 60, 12)], 0),                                            # the leader has not
])
def test_elected(ballots: list[ThreadVote | None], number: int) -> None:
    assert best_thread(ballots) == number


WON, WON_SOONER, LOST, LOST_SOONER = MATE - 7, MATE - 5, -MATE + 6, -MATE + 4


@each(("scores", "number"), [
    ([100, WON], 1), ([WON, 100], 0), ([WON, WON_SOONER], 1), ([WON, WON_SOONER, WON_SOONER], 1), ([WON, WON], 0),
    ([LOST, WON], 1), ([100, 100, WON, 100], 2),        # however many others there are
    ([LOST, 100], 1), ([100, LOST], 0), ([100, LOST, LOST, LOST], 0),
    ([LOST, LOST], 0), ([LOST_SOONER, LOST], 0),        # nothing to choose: the leader
])
def test_a_proved_mate_decides_and_a_lost_thread_does_not_vote(scores: list[int], number: int) -> None:
    """At whatever depth, also before a thread has completed one."""
    for depths in ([12] * len(scores), range(len(scores), 0, -1)):
        ballots = [ThreadVote(f"move {thread}", score, depth)
                   for thread, (score, depth) in enumerate(zip(scores, depths, strict=True))]
        assert best_thread(ballots) == number
    assert best_thread([ThreadVote("7g7f", 100, 1), ThreadVote("2g2f", WON, 0)]) == 1
