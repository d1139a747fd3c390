"""Root errors: their arithmetic, that deeper searches err less, and the command's table."""
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from scripts import root_error as command
from scripts.arena.search_player import SearchPlayer
from scripts.tuning import root_search
from scripts.tuning.deep_values import DeepRecipe, DeepValue, make, read
from scripts.tuning.leads import lead_in_loss
from scripts.tuning.root_error import Mean, RootErrors, loss, winning_rate
from scripts.tuning.root_search import RootValue, search_roots, searched
from scripts.workers.pool import worker_pool
from tests.scripts.commands import invoke

DEEP = SearchPlayer(nodes=4000, hash_mb=1, eval_file="material")
COUNT = 24


@pytest.fixture(scope="module")
def file(positions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deep") / "deep.jsonl"
    make(path, DeepRecipe(DEEP, positions, 1, 30000), COUNT)
    return path


def errors(file: Path, *changes: str) -> list[RootErrors]:
    deep = read(file)
    players = [DEEP.varied(each) for each in changes]
    with worker_pool(search_roots, 1) as run_all:
        found = searched(players, [each.sfen for each in deep], run_all)
    return [RootErrors.of(each, deep) for each in found]


def test_the_search_that_made_the_values_does_not_err(file: Path) -> None:
    same, = errors(file, "")
    assert same.errors == [0] * COUNT
    assert same.same_moves == [1] * COUNT


def test_more_nodes_come_nearer(file: Path) -> None:
    few, more = errors(file, "nodes=30", "nodes=2000")
    nearer, same = more.against(few)
    assert nearer.mean < -0.5
    assert same.mean > 10
    assert more.depth > few.depth


def test_errors_and_loss_by_hand() -> None:
    assert winning_rate(0) == 0.5
    assert winning_rate(600) == pytest.approx(0.731059)
    assert winning_rate(-32000) == pytest.approx(0)
    deep = [DeepValue("", "7g7f", 600, 9), DeepValue("", "7g7f", -600, 9)]
    found = [RootValue("7g7f", 0, 3), RootValue("2g2f", 0, 5)]
    of = RootErrors.of(found, deep)
    assert of.errors == pytest.approx([0.231059] * 2, abs=1e-6)
    assert (of.same_moves, of.depth) == ([1, 0], 4)
    assert loss(found, deep) == pytest.approx(0.231059 - 0.1 / 2, abs=1e-6)


def test_differences_are_paired() -> None:
    # They are 10, 20 and 30 %: mean 20, deviation 10 / √3 of it, though the errors themselves lie far apart.
    a, b = RootErrors([0.1, 0.5, 0.9], [0, 0, 1], 3), RootErrors([0.2, 0.7, 1.2], [0, 1, 1], 4)
    error, same = b.against(a)
    assert error.mean == pytest.approx(20)
    assert error.half_width == pytest.approx(1.959964 * 10 / sqrt(3))
    assert error.z == pytest.approx(2 * sqrt(3))
    assert same.mean == pytest.approx(100 / 3)
    assert a.against(a)[0] == Mean(0, 0, 0)
    with pytest.raises(ValueError, match="1 positions say nothing"):
        Mean.of([1.0])


def test_results_keep_their_places_whoever_is_ready_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(root_search, "CHUNK", 2)
    players = [DEEP.varied("nodes=1"), DEEP.varied("nodes=2")]

    def backwards(tasks):   # type: ignore[no-untyped-def]
        for number, task in reversed(list(tasks)):
            yield number, [RootValue(sfen, task.player.nodes, 1) for sfen in task.sfens]

    heard: list[int] = []
    found = searched(players, ["a", "b", "c"], backwards, heard.append)
    assert found == [[RootValue(sfen, nodes, 1) for sfen in "abc"] for nodes in (1, 2)]
    assert sorted(heard) == [1, 1, 2, 2]


def test_the_nearer_side_leads() -> None:
    deep = [DeepValue(sfen, "7g7f", 0, 9) for sfen in "abcd"]

    def search_all(tasks):  # type: ignore[no-untyped-def]
        for number, task in tasks:
            yield number, [RootValue("7g7f", task.player.params["history_bonus"], 1) for _ in task.sfens]

    lead = lead_in_loss(deep, 3, 50, search_all)
    rng = Random(1)
    assert lead({"history_bonus": 10}, {"history_bonus": 300}, rng) == pytest.approx(
        winning_rate(300) - winning_rate(10))
    assert lead({"history_bonus": 300}, {"history_bonus": 10}, rng) < 0
    with pytest.raises(ValueError, match="a batch of 5 cannot be drawn from 4"):
        lead_in_loss(deep, 5, 50, search_all)


def test_the_command(file: Path) -> None:
    def lines(*more: object, status: int = 0) -> list[str]:
        return invoke(command, file, "--hash", 1, "--nodes", 4000, "--a", "eval=material", *more,
                      status=status).output.splitlines()

    first, heading, a, b = lines("--b", "eval=material,nodes=20", "--count", 5, "--skip", 2)
    assert first == "5 positions at 4000 nodes"
    assert heading.split()[:2] == ["error", "%"]
    assert a.split()[:4] == ["A", "eval=material", "0.000", "100.00"]
    found, = errors(file, "nodes=20")
    assert b.split()[2] == f"{100 * sum(found.errors[2:7]) / 5:.3f}"
    assert "no margin" in lines("--b", "no_such=1", status=1)[0]
    assert "say nothing" in lines("--skip", COUNT - 1, status=1)[0]
