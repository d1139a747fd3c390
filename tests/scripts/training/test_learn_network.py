"""The command that learns a network: it learns, resumes, stops early, keeps the best, and checks what it writes."""
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.files import NETWORK, read_weights
from eval.network import EvalNetwork
from eval.network_learner import NetworkLearner, quantise
from scripts import learn_network
from scripts.training.dataset import load
from scripts.training.network import Epoch, NetworkState, export
from scripts.training.recipe import NetworkRecipe
from tests.scripts.commands import invoke

QUICK = ["--threads", "1", "--batch", "64"]


def run(*arguments: str | Path, status: int = 0) -> str:
    return invoke(learn_network, *arguments, status=status).output


def state_of(checkpoint: Path) -> tuple[NetworkState, Any, NetworkLearner]:
    learner = NetworkLearner()
    return *NetworkState.load(checkpoint, learner), learner


@pytest.mark.slow
def test_it_beats_material_on_held_out_games(played: Path, tmp_path: Path) -> None:
    out, checkpoint = tmp_path / "out.weights", tmp_path / "run.npz"
    text = run(played, "--checkpoint", checkpoint, "--out", out, "--epochs", "2", "--validation", "0.3", *QUICK)
    state, kept, _ = state_of(checkpoint)
    # The score is that of searches by material, which few positions do not teach to better.
    assert state.curve[-1].validation[1] < state.material[1] - 0.001
    assert state.curve[-1].validation[2] < state.material[2] - 0.005
    assert "losses of material alone: score 0." in text
    assert "first layer's sums: " in text
    stored = read_weights(out)
    assert stored.features == NETWORK
    assert f"both {state.curve[-1].validation[1]:.5f}" in stored.note
    assert all((np.asarray(stored.arrays[name]) == array).all() for name, array in quantise(kept).items())
    assert EvalNetwork.from_arrays(stored.arrays).megabytes == 1


@pytest.mark.slow
def test_a_resumed_run_comes_to_the_same(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--epochs", "2", *QUICK]
    run(small, "--checkpoint", tmp_path / "whole.npz", "--out", tmp_path / "whole.weights", *options)
    with monkeypatch.context() as patched:      # dies when the second epoch is done, before it is kept
        save = NetworkState.save

        def die(state: NetworkState, *arguments: Any) -> None:
            if len(state.curve) == 2:
                raise OSError("no room left")
            save(state, *arguments)

        patched.setattr(NetworkState, "save", die)
        assert "no room left" in run(small, "--checkpoint", tmp_path / "parts.npz", *options, status=1)
    assert len(state_of(tmp_path / "parts.npz")[0].curve) == 1
    run(small, "--checkpoint", tmp_path / "parts.npz", "--out", tmp_path / "parts.weights", *options)
    assert (tmp_path / "whole.weights").read_bytes() == (tmp_path / "parts.weights").read_bytes()


def test_it_stops_when_nothing_gets_better_and_keeps_the_best(small: Path, tmp_path: Path) -> None:
    """At such a rate the few positions are soon known by heart."""
    checkpoint = tmp_path / "run.npz"
    text = run(small, "--checkpoint", checkpoint, "--out", tmp_path / "out.weights", "--epochs", "40", "--rate", "0.01",
               *QUICK)
    state, kept, learner = state_of(checkpoint)
    assert state.ended
    assert len(state.curve) < 40
    assert state.best == len(state.curve) - 3
    assert kept.tobytes() != learner.parameters.tobytes()
    assert f"epoch {state.best + 1} of 40" in read_weights(tmp_path / "out.weights").note
    assert next(line for line in text.splitlines() if line.endswith("*")).split()[0] == str(state.best + 1)


@pytest.mark.parametrize(("losses", "ended"), [([3], False), ([3, 2, 2], False), ([3, 1, 2, 2], True),
                                               ([5, 4, 3, 2, 1], True)])
def test_when_a_run_ends(losses: list[float], ended: bool) -> None:
    recipe = NetworkRecipe({}, {}, 0.9, 0.05, 3000, False, False, 1, 1, 5, 0.001, 512, 2)
    assert NetworkState(recipe, [], [Epoch(0, [0, loss, 0]) for loss in losses]).ended == ended


def test_another_run_s_checkpoint_is_refused(small: Path, tmp_path: Path) -> None:
    run(small, "--checkpoint", tmp_path / "run.npz", "--epochs", "1", *QUICK)
    text = run(small, "--checkpoint", tmp_path / "run.npz", "--epochs", "1", "--rate", "0.002", *QUICK, status=1)
    assert "is of a run that differs in rate; name another file" in text
    (tmp_path / "run.npz").write_bytes(b"nothing")
    assert "is no checkpoint of this learner" in run(small, "--checkpoint", tmp_path / "run.npz", *QUICK, status=1)


def test_it_goes_on_from_a_network(small: Path, tmp_path: Path, weights: Path) -> None:
    first, second = tmp_path / "first.weights", tmp_path / "second.weights"
    run(small, "--checkpoint", tmp_path / "first.npz", "--out", first, "--epochs", "1", *QUICK)
    # At no rate at all it stays what it was.
    options: list[str | Path] = ["--checkpoint", tmp_path / "second.npz", "--out", second, "--epochs", "1", *QUICK,
                                 "--rate", "0"]
    text = run(small, *options, "--init", first)
    old, new = read_weights(first), read_weights(second)
    assert new.arrays == old.arrays
    assert new.note.endswith(f"; from {old.checksum[:16]}")
    assert "differs in init" in run(small, *options, status=1)
    assert f"{small.name}, " in text
    assert "is no network" in run(small, "--checkpoint", tmp_path / "third.npz", "--init", weights, status=1)


def test_a_network_whose_sums_wrap_is_not_written(small: Path, tmp_path: Path) -> None:
    run(small, "--checkpoint", tmp_path / "run.npz", "--epochs", "1", *QUICK)
    _, kept, _ = state_of(tmp_path / "run.npz")
    held = load([small], [], state_of(tmp_path / "run.npz")[0].recipe)[1]
    kept["first"][np.arange(1, 1548)] += 2
    with pytest.raises(ValueError, match=r"the first layer's sums can come to \d+, and 16 bits hold 32767"):
        export(kept, held, tmp_path / "out.weights", "")
    assert not (tmp_path / "out.weights").exists()
