"""A network as a teacher: what it makes of the samples' values, and that a run hears it."""
from pathlib import Path

import numpy as np
import pytest

from eval.files import read_weights
from eval.learning.network_learner import network_values
from eval.learning.samples import targets
from eval.loading import PACKAGED
from eval.network import EvalNetwork
from scripts import learn
from scripts.training.recipe import Recipe
from scripts.training.samples import Samples
from scripts.training.stream import Stream, open_sources
from scripts.training.teacher import LIMIT, Teacher
from tests.scripts.commands import invoke


@pytest.fixture(scope="module")
def network() -> EvalNetwork:
    """One that values mirror images differently."""
    arrays = {name: np.array(array) for name, array in read_weights(PACKAGED).arrays.items()}
    arrays["first"][90:, :20] += 5
    arrays["first"][90 + 5] += 100
    return EvalNetwork.from_arrays(arrays)


@pytest.fixture
def samples(played: Path) -> Samples:
    recipe = Recipe(files={}, validation=0.3)
    return Stream(open_sources([played]), recipe).held


def test_the_mean_is_taken_of_winning_rates_and_of_mirror_images(network: EvalNetwork, samples: Samples) -> None:
    rates = [targets(samples, 1.0)]
    image = network.mirrored()
    values = (network_values(samples, network) + network_values(samples, image).astype(float)) / 2
    assert not np.array_equal(network_values(samples, network), network_values(samples, image))
    rates.append(1 / (1 + np.exp(-values / 600)))
    taught = samples.copy()
    Teacher(network, 0.25).correct(taught)
    assert np.abs(targets(taught, 1.0) - (0.75 * rates[0] + 0.25 * rates[1])).max() < 0.001
    for name in samples.dtype.names or ():
        assert name == "value" or np.array_equal(taught[name], samples[name])


def test_without_a_share_nothing_changes(network: EvalNetwork, samples: Samples) -> None:
    """But for values that are as good as won."""
    taught = samples.copy()
    Teacher(network, 0).correct(taught)
    samples["value"] = np.clip(samples["value"], -LIMIT, LIMIT)
    assert np.array_equal(taught, samples)
    with pytest.raises(ValueError, match=r"a teacher's share of 1.5 is not between 0 and 1"):
        Teacher(network, 1.5)


def test_values_that_are_as_good_as_won_stay_so(network: EvalNetwork, samples: Samples) -> None:
    taught = samples[:2].copy()
    taught["value"] = 27000, -27000
    Teacher(network, 0).correct(taught)
    assert taught["value"].tolist() == [6000, -6000]


def test_what_is_kept_apart_is_judged_by_the_search(network: EvalNetwork, played: Path) -> None:
    recipe = Recipe(files={}, validation=0.3)
    alone, taught = (Stream(open_sources([played]), recipe, teacher) for teacher in (None, Teacher(network, 0.5)))
    assert np.array_equal(taught.held, alone.held)
    (heard,), (unheard,) = taught.pools(0), alone.pools(0)
    expected = unheard.samples.copy()
    Teacher(network, 0.5).correct(expected)
    assert np.array_equal(heard.samples, expected)
    assert not np.array_equal(heard.samples, unheard.samples)


def test_a_run_hears_its_teacher_and_says_so(small: Path, tmp_path: Path, weights: Path) -> None:
    quick = ["--threads", "1", "--batch", "64", "--validation", "0.4", "--epochs", "1"]
    run = [small, *quick, "--checkpoint", tmp_path / "run.npz", "--out", tmp_path / "out.weights"]
    invoke(learn, "network", *run, "--teacher", PACKAGED, "--teacher-share", "0.7")
    note = read_weights(tmp_path / "out.weights").note
    assert note.endswith(f"; 0.7 of the value by {read_weights(PACKAGED).checksum[:16]}")
    assert "differs in teacher" in invoke(learn, "network", *run, "--teacher-share", "0.7", status=1).output
    assert "--teacher has to name a network" in invoke(learn, "network", *run, "--teacher", weights, status=2).output
