"""Which thread speaks for all."""
from search.threads import ThreadVote, best_thread
from tests.each import each


@each(("ballots", "number"), [
    ([ThreadVote("7g7f", 50, 12)], 0),
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 12)], 0),                      # equal depths: the first
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 13)], 1),                      # agreed: the deepest
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 50, 13)], 1),                      # the deeper weighs more
    ([ThreadVote("7g7f", 90, 12), ThreadVote("2g2f", 50, 13)], 0),                      # but less than a better score
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 45, 12), ThreadVote("2g2f", 45, 11)], 1),  # two against one
    ([ThreadVote("7g7f", 50, 12), None, ThreadVote("2g2f", 60, 12)], 2),                # one has finished nothing
    ([None, ThreadVote("2g2f", 60, 12)], 0),                                            # the leader has not
])
def test_elected(ballots: list[ThreadVote | None], number: int) -> None:
    assert best_thread(ballots) == number
