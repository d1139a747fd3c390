"""What may limit a search, and what may not do so together."""
import re
from itertools import product

import pytest

from search import Clock, Limits
from search.limits import TimeLimit
from tests.each import each


def test_a_time_and_a_clock_are_refused_together() -> None:
    clash = "movetime=300 and clock=Clock(left=(1, 2), increment=(0, 0), byoyomi=0)"
    with pytest.raises(ValueError, match=re.escape(clash)):
        Limits(movetime=300, clock=Clock((1, 2)))


@each(("before", "after"), [*product([None, 0, 300, Clock(byoyomi=5)], repeat=2)])
def test_a_time_takes_the_place_of_another_and_of_nothing_else(before: TimeLimit | None,
                                                               after: TimeLimit | None) -> None:
    limits = Limits(depth=3, nodes=4, searchmoves=("7g7f",)).with_time(before)
    assert limits.time == before
    changed = limits.with_time(after)
    assert changed.time == after
    assert (changed.depth, changed.nodes, changed.searchmoves) == (3, 4, ("7g7f",))
