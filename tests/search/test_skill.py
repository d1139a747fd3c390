"""Weaker levels: their choice of moves, the mistakes that they never make, and full strength, which they leave
alone."""
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine import MATE, Position
from search import MATERIAL, Info, Limits, Result, Searcher, Settings
from search.skill import ELO_PER_LEVEL, FULL_LEVEL, MAX_ELO, MIN_ELO, Skill, WeakSearch, draw, level_of_elo
from tests.each import each
from tests.references import mates

WEAKEST = Skill.of_level(0)
GAME_PLIES = 80


def report(multipv: int, score: int, move: str, reply: str = "3c3d") -> Info:
    return Info(3, 3, multipv, score, "exact", nodes=5, time_ms=1, hashfull=0, pv=(move, reply))


LINES = (report(1, 50, "7g7f"), report(2, 40, "2g2f"), report(3, -150, "9g9f"), report(4, -700, "8h7g"))


def played(position: Position, searcher: Searcher, random: Random) -> str | None:
    """The move of the lowest level."""
    assert WEAKEST
    weak = WeakSearch(WEAKEST, random)
    return weak.played(searcher.search(position, Limits(), WEAKEST.settings(Settings()), weak.hear))[0].bestmove


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(1, evaluator=MATERIAL)


def mates_at_once(position: Position) -> bool:
    def mates_by(move: str) -> bool:
        position.push(move)
        is_mate = position.is_mate()
        position.pop()
        return is_mate

    return any(mates_by(move) for move in position.legal_moves())


def hangs_mate(position: Position, move: str) -> bool:
    position.push(move)
    hangs = mates_at_once(position)
    position.pop()
    return hangs


def test_levels_look_deeper_and_lose_less_from_one_to_the_next() -> None:
    skills = [Skill.of_level(tenth / 10) for tenth in range(10 * FULL_LEVEL - 9)]
    for weaker, stronger in pairwise(skills):
        assert weaker
        assert stronger
        assert weaker.nodes <= stronger.nodes
        assert weaker.margin >= stronger.margin
        assert weaker.lines >= stronger.lines > 1
    assert len(set(skills)) == len(skills)
    assert Skill.of_level(FULL_LEVEL) is None


def test_ratings_reach_from_the_first_level_to_the_last_weak_one() -> None:
    assert level_of_elo(MIN_ELO) == 0
    assert level_of_elo(MAX_ELO) == FULL_LEVEL - 1
    assert level_of_elo(MIN_ELO + ELO_PER_LEVEL * 5 // 2) == 2.5


def test_limits_of_both_hold() -> None:
    skill = Skill(nodes=1000, margin=100, lines=8)
    assert skill.settings(Settings(draw_value=(1, 2))) == Settings(nodes_limit=1000, multi_pv=8, draw_value=(1, 2))
    assert skill.settings(Settings(nodes_limit=10, multi_pv=20)) == Settings(nodes_limit=10, multi_pv=20)
    assert skill.settings(Settings(nodes_limit=5000)).nodes_limit == 1000


def test_what_loses_much_is_drawn_seldom_and_what_loses_more_than_the_margin_never() -> None:
    random = Random(1)
    drawn = [draw(LINES, 400, random).pv[0] for _ in range(1000)]
    assert [draw(LINES, 400, again).pv[0] for again in [Random(1)] for _ in range(1000)] == drawn
    counts = Counter(drawn)
    assert set(counts) == {"7g7f", "2g2f", "9g9f"}
    assert counts["9g9f"] < counts["2g2f"] < counts["7g7f"]
    assert counts["9g9f"] > 20


@pytest.mark.parametrize(("best", "second"), [
    (MATE - 1, MATE - 2), (MATE - 3, MATE - 4), (2 - MATE, 1 - MATE), (-900, 2 - MATE),
])
def test_a_mate_is_given_and_put_off_as_long_as_can_be(best: int, second: int) -> None:
    """No mate is walked into if the lines show another move."""
    lines = (report(1, best, "7g7f"), report(2, second, "2g2f"))
    assert all(draw(lines, 3000, Random(seed)) is lines[0] for seed in range(50))


def test_the_line_played_is_reported_if_it_is_not_the_best() -> None:
    result = Result("7g7f", "8c8d", 50, depth=4, nodes=77, time_ms=9)
    for seed in range(50):
        weak = WeakSearch(Skill(100, 1000, 4), Random(seed))
        for line in LINES:
            weak.hear(line)
        weak.hear(replace(report(2, 9000, "1g1f"), bound="upper"))      # which does not say what it is worth
        changed, shown = weak.played(result)
        if shown:
            assert shown.pv[0] == changed.bestmove != "7g7f"
            assert (shown.multipv, shown.nodes, shown.time_ms) == (1, 77, 9)
            assert changed == replace(result, bestmove=shown.pv[0], ponder="3c3d")
        else:
            assert changed == result


@pytest.mark.parametrize("outcome", ["mated", "declaration"])
def test_where_there_is_no_move_nothing_is_drawn(outcome: str) -> None:
    result = Result(None, None, 0, 0, 0, 0, outcome)        # type: ignore[arg-type]
    assert WeakSearch(Skill(100, 1000, 4), Random(1)).played(result) == (result, None)


@each("sfen", mates()[1][:10])
def test_a_mate_in_one_is_seen_at_the_lowest_level(searcher: Searcher, sfen: str) -> None:
    for seed in range(3):
        searcher.clear()
        position = Position(sfen)
        move = played(position, searcher, Random(seed))
        assert move
        position.push(move)
        assert position.is_mate()


def test_no_mate_in_one_is_missed_or_allowed_without_need(searcher: Searcher) -> None:
    """In games of the lowest level against itself."""
    for seed in range(3):
        random = Random(seed)
        position = Position()
        for _ in range(GAME_PLIES):
            mating = mates_at_once(position)
            move = played(position, searcher, random)
            if move is None:
                break
            if hangs_mate(position, move):
                assert all(hangs_mate(position, other) for other in position.legal_moves()), position.sfen
            position.push(move)
            assert position.is_mate() or not mating, position.sfen
