"""Weighing: made-up values are found again and shrunk towards 0, and files of screenings and matches are read."""
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import BLACK, WHITE
from scripts import screen as command
from scripts.games.played import GAMES, PlayedGame
from scripts.stats.elo import expected_score
from scripts.tuning.screening import drawn
from scripts.tuning.weighing import table as lines_of
from scripts.tuning.weighing import weigh
from tests.each import each
from tests.faults import refused
from tests.scripts.commands import invoke
from usi.files.journal import Journal

WORTH = {"rfp_margin=80": 120, "lmr_base=900,lmr_scale=24000": -90, "use_iir=0": 0}


def made_up(values: np.ndarray, pairs: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """The design and the scores of a made-up screening of changes with these values in Elo."""
    rng = np.random.default_rng(seed)
    design = rng.choice((-1.0, 1.0), (pairs, len(values)))
    chances = [expected_score(elo) for elo in design @ values]
    return design, rng.binomial(2, chances) / 2


def test_expected_values_are_nearer_to_the_truth_than_found_ones() -> None:
    truth = np.random.default_rng(7).normal(0, 8, 60)
    design, scores = made_up(truth, 1000)
    weighed = weigh(design, scores)
    found = np.linalg.lstsq(design * np.log(10) / 1600, scores - 0.5, rcond=None)[0]
    assert weighed.found == pytest.approx(found)
    missed = np.mean((weighed.values - truth)**2)
    assert missed < 0.7 * np.mean((found - truth)**2)
    assert missed < 64          # what is missed by expecting nothing
    assert weighed.prior == pytest.approx(8, abs=3)
    assert np.mean(weighed.deviations**2) == pytest.approx(missed, rel=0.5)


def test_many_games_are_believed() -> None:
    weighed = weigh(*made_up(np.array([40.0, -20.0, 0.0]), 40000))
    assert weighed.values == pytest.approx([40, -20, 0], abs=5)
    assert weighed.deviations.max() < 2
    by_chance = weigh(*made_up(np.zeros(50), 500))
    assert np.abs(by_chance.values).max() < 4, "of chance alone nothing is expected"
    assert by_chance.prior < 5


@pytest.mark.parametrize("deviation", [0, 10, 30])
def test_intervals_of_few_games_hold_the_truth(deviation: int) -> None:
    """After 100 games of four changes, more than nine in ten of the intervals hold the true value."""
    held = {"found": 0, "expected": 0}
    for seed in range(200):
        truth = np.random.default_rng(seed).normal(0, deviation, 4)
        weighed = weigh(*made_up(truth, 50, seed))
        assert weighed.deviations.min() > 5
        held["found"] += int(np.sum(np.abs(weighed.found - truth) < 1.96 * weighed.found_deviations))
        held["expected"] += int(np.sum(np.abs(weighed.values - truth) < 1.96 * weighed.deviations))
    assert min(held.values()) > 0.9 * 800


def test_values_that_games_cannot_separate_are_unknown() -> None:
    """Two changes always go together; a third is independent of them."""
    design = np.array([[1, 1, -1], [-1, -1, 1], [1, 1, 1], [-1, -1, -1]] * 20, float)
    weighed = weigh(design, np.random.default_rng(1).integers(0, 5, len(design)) / 4)
    assert np.isinf(weighed.found_deviations).tolist() == [True, True, False]
    assert "unknown" in "".join(lines_of(["a", "b", "c"], [9, 9, 9], weighed))
    assert np.isfinite(weighed.deviations).all()


def write_games(path: Path, conditions: dict[str, object], changes: list[str], pairs: int,
                sides: list[int] | None = None) -> Path:
    """Games of a screening, or of a match in which one side (+1: the first) has each change."""
    rng = Random(str(path.name))
    with closing(Journal(path, GAMES, conditions)) as kept:
        for number in range(2 * pairs):
            signs = sides or drawn(5, number // 2, len(changes)).tolist()
            elo = sum(sign * WORTH[change] for sign, change in zip(signs, changes, strict=True))
            first = WHITE if number % 2 else BLACK
            kept.add(number, PlayedGame(first if rng.random() < expected_score(elo) else first ^ 1, "mate",
                                        "startpos", 0))
    return path


def test_files(tmp_path: Path) -> None:
    rfp, lmr, iir = WORTH
    screening = write_games(tmp_path / "screening", {"changes": {rfp: "", iir: ""}, "seed": 5}, [rfp, iir], 300)
    other = write_games(tmp_path / "other", {"changes": {lmr: "", iir: ""}, "seed": 5}, [lmr, iir], 300)
    players = [{"params": {"rfp_margin": 80, "hash": 3}}, {"params": {"lmr_base": 900, "lmr_scale": 24000, "hash": 3}}]
    match = write_games(tmp_path / "match", {"players": players}, [rfp, lmr], 100, [1, -1])

    def table(*paths: Path) -> dict[str, list[str]]:
        *lines, prior = invoke(command, *paths).output.splitlines()
        assert prior.startswith("prior: ± ")
        return {words[0]: words[1:] for words in map(str.split, lines)}

    rows = table(screening, other, match)
    assert list(rows) == ["change", rfp, iir, lmr]
    assert [rows[change][0] for change in WORTH] == ["800", "800", "1200"]
    for change, worth in WORTH.items():
        found, _, found_error, value, _, error = rows[change][1:]
        assert float(found) == pytest.approx(worth, abs=2 * float(found_error))
        assert float(value) == pytest.approx(worth, abs=2 * float(error))
    alone = table(match)
    assert list(alone)[1:] == [rfp, lmr]        # in a match, the differences of the players' margins
    # Where both players set a margin, the first has changed the second's.
    players[1]["params"]["rfp_margin"] = 60
    assert list(table(write_games(tmp_path / "both", {"players": players}, [rfp, lmr], 100, [1, -1])))[1:] == [rfp, lmr]


@each(("arguments", "said"), [(["--games", 4], "leave out the options, or the FILES"),
                              (["--change", "rfp_beta=70"], "leave out the options, or the FILES")])
def test_files_are_summed_up_and_nothing_is_played(arguments: list[object], said: str) -> None:
    assert said in invoke(command, "a.jsonl", *arguments, status=2).output
    assert "to sum up games that were played, give their FILES" in invoke(command, *arguments, status=2).output


def test_refusals(tmp_path: Path) -> None:
    engines: dict[str, object] = {"players": [{"command": "a"}, {"command": "b"}]}
    same: dict[str, object] = {"players": [{"params": {}}, {"params": {}}]}
    for name, conditions, about in (("engines", engines, "screening"), ("same", same, "same margins")):
        path = write_games(tmp_path / name, conditions, [], 1)
        refused(about=about, file=path).ended(invoke(command, path, status=1))
    empty = write_games(tmp_path / "empty", {"changes": {"use_iir=0": ""}, "seed": 5}, ["use_iir=0"], 0)
    refused(about="pair").ended(invoke(command, empty, status=1))
    refused(path=empty).ended(invoke(command, empty, empty.parent / "." / "empty", status=1))
    other = tmp_path / "other"
    other.write_text("7g7f\n")
    refused(path=other, name=..., line="'7g7f'").ended(invoke(command, other, status=1))
