"""The command that learns: both models learn, resume, stop early, keep the best, and check what they write."""
import csv
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.files import NETWORK, Weights, read_weights, write_weights
from eval.learning.network_learner import NetworkLearner, network_values
from eval.learning.quantised import dense
from eval.learning.quantised_network import quantise_network
from eval.learning.records import PSV
from eval.learning.samples import FLAGS, open_records
from eval.loading import PACKAGED, load_evaluator
from eval.network import COMMON, OURS, EvalNetwork, Form
from eval.network.nnbin import KP
from scripts import learn
from scripts.training import run as run_module
from scripts.training.network import NetworkModel
from scripts.training.recipe import NetworkRecipe, Recipe, TablesRecipe
from scripts.training.run import Epoch, RunState, describe
from scripts.training.stream import LEFT_OUT, Stream, open_sources, wanted
from scripts.training.tables import rounding_bound
from tests.each import each
from tests.faults import refused
from tests.scripts.commands import invoke, other_run

QUICK = {"network": ["--threads", "1", "--batch", "64", "--validation", "0.4"],
         "tables": ["--threads", "1", "--rate", "1", "--validation", "0.4"]}
BOTH = pytest.mark.parametrize("kind", ["network", "tables"])
# The loop is the same, and to write the tables takes long.
TABLES_SLOWLY = pytest.mark.parametrize("kind", ["network", pytest.param("tables", marks=pytest.mark.slow)])


def run(kind: str, *arguments: str | Path, status: int = 0) -> str:
    return invoke(learn, kind, *arguments, status=status).output


def kept_of(checkpoint: Path) -> Any:
    with np.load(checkpoint) as stored:
        return stored["kept"][()]


def but_output_bias(weights: Weights) -> dict[str, Any]:
    return {name: array for name, array in weights.arrays.items() if name != "output_bias"}


def as_rounded(weights: Weights, parameters: Any, form: Form = OURS) -> bool:
    """Whether the weights are the rounded parameters, but for the output's bias, which makes up for rounding."""
    rounded = quantise_network(parameters, form)
    return all(np.array_equal(np.asarray(array), rounded[name]) for name, array in but_output_bias(weights).items())


# -- What is learned ---------------------------------------------------------------------------------------------------
# By the search's values it gains 0.02 to 0.06 on material, with ten seeds. By the results 0.002 to 0.09: some 70 games
# are kept apart.

def losses_in(text: str) -> list[float]:
    """The validation losses of the best epoch."""
    line = next(line for line in text.splitlines() if line.endswith("*"))
    return [float(word) for word in line.split()[2:5]]


def material_in(text: str) -> list[float]:
    found = re.search(r"losses of material alone: score (\S+), both (\S+), result (\S+)", text)
    assert found
    return [float(word) for word in found.groups()]


@pytest.mark.slow
def test_a_network_beats_material_on_held_out_games(much_played: Path, tmp_path: Path) -> None:
    out, checkpoint = tmp_path / "out.weights", tmp_path / "run.npz"
    text = run("network", much_played, "--checkpoint", checkpoint, "--out", out, "--epochs", "2", "--rate", "0.001",
               *QUICK["network"], "--validation", "0.3")
    assert losses_in(text)[0] < material_in(text)[0] - 0.01
    assert "first layer's sums: " in text
    stored = read_weights(out)
    assert stored.features == NETWORK
    assert f"both {losses_in(text)[1]:.5f}" in stored.note
    assert as_rounded(stored, kept_of(checkpoint))
    assert EvalNetwork.from_arrays(stored.arrays).megabytes == 1


