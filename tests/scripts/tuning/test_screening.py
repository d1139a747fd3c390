"""Screening: the arithmetic against made-up effects, a change that does harm, and a run broken off."""
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from scripts import screen as command
from scripts.arena.search_player import SearchPlayer
from scripts.tuning.deep_values import DeepRecipe, DeepValue, make, read
from scripts.tuning.root_search import search_roots
from scripts.tuning.screening import Change, Pair, Screening, chi_squared, effects, screen
from scripts.workers.pool import worker_pool
from search.parameters import DEFAULTS, SWITCH
from tests.scripts.commands import invoke

PLAYER = SearchPlayer(nodes=100, hash_mb=1, eval_file="material")
TEXTS = ["use_probcut=0", "rfp_margin=80,rfp_base=20", "history_bonus=30"]
CHANGES = [Change.parse(text, PLAYER) for text in TEXTS]
DEEP = [DeepValue(str(number), "7g7f", 0, 9) for number in range(7)]


@pytest.fixture(scope="module")
def file(positions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deep") / "deep.jsonl"
    make(path, DeepRecipe(SearchPlayer(nodes=4000, hash_mb=1, eval_file="material"), positions, 1, 30000), 24)
    return path


def made_up(count: int, worth: Iterable[float], noise: float) -> list[Pair]:
    """Pairs whose changes are worth so much."""
    rng = Random(5)
    drawn = islice(Screening(PLAYER, CHANGES, DEEP, 3).drawn(), count)
    worth = list(worth)

    def value(numbers: list[int]) -> float:
        return sum(worth[number] for number in numbers) + rng.gauss(0, noise)
    return [Pair(first, second, value(first) - value(second), 0.0)
            for _, first, second in drawn]


def test_effects_are_found_again() -> None:
    found = effects(made_up(40, (0.03, -0.02, 0), 0), CHANGES)
    assert [each.change.text for each in found] == TEXTS
    assert [each.error.mean for each in found] == pytest.approx([3, -2, 0])
    assert [each.same_move.mean for each in found] == [0, 0, 0]


def test_noise_is_told_from_effects() -> None:
    noisy = effects(made_up(4000, (0.01, 0, 0), 0.05), CHANGES)
    first, *others = (each.error for each in noisy)
    assert first.mean == pytest.approx(1, abs=3 * first.half_width)
    assert first.z > 5
    # Two searches of one pair, of which half have the change: the deviation of a mean of their number, times 2.
    assert first.half_width == pytest.approx(1.96 * 5 * 2 / 4000**0.5, rel=0.1)
    assert all(abs(other.z) < 4 for other in others)
    assert chi_squared([first]) == pytest.approx(first.z**2)


def test_each_position_is_drawn_as_often_with_halves_of_the_changes() -> None:
    screening = Screening(PLAYER, CHANGES, DEEP, 3)
    drawn = list(islice(screening.drawn(), 2100))
    assert {sum(deep is each for deep, *_ in drawn) for each in DEEP} == {300}
    assert sum(len(first) + len(second) for _, first, second in drawn) == pytest.approx(2 * 2100 * 1.5, rel=0.05)
    assert screening.with_changes([1, 2]).params == {"rfp_margin": 80, "rfp_base": 20, "history_bonus": 30}
    assert screening.with_changes([]) == PLAYER


def test_what_does_harm_is_seen(file: Path, tmp_path: Path) -> None:
    player = replace(PLAYER, nodes=30)
    changes = [Change.parse(text, player) for text in ("qsearch=0", "history_limit=8000")]
    screening = Screening(player, changes, read(file), 1)
    with worker_pool(search_roots, 1) as run_all:
        harm, nothing = effects(screen(screening, tmp_path / "pairs", 120, run_all), changes)
    assert harm.error.z > 3
    assert harm.error.z > abs(nothing.error.z)


def test_a_run_broken_off_goes_on(file: Path, tmp_path: Path) -> None:
    def lines(out: str, pairs: int, *more: object, status: int = 0) -> list[str]:
        changes = [word for text in TEXTS for word in ("--change", text)]
        return invoke(command, file, *changes, "--base", "eval=material", "--nodes", 50, "--hash", 1, "--count", 5,
                      "--pairs", pairs, "--out", tmp_path / out, *more, status=status).output.splitlines()

    whole = lines("whole", 60, "--jobs", 2)
    assert lines("parts", 25)[0] == "25 pairs at 50 nodes, 5 positions"
    assert lines("parts", 60) == whole
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert len(whole) == 1 + 1 + len(TEXTS) + 1
    order = [float(line.removeprefix(text).split()[3]) for line in whole[2:-1]
             for text in TEXTS if line.startswith(text)]
    assert order == sorted(order)
    assert whole[-1].endswith("3 if all of it is chance")
    assert lines("whole", 10)[0].startswith("60 pairs")     # what is there is not searched again
    assert "differs in seed" in lines("whole", 60, "--seed", 2, status=1)[0]
    assert "do not tell 3 changes apart" in lines("few", 2, status=1)[0]


def test_steps_are_screened_by_name(file: Path, tmp_path: Path) -> None:
    def output(*more: str, status: int = 0) -> str:
        return invoke(command, file, "--base", "eval=material,use_probcut=0", "--nodes", 10, "--hash", 1, "--pairs", 80,
                      "--out", tmp_path / "pairs", *more, status=status).output

    steps = [name for name in DEFAULTS if name.startswith(SWITCH) and name != "use_probcut"]
    assert len(steps) > 10
    told = output("--all-steps")
    assert all(f"{name}=0 " in told for name in steps)
    assert f"{len(steps)} if all of it is chance" in told
    assert "give --change, or --all-steps" in output(status=2)


def test_refusals() -> None:
    for text, complaint in (("nodes=7", "is no change of margins"), ("", "is no change"),
                            (f"rfp_margin={DEFAULTS['rfp_margin']}", "is no change"), ("no_such=1", "no margin"),
                            ("rfp_margin=80,eval=material2", "is no change")):
        with pytest.raises(ValueError, match=complaint):
            Change.parse(text, PLAYER)
    again = Change.parse("rfp_base=7", PLAYER)
    with pytest.raises(ValueError, match="'rfp_base=7' and 'rfp_margin=80,rfp_base=20' both change rfp_base"):
        Screening(PLAYER, [*CHANGES, again], DEEP, 1)
    with pytest.raises(ValueError, match="no deep values"):
        Screening(PLAYER, CHANGES, [], 1)
    with pytest.raises(ValueError, match="does not search the same twice"):
        Screening(SearchPlayer(nodes=10, threads=2), CHANGES, DEEP, 1)
