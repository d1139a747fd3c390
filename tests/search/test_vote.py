"""Which thread speaks for all."""
import pytest

from search.vote import Ballot, elected


@pytest.mark.parametrize(("ballots", "number"), [
    ([Ballot("7g7f", 50, 12)], 0),
    ([Ballot("7g7f", 50, 12), Ballot("7g7f", 40, 12)], 0),                              # equal depths: the first
    ([Ballot("7g7f", 50, 12), Ballot("7g7f", 40, 13)], 1),                              # agreed: the deepest
    ([Ballot("7g7f", 50, 12), Ballot("2g2f", 50, 13)], 1),                              # the deeper weighs more
    ([Ballot("7g7f", 90, 12), Ballot("2g2f", 50, 13)], 0),                              # but less than a better score
    ([Ballot("7g7f", 50, 12), Ballot("2g2f", 45, 12), Ballot("2g2f", 45, 11)], 1),      # two against one
    ([Ballot("7g7f", 50, 12), None, Ballot("2g2f", 60, 12)], 2),                        # one has finished nothing
    ([None, Ballot("2g2f", 60, 12)], 0),                                                # the leader has not
])
def test_elected(ballots: list[Ballot | None], number: int) -> None:
    assert elected(ballots) == number
