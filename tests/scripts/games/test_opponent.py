"""New weights and old ones against the same opponent."""
import json
from pathlib import Path

import pytest

from eval.loading import PACKAGED
from scripts import gate
from scripts.games.opponent import Comparison, Opponent
from tests.faults import refused
from tests.scripts.commands import invoke

OPPONENT = Opponent.parse(50, "eval=material,rfp_beta=70")
EVEN = [1.0] * 40


def test_a_comparison_goes_opening_by_opening() -> None:
    comparison = Comparison(OPPONENT, [2.0, 1.0, 2.0, 1.0], [1.0, 0.0, 1.0, 0.0])
    assert (comparison.difference, comparison.error) == (0.5, 0)
    assert str(comparison) == ("50 nodes against eval=material,rfp_beta=70: new 75.0 %, old 25.0 % of 8 games each, "
                               "+50.0 ± 0.0")


@pytest.mark.parametrize(("new", "verdict"), [
    ((2, 1, 1, 1, 2), True),
    ((2, 0, 1, 1, 1), False),       # no gain
    ((2, 0, 2, 0, 1.5), False),     # within its error
    ((0, 1, 0.5, 1, 1), False),
])
def test_a_gain_beyond_its_error_is_wanted(new: tuple[float, ...], verdict: bool) -> None:
    assert Comparison(OPPONENT, [*new] * 8, EVEN).gains is verdict


@pytest.mark.parametrize(("text", "fault"), [
    ("eval=material,nonsense=3", refused(text="nonsense=3", name="nonsense", names=...)),
    ("limit=3 engine", refused(word="limit=3", limits=...)),
])
def test_an_opponent_that_cannot_be_read(text: str, fault: refused) -> None:
    with fault:
        Opponent.parse(100, text)


@pytest.mark.slow
def test_a_network_gains_on_material_and_the_games_are_kept(tmp_path: Path) -> None:
    def judged(games: int, status: int = 0) -> str:
        return invoke(gate, PACKAGED, "--old", "material", "--against", 60, "eval=material", "--games", games, "--out",
                      tmp_path, status=status).output
    first = judged(4)
    assert "old 50.0 % of 4 games each" in first
    assert first.endswith(f"{PACKAGED} is accepted\n")
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(len(data.splitlines()) for data in kept.values()) == [5, 5]
    assert all(json.loads(data.splitlines()[0]) for data in kept.values())
    assert judged(4) == first
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == kept
    assert "give 4 or more" in judged(2, status=1)
