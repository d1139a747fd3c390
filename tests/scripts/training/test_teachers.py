"""Teachers: how they change the samples' values, and that a run uses them."""
from pathlib import Path

import numpy as np
import pytest

from engine import BLACK
from engine.packed import unpacked
from eval.files import NETWORK, TABLES, read_weights, write_weights
from eval.learning.samples import open_records, targets
from eval.loading import PACKAGED, load_evaluator
from scripts import learn
from scripts.training.recipe import Recipe
from scripts.training.samples import LIMIT, Samples
from scripts.training.stream import Stream, open_sources
from scripts.training.teachers import Teachers, judge_of
from scripts.training.valuing import training_records
from tests.faults import refused
from tests.scripts.commands import invoke


@pytest.fixture
def samples(played: Path) -> Samples:
    recipe = Recipe(files={}, validation=0.3)
    return Stream(open_sources([played]), recipe).held


def test_the_mean_is_taken_of_winning_rates(samples: Samples, weights: Path) -> None:
    rates = [1 / (1 + np.exp(-judge_of(path)(samples) / 600)) for path in (PACKAGED, weights)]
    assert np.abs(rates[0] - rates[1]).max() > 0.05
    taught = samples.copy()
    Teachers({PACKAGED: 0.25, weights: 0.35}).correct(taught)
    expected = 0.4 * targets(samples, 1.0) + 0.25 * rates[0] + 0.35 * rates[1]
    assert np.abs(targets(taught, 1.0) - expected).max() < 0.001
    for name in samples.dtype.names or ():
        assert name == "value" or np.array_equal(taught[name], samples[name])


def test_a_teacher_says_what_the_engine_says(played: Path, weights: Path) -> None:
    found = training_records(played)[:100]
    samples = open_records(found)
    positions = [unpacked(record["sfen"].tobytes()) for record in found]
    for path in (PACKAGED, weights):
        evaluator = load_evaluator(path)
        said = [evaluator.evaluate(position) * (1 if position.turn == BLACK else -1) for position in positions]
        assert np.abs(judge_of(path)(samples) - said).max() <= 1


def test_without_a_share_values_only_get_clipped(samples: Samples) -> None:
    undecided = samples[np.abs(samples["value"]) <= LIMIT]
    undecided["value"][:2] = 27000, -27000
    taught = undecided.copy()
    Teachers({PACKAGED: 0}).correct(taught)
    assert taught["value"][:2].tolist() == [LIMIT, -LIMIT]
    assert np.array_equal(taught[2:], undecided[2:])


def test_shares_are_at_most_1_in_all(weights: Path) -> None:
    Teachers({PACKAGED: 0.3, weights: 0.7})
    for shares in ((0.4, 0.7), (1.2, -0.2), (0.4, float("nan"))):
        with refused(shares=list(shares)):
            Teachers(dict(zip((PACKAGED, weights), shares, strict=True)))


def test_weights_that_do_not_fit_are_named(tmp_path: Path) -> None:
    for features, name in ((NETWORK, "output"), (TABLES, "kk")):
        path = tmp_path / f"{name}.weights"
        write_weights(path, {name: np.zeros(1, np.int16)}, 0, "", features)
        with refused(at=path, fault=...):
            judge_of(path)


def test_held_out_samples_keep_the_values_of_the_search(played: Path) -> None:
    recipe = Recipe(files={}, validation=0.3)
    teachers = Teachers({PACKAGED: 0.5})
    alone, taught = (Stream(open_sources([played]), recipe, each) for each in (None, teachers))
    assert np.array_equal(taught.held, alone.held)
    (heard,), (unheard,) = taught.pools(0), alone.pools(0)
    expected = unheard.samples.copy()
    teachers.correct(expected)
    assert np.array_equal(heard.samples, expected)
    assert not np.array_equal(heard.samples, unheard.samples)


def test_a_run_learns_from_its_teachers_and_notes_them(small: Path, tmp_path: Path, weights: Path) -> None:
    quick = ["--threads", "1", "--batch", "64", "--validation", "0.4", "--epochs", "1"]
    run = [small, *quick, "--checkpoint", tmp_path / "run.npz", "--out", tmp_path / "out.weights"]
    teachers = ["--teacher", PACKAGED, "0.5", "--teacher", weights, "0.2"]
    invoke(learn, "network", *run, *teachers)
    said = "".join(f"; {share} of the value by {read_weights(path).checksum[:16]}"
                   for path, share in ((PACKAGED, 0.5), (weights, 0.2)))
    assert said in read_weights(tmp_path / "out.weights").note
    assert "differs in teachers" in invoke(learn, "network", *run, *teachers[:3], status=1).output
    twice = invoke(learn, "network", *run, *teachers[:3], *teachers[:3], status=2).output
    assert "--teacher names a file twice; give it once, with the sum of its shares" in twice
