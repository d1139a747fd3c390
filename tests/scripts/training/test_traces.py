"""TD(λ): values blended with what came later in the game."""
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine import WHITE
from eval.learning.records import PSV, converted
from eval.material import SLOPE
from scripts.training.recipe import Recipe
from scripts.training.samples import LIMIT, Records, game_numbers
from scripts.training.stream import Stream, open_sources
from scripts.training.traces import trace
from tests.faults import refused

RECIPE = Recipe(files={}, validation=0.3, checks=True, captures=True, max_value=32767)


def rate(value: float) -> float:
    return float(1 / (1 + np.exp(-max(-LIMIT, min(LIMIT, value)) / SLOPE)))


def explicit(game: Records, decay: float) -> list[float]:
    """The winning rates of Black as the weighted sums that TD(λ) stands for."""
    sides = [-1 if record["sfen"][0] & 1 == WHITE else 1 for record in game]
    rates = [rate(side * int(record["score"])) for side, record in zip(sides, game, strict=True)]
    result = (1 + sides[0] * int(game[0]["game_result"])) / 2
    plies = [*map(int, game["gamePly"]), int(game["gamePly"][-1]) + 1]
    found = []
    for first in range(len(game)):
        ahead = [decay ** (ply - plies[first]) for ply in plies[first:]]
        shares = [near - far for near, far in pairwise(ahead)]
        found.append(sum(share * own for share, own in zip(shares, rates[first:], strict=True)) + ahead[-1] * result)
    return found


@pytest.fixture(scope="module")
def games(played: Path) -> list[Records]:
    records = np.fromfile(played, PSV)
    numbers = game_numbers(records)
    return [records[numbers == number] for number in range(8)]


def test_a_value_is_the_weighted_sum_of_those_after_it_and_the_result(games: list[Records]) -> None:
    games = [np.delete(game, [5, 6, 11]) for game in games]         # positions that the file has had before
    found = trace(np.concatenate(games), 0.9, True)
    expected = np.concatenate([explicit(game, 0.9) for game in games])
    sides = np.where(np.concatenate(games)["sfen"][:, 0] & 1 == WHITE, -1, 1)
    assert [rate(value) for value in sides * found] == pytest.approx(expected, abs=0.5 / SLOPE)
    assert {*np.concatenate(games)["game_result"].tolist()} >= {-1, 1}


def test_a_game_that_goes_on_elsewhere_ends_with_its_own_score(games: list[Records]) -> None:
    records = np.concatenate(games)
    assert trace(records, 0, True).tolist() == np.clip(records["score"], -LIMIT, LIMIT).tolist()    # without decay
    records = records[:-20]
    records[-1]["score"] = 123
    assert trace(records, 0.95, False)[-1] == 123
    won = (1 + int(records[-1]["game_result"])) / 2
    assert rate(trace(records, 0.95, True)[-1]) == pytest.approx(0.05 * rate(123) + 0.95 * won, abs=0.5 / SLOPE)
    assert (trace(records, 0.95, False)[:len(games[0])] == trace(games[0], 0.95, True)).all()


def test_only_what_is_learned_from_is_blended(played: Path, tmp_path: Path) -> None:
    def streams(trace: float, path: Path = played) -> Stream:
        return Stream(open_sources([path]), replace(RECIPE, trace=trace))
    plain, blended = streams(0), streams(0.95)
    assert (plain.held == blended.held).all()
    before, after = (np.concatenate([pool.samples for pool in each.pools(0)]) for each in (plain, blended))
    assert (before["features"] == after["features"]).all()
    won = (before["result"].astype(int) - 1) * (after["value"].astype(int) - before["value"])
    assert won.mean() > 100             # values move towards the results
    path = tmp_path / "games.hcpe"
    converted(np.fromfile(played, PSV)).tofile(path)
    with refused(about="plies", at=path):
        streams(0.95, path)
