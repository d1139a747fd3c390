"""SPSA: its gains, that it climbs, and what its state keeps."""
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from engine import BLACK, WHITE
from scripts.games.game import Pairing, Player
from scripts.games.played import PlayedGame
from scripts.games.search_player import SearchPlayer
from scripts.tuning.spsa import TunedMargin, TuningState, iterate, lead_in_games, rounded
from tests.each import each

BONUS = TunedMargin("history_bonus", 10, 1, 40, 4, 0.02)
LIMIT = TunedMargin("history_bonus_limit", 1000, 100, 4000, 200, 0.02)


def state(iterations: int = 200) -> TuningState:
    return TuningState([BONUS, LIMIT], iterations, 1, 50, 1, "", "", {"history_bonus": 10, "history_bonus_limit": 1000})


def params(player: Player) -> dict[str, int]:
    assert isinstance(player, SearchPlayer)
    return player.params


def higher_bonus_wins(pairings: Iterable[tuple[int, Pairing]]) -> Iterator[tuple[int, PlayedGame]]:
    """Games that the player wins whose history_bonus is closer to 30."""
    for number, pairing in pairings:
        black, white = (abs(params(player)["history_bonus"] - 30) for player in pairing.players)
        winner = None if black == white else BLACK if black < white else WHITE
        yield number, PlayedGame(winner, "mate", "startpos", 0)


HIGHER = lead_in_games(["startpos"], 1, 50, higher_bonus_wins)


def test_gains_end_at_those_given_and_fall_until_then() -> None:
    gains = [BONUS.gains(k, 100) for k in range(100)]
    assert gains[-1] == pytest.approx((4, 0.02))
    assert all(c0 > c1 and r0 * c0**2 > r1 * c1**2 for (c0, r0), (c1, r1) in pairwise(gains))
    # By hand: c = 4 * 100 ** 0.101; a = 0.02 * 16 * (110 / 11) ** 0.602 = 1.2798.
    assert gains[0] == pytest.approx((6.3689, 1.2798 / 6.3689**2), rel=1e-4)


def test_the_values_climb_to_the_best_margin() -> None:
    tuned = state(400)
    while tuned.done < tuned.iterations:
        iterate(tuned, HIGHER)
    assert tuned.values["history_bonus"] == pytest.approx(30, abs=3)
    bounded = TuningState([TunedMargin("history_bonus", 10, 5, 15, 4, 0.5)], 50, 1, 50, 1, "", "",
                          {"history_bonus": 10})
    while bounded.done < bounded.iterations:
        iterate(bounded, HIGHER)
    assert bounded.values["history_bonus"] == 15, "between their bounds"


def test_opposite_pushes_play_each_opening_from_both_sides() -> None:
    played: list[Pairing] = []

    def watch(pairings: Iterable[tuple[int, Pairing]]) -> Iterator[tuple[int, PlayedGame]]:
        played.extend(pairing for _, pairing in pairings)
        return higher_bonus_wins(enumerate(played))

    iterate(state(), lead_in_games(["startpos", "startpos moves 7g7f", "startpos moves 2g2f"], 2, 50, watch))
    assert len(played) == 4
    assert played[0].opening == played[1].opening != played[2].opening
    assert played[0].players == played[1].players[::-1]
    up, down = map(params, played[0].players)
    for margin in (BONUS, LIMIT):
        c, _ = margin.gains(0, 200)
        assert (up[margin.name] + down[margin.name]) / 2 == pytest.approx(margin.start, abs=1)
        assert abs(up[margin.name] - down[margin.name]) == pytest.approx(2 * c, abs=1)


def test_rounding_keeps_the_mean() -> None:
    rng = Random(1)
    drawn = [rounded(-2.3, rng) for _ in range(4000)]
    assert set(drawn) == {-3, -2}
    assert sum(drawn) / len(drawn) == pytest.approx(-2.3, abs=0.03)


@each("text", [
    "history_bonus", "history_bonus=1,2,3", "histroy=1,0,2,1,1", "history_bonus=9,1,5,1,1", "history_bonus=3,1,5,0,1",
    "history_bonus=a,b,c,d,e",
])
def test_a_margin_that_cannot_be_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("=")[0]):
        TunedMargin.parse(text)
    assert TunedMargin.parse("history_bonus=10,1,40,4,0.02") == BONUS


def test_the_result_is_the_mean_of_the_last_quarter() -> None:
    tuned = state(8)
    passed = []
    while tuned.done < tuned.iterations:
        assert tuned.result == tuned.values or tuned.done > 6
        iterate(tuned, HIGHER)
        passed.append(dict(tuned.values))
    assert passed[-1] != passed[-2]
    for name in passed[0]:
        assert tuned.result[name] == pytest.approx((passed[-1][name] + passed[-2][name]) / 2)


def test_a_state_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "state.json"
    tuned = state()
    iterate(tuned, HIGHER)
    tuned.save(path)
    assert TuningState.load(path) == tuned
    assert list(path.parent.iterdir()) == [path]