@pytest.mark.slow
def test_tables_beat_material_on_held_out_games(much_played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.weights"
    text = run("tables", much_played, "--checkpoint", tmp_path / "run.npz", "--out", out, "--epochs", "3", "--blend",
               "0.6", "--validation", "0.3", "--rate", "0.15", "--prior", "100", "--threads", "1")
    assert losses_in(text)[0] < material_in(text)[0] - 0.01
    assert "centipawns off (bound 95)" in text
    stored = read_weights(out)
    assert f"both {losses_in(text)[1]:.5f}" in stored.note
    assert len(stored.arrays["kpp_index"]) == 0     # too few positions for them
    assert dense(stored.arrays, stored.tempo).any()


@pytest.mark.slow
@BOTH
@pytest.mark.usefixtures("short_blocks")
def test_a_streamed_run_learns_as_one_in_memory(kind: str, much_played: Path, tmp_path: Path) -> None:
    """With ten seeds, the streamed run gained 65 to 103 % of what the run in memory gained on material, measured on the
    search's values. A pool holds a few games here, and the last pool counts most."""
    gains = []
    for pool in ("6000", "1000000"):
        text = run(kind, much_played, "--checkpoint", tmp_path / pool, "--epochs", "2", *QUICK[kind], "--validation",
                   "0.3", "--rate", "0.001" if kind == "network" else "0.15", "--pool", pool)
        gains.append(material_in(text)[0] - losses_in(text)[0])
        pools = -(-int(text.split()[0]) // int(pool))       # a progress line for each, in each epoch
        assert text.count(" records, epoch ") == 2 * pools
    streamed, whole = gains
    assert whole > 0.01
    assert 0.5 * whole < streamed < 1.2 * whole


# -- Broken off, continued ---------------------------------------------------------------------------------------------

@TABLES_SLOWLY
@pytest.mark.usefixtures("short_blocks")
def test_a_run_killed_at_any_pool_comes_to_the_same(
    kind: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "SAVE_INTERVAL", 0)
    options = ["--epochs", "2", "--pool", "1000", *QUICK[kind]]
    if kind == "tables":
        options += ["--residual-from", "0"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(kind, small, "--checkpoint", whole, "--out", tmp_path / "whole.weights", "--curve", tmp_path / "whole.tsv",
        *options)
    train_pool = run_module.train_pool
    places = ((0, 1), (1, 0), (1, 1)) if kind == "network" else ((1, 1),)
    for place in places:        # epochs and pools that are done
        def die(pool: Any, state: RunState, *others: Any, place: tuple[int, int] = place) -> None:
            if (len(state.curve), state.pools) == place:
                raise OSError("no room left")
            train_pool(pool, state, *others)
        with monkeypatch.context() as patch:
            patch.setattr(run_module, "train_pool", die)
            assert "no room left" in run(kind, small, "--checkpoint", parts, *options, status=1)
    text = run(kind, small, "--checkpoint", parts, "--out", tmp_path / "parts.weights", "--curve",
               tmp_path / "parts.tsv", *options)
    assert text.count("training loss") == 2, "one pool, and the epoch"
    for name in ("weights", "tsv"):
        assert (tmp_path / f"whole.{name}").read_bytes() == (tmp_path / f"parts.{name}").read_bytes()


@pytest.mark.slow
def test_more_epochs_of_the_tables_go_on_from_fewer(small: Path, tmp_path: Path) -> None:
    notes = {}
    for name, parts in {"whole": ["2"], "parts": ["1", "2"]}.items():
        for epochs in parts:
            run("tables", small, "--checkpoint", tmp_path / f"{name}.npz", "--out", tmp_path / f"{name}.weights",
                "--epochs", epochs, *QUICK["tables"])
        notes[name] = (tmp_path / f"{name}.weights").read_bytes()
    assert notes["whole"] == notes["parts"]


@TABLES_SLOWLY
def test_another_run_s_checkpoint_is_refused(kind: str, small: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.npz"
    options: list[str | Path] = ["--checkpoint", checkpoint, "--epochs", "1", *QUICK[kind]]
    run(kind, small, *options)
    other_run(checkpoint, "blend", "seed").ended(
        invoke(learn, kind, small, *options, "--blend", "0.5", "--seed", "9", status=1))
    other = {"network": "tables", "tables": "network"}[kind]
    no_checkpoint = refused(path=checkpoint, fault=...)
    no_checkpoint.ended(invoke(learn, other, small, "--checkpoint", checkpoint, "--epochs", "1", *QUICK[other],
                               status=1))
    whole = checkpoint.read_bytes()
    broken = bytearray(whole)
    broken[len(whole) // 2] ^= 255
    for data in (b"nothing", whole[:-1], whole[:1000], bytes(broken)):
        checkpoint.write_bytes(data)
        no_checkpoint.ended(invoke(learn, kind, small, *options, status=1))


@pytest.mark.parametrize(("name", "value"), [
    ("steps", 10**30), ("steps", 1 << 31), ("steps", -1), ("steps", [1, 2]), ("means", [1.0]), ("pools", -1),
    ("pools", 10**30), ("pools", 0.5), ("positions", "many"), ("left_out", [-1, 0, 0, 0])])
def test_a_checkpoint_of_numbers_that_cannot_be_is_refused(name: str, value: Any, small: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.npz"
    options: list[str | Path] = ["--checkpoint", checkpoint, "--epochs", "1", *QUICK["network"]]
    run("network", small, *options)
    with np.load(checkpoint) as stored:
        arrays = dict(stored)
    if name in arrays:
        arrays[name] = np.array(value, None if isinstance(value, list) else object if value > 1 << 62 else np.int64)
    else:
        arrays["state"] = np.array(json.dumps(json.loads(str(arrays["state"])) | {name: value}))
    np.savez(checkpoint, **arrays)
    refused(path=checkpoint, fault=...).ended(invoke(learn, "network", small, *options, status=1))


@TABLES_SLOWLY
def test_it_goes_on_from_weights(kind: str, small: Path, tmp_path: Path, weights: Path) -> None:
    first, second = tmp_path / "first.weights", tmp_path / "second.weights"
    run(kind, small, "--checkpoint", tmp_path / "first.npz", "--out", first, "--epochs", "1", *QUICK[kind])
    # With a rate of 0 only the output's bias changes, which makes up for rounding.
    options: list[str | Path] = ["--checkpoint", tmp_path / "second.npz", "--out", second, "--epochs", "1",
                                 *QUICK[kind], "--rate", "0"]
    text = run(kind, small, *options, "--init", first)
    old, new = read_weights(first), read_weights(second)
    assert (but_output_bias(new), new.tempo) == (but_output_bias(old), old.tempo)
    assert f"; from {old.checksum[:16]}; run " in new.note
    other_run(tmp_path / "second.npz", "init").ended(invoke(learn, kind, small, *options, status=1))
    assert f"{small.name}, " in text
    other, found = {"network": (weights, "holds kkp-kpp-"), "tables": (PACKAGED, "holds kp-1710-")}[kind]
    assert found in run(kind, small, "--checkpoint", tmp_path / "third.npz", "--init", other, status=1)


def test_weights_that_cannot_be_continued_are_named(small: Path, tmp_path: Path) -> None:
    init = tmp_path / "init.weights"
    arrays = quantise_network(NetworkLearner().parameters)
    arrays["output"][0] += 1
    write_weights(init, arrays, 0, "", NETWORK)
    output = run("network", small, "--checkpoint", tmp_path / "run.npz", "--init", init, status=1)
    assert output.startswith(f"Error: {init}: this network does not give a position and its mirror image the")


# -- For other engines -------------------------------------------------------------------------------------------------

def test_an_nn_bin_from_our_network_and_learned_on(small: Path, tmp_path: Path) -> None:
    """Such a run is continued, too. A checkpoint of one form is refused for the other."""
    out, checkpoint = tmp_path / "nn.bin", tmp_path / "run.npz"
    options = ["--rate", "0.0005", "--epochs", "1", *QUICK["network"]]
    text = run("network", small, "--init", PACKAGED, "--checkpoint", checkpoint, "--out", out, *options)
    written = read_weights(out)
    assert written.features == KP
    assert as_rounded(written, kept_of(checkpoint), COMMON)
    network = load_evaluator(out).source
    assert isinstance(network, EvalNetwork)
    assert network.form == COMMON
    assert "floats: " in run("network", small, "--init", PACKAGED, "--checkpoint", checkpoint, "--out", out, "--force",
                             *options)
    assert "an nn.bin" in run("network", small, "--init", PACKAGED, "--checkpoint", checkpoint, "--out",
                              tmp_path / "out.weights", *options, status=1)
    further = tmp_path / "further.bin"
    again = run("network", small, "--init", out, "--checkpoint", tmp_path / "next.npz", "--out", further, *options)
    assert losses_in(again)[0] < losses_in(text)[0]
    assert read_weights(further).features == KP
    assert f"{out} holds {KP} and not {NETWORK}" in run(
        "network", small, "--init", out, "--checkpoint", tmp_path / "third.npz", "--out", tmp_path / "x.weights",
        *options, status=1)


# -- When it ends ------------------------------------------------------------------------------------------------------

def test_of_a_network_the_last_epoch_is_kept(small: Path, tmp_path: Path) -> None:
    """At this rate the network overfits the few positions, so the validation loss rises while the rate falls to 0."""
    text = run("network", small, "--checkpoint", tmp_path / "run.npz", "--out", tmp_path / "out.weights", "--epochs",
               "6", "--rate", "0.01", *QUICK["network"])
    lines = text[text.index("epoch  training"):].splitlines()[2:8]
    losses = [float(line.split()[3]) for line in lines]
    assert [line.endswith("*") for line in lines] == [False] * 5 + [True]
    assert min(losses) < losses[-1]
    assert "epoch 6 of 6" in read_weights(tmp_path / "out.weights").note


@each(("losses", "ended"), [([3], False), ([3, 2, 2], False), ([3, 1, 2, 2], True), ([5, 4, 3, 2, 1], True)])
def test_when_a_run_ends(losses: list[float], ended: bool) -> None:
    curve = [Epoch(0, [0, loss, 0], 1) for loss in losses]
    assert RunState(TablesRecipe(files={}, rates={}, epochs=5), [], curve).ended == ended
    assert RunState(NetworkRecipe(files={}, epochs=5), [], curve).ended == (len(losses) == 5)


def test_what_is_left_out_is_counted_by_its_reason(small: Path, tmp_path: Path) -> None:
    """The curve as a table: material alone, then an epoch a row. All records are in each."""
    curve = tmp_path / "curve.tsv"
    text = run("network", small, "--checkpoint", tmp_path / "run.npz", "--curve", curve, "--epochs", "2",
               "--max-value", "500", *QUICK["network"])
    material, *epochs = csv.DictReader(curve.read_text().splitlines(), delimiter="\t")
    assert [row["epoch"] for row in (material, *epochs)] == ["0", "1", "2"]
    assert material_in(text) == pytest.approx([float(material[name]) for name in ("score", "both", "result")], abs=1e-5)
    assert losses_in(text) == pytest.approx([float(epochs[1][name]) for name in ("score", "both", "result")], abs=1e-5)
    samples = open_records(np.fromfile(small, PSV))
    checks = (samples["flags"] & FLAGS["in_check"] != 0).sum()
    for row in epochs:
        assert int(row["in check"]) == checks > 0
        assert sum(int(row[name]) for name in ("positions", *LEFT_OUT)) == 2000
        assert min(int(row[name]) for name in ("positions", *LEFT_OUT)) > 0
        told = ", ".join(f"{row[name]} {name}" for name in LEFT_OUT)
        assert f"epoch {row['epoch']}: {row['positions']} positions, " in text
        assert f"; left out: {told}\n" in text
    everything = run("network", small, "--checkpoint", tmp_path / "other.npz", "--checks", "--captures", "--max-value",
                     "100000", "--epochs", "1", *QUICK["network"])
    assert "; left out: 0 in check, 0 best move captures, 0 beyond --max-value, " in everything


def test_where_nothing_is_left_to_learn_from_the_options_are_named(small: Path, tmp_path: Path) -> None:
    records = np.fromfile(small, PSV)
    quiet = wanted(open_records(records), Recipe(files={}))
    few = tmp_path / "few.psv"
    records[quiet][:300].tofile(few)
    done = invoke(learn, "network", few, "--checkpoint", tmp_path / "run.npz", "--validation", "0.99", status=1)
    refused(about="learn", counts="0 in check, 0 best move captures, 0 beyond --max-value, 300 held out").ended(done)
    assert all(option in done.output for option in ("--checks", "--captures", "--max-value"))


# -- What cannot be done -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("arguments", "fault"), [
    (["none.psv"], "none.psv"),
    (["games.csv"], r"games.csv: files of positions are named \*.psv or \*.hcpe"),
    (["small.psv", "--rates", "kp=x"], "'kp=x' does not read name=rate with one of tempo, kk"),
    (["small.psv", "--rates", "king=1"], "'king=1'"),
    (["small.psv", "--validation", "0"], "held out for validation; give more files, or a larger --validation"),
    (["small.psv", "--init", "small.psv"], "no weights file"),
    (["broken.psv"], r"broken.psv, in the \d records from 0 on: record \d holds ffff"),
])
def test_what_cannot_be_done_is_said(
    arguments: list[str], fault: str, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.parent)
    records = np.fromfile(small, PSV, 3)
    records["sfen"][:] = 255
    records.tofile("broken.psv")
    options = ["--checkpoint", "run.npz"] + (["--validation", "0.9"] if arguments == ["broken.psv"] else [])
    output = run("tables", *arguments, *options, status=2 if "--rates" in arguments else 1)
    assert re.match(f"Error: .*{fault}", output.splitlines()[-1])


@each(("option", "other"), [("--checkpoint", "run.npz"), ("--checkpoint", "folder/../run.npz"), ("--out", "small.psv"),
                            ("--book", "run.npz")])
def test_no_file_is_written_over_another(option: str, other: str, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small.parent)
    Path("folder").mkdir(exist_ok=True)
    before = small.read_bytes()
    files = {"--checkpoint": "checkpoint.npz", "--out": "run.npz"} | {option: other}
    if option == "--book":
        files = {"--checkpoint": "book.psv", "--book": "book.psv"}
        Path("book.psv").write_bytes(before)
    refused(path=...).ended(
        invoke(learn, "network", small, *[word for pair in files.items() for word in pair], "--epochs", "1", status=1))
    assert not Path("run.npz").exists()
    assert small.read_bytes() == before


def test_a_network_whose_sums_wrap_is_not_written(small: Path, tmp_path: Path) -> None:
    recipe = NetworkRecipe(files={}, validation=0.3)
    model = NetworkModel(recipe)
    held = Stream(open_sources([small]), recipe).held
    assert "first layer's sums: " in model.export(held, tmp_path / "out.weights", "")
    model.learner.parameters["first"][np.arange(1, 1548)] += 2
    with refused(largest=..., most=32767):
        model.export(held, tmp_path / "wrong.weights", "")
    assert not (tmp_path / "wrong.weights").exists()


def test_the_mean_of_networks(small: Path, tmp_path: Path, weights: Path) -> None:
    other, out = tmp_path / "other.weights", tmp_path / "mean.weights"
    run("network", small, "--init", PACKAGED, "--checkpoint", tmp_path / "run.npz", "--out", other, "--epochs", "1",
        "--rate", "0.001", *QUICK["network"])
    assert "quantised: " in run("mean", small, "--of", PACKAGED, "--of", other, "--out", out,
                                "--validation", "0.4")
    halves = [but_output_bias(read_weights(path)) for path in (PACKAGED, other)]
    found = read_weights(out)
    for name, array in but_output_bias(found).items():
        mean = (np.asarray(halves[0][name], float) + np.asarray(halves[1][name], float)) / 2
        assert np.abs(np.asarray(array) - mean).max() <= 0.5, name
    assert found.note == f"mean of {read_weights(PACKAGED).checksum[:16]}, {read_weights(other).checksum[:16]}"
    refused(file=out).ended(invoke(learn, "mean", small, "--of", PACKAGED, "--out", out, status=1))
    refused(path=weights).ended(invoke(learn, "mean", small, "--of", weights, "--out", tmp_path / "x", status=1))


def test_rounding_favours_neither_side_to_move(small: Path, tmp_path: Path) -> None:
    recipe = NetworkRecipe(files={}, validation=0.3)
    model = NetworkModel(recipe)
    weights, unit = model.learner.parameters["second"], model.form.units["second"]
    weights[:] = (np.rint(weights * unit) + 0.1) / unit     # all are rounded down
    held = Stream(open_sources([small]), recipe).held
    model.export(held, tmp_path / "out.weights", "")

    def shift(arrays: Mapping[str, Any]) -> float:
        """Of the mover's values by rounding, centipawns."""
        errors = network_values(held, EvalNetwork.from_arrays(arrays)) - model.values(held)
        return float(np.mean(np.where(held["turn"] == 0, errors, -errors)))

    assert abs(shift(read_weights(tmp_path / "out.weights").arrays)) < 0.5 < abs(
        shift(quantise_network(model.learner.parameters)))


# -- What it shows -----------------------------------------------------------------------------------------------------

STATE = RunState(NetworkRecipe(files={"some.psv": 9}), [0.61, 0.62, 0.63],
                 [Epoch(0.61, [0.6, 0.615, 0.62], 7), Epoch(0.6, [0.59, 0.61, 0.61], 7)])


def test_the_bound_grows_with_what_is_left_out() -> None:
    # Terms: 1 + 2 * (1 + 38 + 76 + 76) + 3 * 1406 dense, 2 * 38 + 1406 sparse.
    assert rounding_bound(1) == (4601 + 1482) / 2 / 32
    assert rounding_bound(4) == (4601 / 2 + 1482 * 3.5) / 32


def test_many_files_are_not_all_named_in_the_note() -> None:
    assert describe(STATE).startswith("7 positions of some.psv; epoch 2 of 4, blend 0.93; validation: score 0.59000, ")
    many = replace(STATE.recipe, files={f"{number}.psv": 1 for number in range(9)})
    assert describe(replace(STATE, recipe=many)).startswith("7 positions of 9 files, 0.psv to 8.psv; ")
