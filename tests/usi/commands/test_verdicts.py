"""Deeper looks at doubtful moves: which are taken, how deep they go, and when they end."""
import time
from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.records.record import GameRecord
from search import Limits
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.analyze.report import as_json, commented, own_comment, page_node, rows, summary
from usi.commands.analyze.verdicts import MOST_NODES, Effort, look_again

MOVES = ["7g7f", "3c3d", "2g2f", "8c8d"]

BEST = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"]     # of each position: the game's moves

FIRST = Limits(nodes=1000)


class Scores:
    """A search with given scores: for each look at a position, and for searches of its other moves."""

    def __init__(self, scores: Mapping[int, list[int]], best: Mapping[int, str] | None = None,
                 second: int = 0) -> None:
        """`scores` has the scores for the side to move, by ply and look. The last one holds for deeper looks; other
        plies have 0."""
        self._scores = scores
        self._best = best or {}
        self._second = second
        self.searched: list[tuple[int, int | None, bool]] = []      # ply, nodes, whether only some moves were searched

    def found(self, ply: int, look: int, nodes: int) -> Assessment:
        scores = self._scores.get(ply, [0])
        score = scores[min(look, len(scores) - 1)]
        best = Candidate(score, (self._best.get(ply, BEST[ply]),))
        return Assessment(ply, "", ply % 2, score, 9, 9, nodes, 10, (best,))

    def __call__(self, ply: int, limits: Limits) -> Assessment:
        self.searched.append((ply, limits.nodes, bool(limits.searchmoves)))
        look = [number for number, nodes, others in self.searched if number == ply and not others]
        if limits.searchmoves:
            return Assessment(ply, "", ply % 2, self._second, 9, 9, 1, 10, (Candidate(self._second, ("1g1f",)),))
        return self.found(ply, len(look), limits.nodes or 0)

    def analysis(self, nodes: int = 1000) -> Analysis:
        """The first looks."""
        analysis = Analysis(GameRecord(moves=MOVES))
        for ply in range(len(MOVES) + 1):
            analysis = analysis.plus(self.found(ply, 0, nodes))
        return analysis


def move_2_loses(*by_look: int) -> dict[int, list[int]]:
    """Scores by which move 2 costs White this many centipawns by each look, and later moves nothing."""
    return {ply: [lost if ply % 2 == 0 else -lost for lost in by_look] for ply in (2, 3, 4)}


def judged(search: Scores, effort: Effort) -> Analysis:
    analysis = search.analysis(effort.first.nodes or 1000)
    for found in look_again(analysis, search, effort, {}):
        analysis = analysis.plus(found)
    return analysis


def marks(analysis: Analysis) -> list[str | None]:
    return [judgement.mark.symbol if judgement.mark else None for judgement in analysis.judgements]


def deeper(search: Scores) -> list[tuple[int, int | None]]:
    return [(ply, nodes) for ply, nodes, others in search.searched if not others]


def test_a_mark_that_two_looks_agree_on_stands() -> None:
    """Both positions around the move are searched once more, and no others."""
    search = Scores(move_2_loses(300), {1: "8c8d"})
    analysis = judged(search, Effort(FIRST))
    assert marks(analysis) == [None, "?", None, None]
    assert deeper(search) == [(1, 10_000), (2, 10_000)]
    assert analysis.judgements[1].nodes == 10_000


def test_a_mark_that_a_deeper_look_takes_back_is_looked_at_until_it_stands() -> None:
    search = Scores(move_2_loses(400, 0), {1: "8c8d"})
    assert marks(judged(search, Effort(FIRST))) == [None] * 4
    assert deeper(search) == [(1, 10_000), (2, 10_000), (1, 100_000), (2, 100_000)]


def test_a_mark_close_to_its_limit_is_looked_at_once_more() -> None:
    search = Scores(move_2_loses(230), {1: "8c8d"})         # 9.5 %; a mistake costs 10
    assert marks(judged(search, Effort(FIRST)))[1] == "?!"
    assert (2, 100_000) in deeper(search)


def test_a_mistake_that_only_the_deeper_look_finds_gets_its_mark() -> None:
    """The first search of the position before the move calls it best; the first search after it scores it lower."""
    class Changing(Scores):
        def found(self, ply: int, look: int, nodes: int) -> Assessment:
            self._best = {1: "8c8d" if look else "3c3d"}
            return super().found(ply, look, nodes)

    search = Changing(move_2_loses(60, 600))
    assert marks(search.analysis())[1] is None
    assert marks(judged(search, Effort(FIRST)))[1] == "??"


def test_what_costs_little_is_not_looked_at_again() -> None:
    search = Scores(move_2_loses(30), {1: "8c8d"})
    judged(search, Effort(FIRST))
    assert deeper(search) == []


def test_no_look_goes_beyond_the_most_nodes_unless_time_was_given() -> None:
    search = Scores(move_2_loses(400, 0, 400, 0, 400), {1: "8c8d"})
    judged(search, Effort(Limits(nodes=MOST_NODES // 100)))
    assert max(nodes or 0 for _ply, nodes in deeper(search)) == MOST_NODES
    search = Scores(move_2_loses(400, 0, 400, 0, 400), {1: "8c8d"})
    judged(search, Effort(Limits(nodes=MOST_NODES)))
    assert deeper(search) == []


class Machine(Scores):
    """A search at `speed` nodes a second by a clock of its own, which ends in time."""

    def __init__(self, clock: pytest.MonkeyPatch, speed: float, scores: Mapping[int, list[int]]) -> None:
        super().__init__(scores, {1: "8c8d", 3: "4a3b"})
        self.now, self.speed = 0.0, speed
        clock.setattr(time, "monotonic", lambda: self.now)

    def __call__(self, ply: int, limits: Limits) -> Assessment:
        seconds = min((limits.nodes or 10**12) / self.speed, (limits.movetime or 10**12) / 1000)
        self.now += seconds
        return replace(super().__call__(ply, limits), nodes=round(self.speed * seconds), time_ms=round(1000 * seconds))

    def first_looks(self, effort: Effort) -> Analysis:
        analysis = Analysis(GameRecord(moves=MOVES))
        for left in range(5, 0, -1):
            limits = effort.first_look(left)
            self.now += 2 * (limits.movetime or 0) / 1000        # as long for a mate
            found = self.found(5 - left, 0, round(self.speed * (limits.movetime or 0) / 1000))
            analysis = analysis.plus(replace(found, time_ms=limits.movetime or 0))
        return analysis


def test_time_that_was_given_is_spent_and_no_look_ends_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Machine(monkeypatch, 100_000, move_2_loses(300))
    judged(search, Effort(FIRST, deadline=60, is_given=True))
    assert 1_000_000 in {nodes for _ply, nodes in deeper(search)}
    assert 20 < search.now <= 60


DOUBTS: Mapping[int, list[int]] = {2: [400, 0, 400, 0], 3: [-400, 0, -400, 0], 4: [900, 200, 900, 200]}


@pytest.mark.parametrize("speed", [800_000, 80_000, 8000])
@pytest.mark.parametrize("later", [1, 0.1, 0.01])
@pytest.mark.parametrize("minutes", [None, 0.01, 0.3])
def test_a_game_takes_the_time_that_it_has_however_slow_the_machine_becomes(
        monkeypatch: pytest.MonkeyPatch, speed: float, later: float, minutes: float | None) -> None:
    """`later` is the factor by which deeper looks are slower than first ones. By default the time is four times what
    first looks may take."""
    machine = Machine(monkeypatch, speed, DOUBTS)
    effort = Effort.of_game(Limits(movetime=250), 5, minutes)
    analysis = machine.first_looks(effort)
    assert len(analysis.looks) == 5
    machine.speed *= later
    for found in look_again(analysis, machine, effort, {}):
        last = analysis.looks_at(found.ply)[-1]
        assert found.look == last.look or found.nodes >= 2 * last.nodes
        analysis = analysis.plus(found)
    given = 5 if minutes is None else 60 * minutes
    assert machine.now <= given
    if later == 1 and minutes != 0.01:
        assert any(len(looks) > 1 for looks in analysis.looks)
        assert machine.now > given / 4


def test_a_look_for_which_there_is_no_pair_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its mark would stay as it is: a move is judged by looks of the same depth before and after it."""
    search = Machine(monkeypatch, 100_000, move_2_loses(300))
    judged(search, Effort(FIRST, deadline=0.03))        # for one look twice as long as the first, of 10 ms
    assert deeper(search) == []
    judged(search, Effort(FIRST, deadline=0.1))         # for two that are shorter than a deeper look should be
    assert [ply for ply, _nodes in deeper(search)] == [1, 2]
    assert 0.09 < search.now <= 0.1


def test_time_in_which_others_have_the_engine_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    effort = Effort.of_game(Limits(movetime=250), 121)
    assert effort.left == 121
    effort.postpone(7)
    assert effort.left == 128
    without = Effort.of_game(FIRST, 121)
    without.postpone(7)
    assert without.left is None
    assert without.first_look(121) == FIRST


def test_what_may_or_may_not_be_a_mistake_is_looked_at_before_a_plain_blunder() -> None:
    """So the mistake is found even if the time ends before all doubtful moves are searched. Move 2 costs 29 %, move 4
    about 7 %."""
    search = Scores({2: [800], 3: [-800], 4: [1100]}, {1: "8c8d", 3: "4a3b"})
    assert marks(judged(search, Effort(FIRST))) == [None, "??", None, "?!"]
    assert [ply for ply, _nodes in deeper(search)][:4] == [3, 4, 1, 2]


def test_a_first_look_of_no_time_is_no_obstacle() -> None:
    found = Assessment(0, "", 0, 0, 1, 1, 5, 0, (Candidate(0, ("7g7f",)),))
    soon = Effort(FIRST, deadline=time.monotonic() + 60)
    for limits, nodes in ((soon.limits(found), 10_000), (soon.same(found), 5)):
        assert limits is not None
        assert limits.nodes == nodes
        assert 0 < (limits.movetime or 0) <= 60_000      # what is left
    assert Effort(FIRST, deadline=time.monotonic() - 1).same(found) is None


def test_looks_that_are_known_are_not_searched_again() -> None:
    search = Scores(move_2_loses(300), {1: "8c8d"})
    known = {(found.ply, found.look): found for found in look_again(search.analysis(), search, Effort(FIRST), {})}
    analysis = search.analysis()
    for found in known.values():
        if not found.look:
            analysis = analysis.plus(found)
    search.searched.clear()
    again = list(look_again(analysis, search, Effort(FIRST), known))
    assert again == [found for found in known.values() if found.look]
    assert search.searched == []


def test_a_depth_is_deepened_by_nodes() -> None:
    search = Scores(move_2_loses(300), {1: "8c8d"})
    judged(search, Effort(Limits(depth=3)))
    assert deeper(search)[0] == (1, 10_000)


@pytest.mark.parametrize(("second", "is_only"), [(-1000, True), (-100, False)])
def test_the_only_move_that_holds(second: int, is_only: bool) -> None:
    """It is confirmed by a deeper look; a recapture and a decided game have none."""
    search = Scores({}, second=second)
    analysis = judged(search, Effort(FIRST))
    assert [analysis.is_only(judgement) for judgement in analysis.judgements] == [is_only] * 4
    assert bool(deeper(search)) == is_only
    decided = judged(Scores({ply: [2500 * (-1) ** ply] for ply in range(5)}, second=second), Effort(FIRST))
    assert not any(decided.is_only(judgement) for judgement in decided.judgements)


def test_the_only_move_and_how_deep_it_was_judged_in_table_and_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = judged(Scores({}, second=-1000), Effort(FIRST))
    assert "   2 3c3d ! (only move): every other move is a blunder (10,000 nodes)" in list(summary(analysis, "usi"))
    game = commented(analysis)
    assert game.comments[2].startswith("【好手】ほかの手はすべて大悪手（10,000局面を探索）\n*解析 ")
    assert own_comment(game, 2) is None         # another analysis takes its place
    assert own_comment(replace(game, comments={2: "【好手】と思う"}), 2) == "【好手】と思う"
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "   2 3c3d 好手: ほかの手はすべて大悪手です（10,000局面を探索）" in list(summary(analysis, "usi"))


def test_accuracy_and_the_turning_point() -> None:
    """Black keeps the balance; White loses it for good by its second move."""
    analysis = Scores({4: [600]}, {3: "4a3b"}).analysis()
    black, white = analysis.of_side(0), analysis.of_side(1)
    assert black.kept == 1
    assert white.kept == pytest.approx(1 - (0.5 - 1 / (1 + 2.718281828)) / 0.5 / 2)
    assert analysis.turning_point is not None
    assert analysis.turning_point.ply == 4
    assert Scores({}).analysis().turning_point is None


@pytest.mark.parametrize(("first", "deeper", "mark"), [
    ("3c3d", "8c8d", None),         # only the first look likes the move
    ("8c8d", "3c3d", None),         # only the deeper look likes it: its mark goes
    ("8c8d", "5c5d", "?"),          # the better move is another one
])
def test_every_output_names_the_best_move_that_it_shows(first: str, deeper: str, mark: str | None,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """The position before move 2 was searched once more than the one after it. The judgement uses the earlier look of
    both, while the line shown is from the later one."""
    analysis = Scores(move_2_loses(300), {1: first}).analysis()
    analysis = analysis.plus(replace(Scores(move_2_loses(300), {1: deeper}).found(1, 1, 10_000), look=1))
    judgement = analysis.judgements[1]
    assert (judgement.before.look, judgement.deepest.look) == (0, 1)
    assert (judgement.mark and judgement.mark.symbol) == mark
    assert page_node(analysis, 2)["mark"] == mark
    assert page_node(analysis, 1)["lines"][0]["pv"] == [deeper]
    assert as_json(analysis, FIRST, 1, 1)["positions"][1]["lines"][0]["pv"] == [deeper]
    assert analysis.of_side(1).best == 1 + (deeper == "3c3d")
    if deeper == "3c3d":
        assert page_node(analysis, 2)["lost_expected"] == 0
    names = {"3c3d": "△３四歩(33)", "8c8d": "△８四歩(83)", "5c5d": "△５四歩(53)"}
    comment = commented(analysis).comments[2]
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    before, played = list(rows(analysis, "japanese"))[1:3]
    assert before.endswith(names[deeper])
    assert ("最善" in played) == (deeper == "3c3d")
    better = [line for line in summary(analysis, "japanese") if line.startswith("   2 ")]
    assert [names[deeper] in line for line in better] == ([True] if mark else [])
    assert f"最善は {names[deeper]}" in comment if mark else "最善は" not in comment
