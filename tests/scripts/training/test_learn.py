"""The learning command: reading, splitting by game, resuming, what it prints and writes, and that it learns."""
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.packed import PSV, converted
from eval.files import read_weights
from eval.learner import Learner
from eval.quantised import dense
from eval.samples import UNKNOWN_RESULT, targets
from scripts import learn
from scripts.training.curve import curve_lines, draw_curve
from scripts.training.dataset import game_numbers, load
from scripts.training.learning import State
from scripts.training.model import rounding_bound
from scripts.training.recipe import LearningRecipe, rates_of
from tests.scripts.commands import invoke

RATES = ["--rate", "1", "--threads", "1"]


def recipe(files: dict[str, int], **changes: object) -> LearningRecipe:
    given = {"files": files, "books": {}, "init": "", "blend": 0.6, "rates": rates_of(1, "kpp=0"), "prior": 1.0,
             "decay": 1.0, "validation": 0.3, "max_value": 3000, "checks": False, "captures": False, "threads": 1,
             "seed": 1}
    return LearningRecipe(**{**given, **changes})   # type: ignore[arg-type]


def run(*arguments: str | Path, status: int = 0) -> str:
    return invoke(learn, *arguments, status=status).output


# -- Reading -----------------------------------------------------------------------------------------------------------

def test_a_game_begins_where_the_ply_does_not_rise() -> None:
    assert game_numbers(np.array([1, 2, 5, 5, 6, 3, 4])).tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert game_numbers(np.zeros(450, np.uint16)).tolist() == [0] * 200 + [1] * 200 + [2] * 50
    assert game_numbers(np.zeros(0, np.uint16)).tolist() == []


def test_a_book_is_for_training_alone_and_judged_by_its_scores(played: Path, small: Path) -> None:
    every = recipe({played.name: len(np.fromfile(played, PSV))}, books={small.name: 2000}, checks=True, captures=True,
                   max_value=32767)
    training, held, held_of = load([played], [small], every)
    without, same, _ = load([played], [], every)
    assert len(training) == len(without) + 2000
    assert held_of == {played.name: len(held)}
    assert np.array_equal(held, same)
    assert (training["result"] == UNKNOWN_RESULT).sum() == 2000
    book = training[-2000:]
    assert np.array_equal(targets(book, 0.2), targets(book, 1.0))
    assert not np.array_equal(targets(without, 0.2), targets(without, 1.0))


def test_no_game_is_on_both_sides(played: Path) -> None:
    records = np.fromfile(played, PSV)
    marked = records.copy()
    marked["score"] = game_numbers(records["gamePly"])      # a score that says which game
    path = played.with_name("marked.psv")
    marked.tofile(path)
    training, held, _ = load([path], [], recipe({path.name: len(marked)}, checks=True, captures=True))
    assert len(training) + len(held) == len(marked)
    games = [set(np.abs(samples["value"]).tolist()) for samples in (training, held)]
    assert all(games)
    assert not games[0] & games[1]


def test_positions_kept_apart_lie_file_by_file(played: Path, small: Path) -> None:
    every = recipe({small.name: 2000, played.name: len(np.fromfile(played, PSV))}, validation=0.3)
    _, held, held_of = load([small, played], [], every)
    _, alone, _ = load([small], [], every)
    assert held_of == {small.name: len(alone), played.name: len(held) - len(alone)}
    assert np.array_equal(held[: len(alone)], alone)


def test_files_of_the_same_name_are_refused(small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / small.name
    other.parent.mkdir()
    other.write_bytes(small.read_bytes())
    assert f"rename one of the two {small.name}" in run(small, other, "--checkpoint", tmp_path / "run.npz", status=1)


def test_positions_of_little_use_are_left_out(played: Path) -> None:
    count = len(np.fromfile(played, PSV))
    every = recipe({played.name: count}, checks=True, captures=True, max_value=32767)
    sizes = {}
    cases: dict[str, dict[str, object]] = {"all": {}, "checks": {"checks": False}, "captures": {"captures": False},
                                           "value": {"max_value": 500}}
    for name, changes in cases.items():
        kept = np.concatenate(load([played], [], LearningRecipe(**{**every.__dict__, **changes}))[:2])
        sizes[name] = len(kept)
        if name == "value":
            value, material = kept["value"].astype(int), kept["material"].astype(int)
            assert (np.minimum(np.abs(value), np.abs(value - material)) <= 500).all()
            assert (np.abs(value) > 500).any()
    assert sizes["all"] == count
    assert max(sizes["checks"], sizes["captures"], sizes["value"]) < count


def test_hcpe_is_read_like_psv(played: Path) -> None:
    records = np.fromfile(played, PSV)
    path = played.with_name("games.hcpe")
    converted(records).tofile(path)
    of_psv, of_hcpe = (np.concatenate(load([each], [], recipe({each.name: len(records)}))[:2])
                       for each in (played, path))
    assert len(of_psv) == len(of_hcpe)
    assert sorted(of_psv.tobytes()) == sorted(of_hcpe.tobytes())


# -- The command -------------------------------------------------------------------------------------------------------

@pytest.mark.slow
def test_it_beats_material_on_held_out_games(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.weights"
    text = run(played, "--checkpoint", tmp_path / "run.npz", "--out", out, "--epochs", "3", "--validation", "0.3",
               "--rate", "0.15", "--prior", "100", "--threads", "1")
    state = State.load(tmp_path / "run.npz", Learner())
    assert state.curve[-1][1] < state.material - 0.002
    assert f"loss of material alone {state.material:.5f}" in text
    assert "centipawns off (bound 95)" in text
    stored = read_weights(out)
    assert f"validation {state.curve[-1][1]:.5f}" in stored.note
    assert len(stored.arrays["kpp_index"]) == 0     # too few positions for them
    assert dense(stored.arrays, stored.tempo).any()


def test_a_resumed_run_comes_to_the_same(small: Path, tmp_path: Path) -> None:
    files = {}
    for name, parts in {"whole": ["2"], "parts": ["1", "2"]}.items():
        for epochs in parts:
            run(small, "--checkpoint", tmp_path / f"{name}.npz", "--out", tmp_path / f"{name}.weights",
                "--residual-from", "0", "--epochs", epochs, *RATES)
        files[name] = (tmp_path / f"{name}.weights").read_bytes()
    assert files["whole"] == files["parts"]
    assert len(read_weights(tmp_path / "whole.weights").arrays["kpp_index"])


def test_it_continues_from_accepted_weights(small: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.weights", tmp_path / "second.weights"
    run(small, "--checkpoint", tmp_path / "first.npz", "--out", first, "--epochs", "1", *RATES)
    # At no rate at all they stay what they were.
    run(small, "--checkpoint", tmp_path / "second.npz", "--out", second, "--init", first, "--epochs", "1",
        "--rate", "0")
    old, new = read_weights(first), read_weights(second)
    assert new.arrays == old.arrays
    assert new.tempo == old.tempo
    assert old.checksum[:16] in new.note


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["none.psv"], "none.psv"),
        (["games.csv"], r"games.csv: training files are named \*.psv or \*.hcpe"),
        (["small.psv", "--rates", "kp=x"], "'kp=x' does not read name=rate with one of tempo, kk"),
        (["small.psv", "--rates", "king=1"], "'king=1'"),
        (["small.psv", "--validation", "0"], "0 for validation: too few"),
        (["small.psv", "--init", "small.psv"], "no weights file"),
        (["broken.psv"], "broken.psv, counted from record 0: record 1 holds ffff"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], fault: str, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.parent)
    records = np.fromfile(small, PSV, 3)
    records["sfen"][1] = 255
    records.tofile("broken.psv")
    assert re.match(f"Error: .*{fault}", run(*arguments, "--checkpoint", "run.npz", status=1))


def test_a_checkpoint_of_another_run_is_refused(small: Path, tmp_path: Path) -> None:
    run(small, "--checkpoint", tmp_path / "run.npz", "--epochs", "1", *RATES)
    complaint = run(small, "--checkpoint", tmp_path / "run.npz", *RATES, "--blend", "0.5", "--seed", "9", status=1)
    assert "run.npz is of a run that differs in blend, seed; name another" in complaint
    with np.load(tmp_path / "run.npz") as stored:
        parts = dict(stored)
    state = json.loads(str(parts["state"]))
    del state["recipe"]["rates"]["kp_turn"]         # as before there was this set
    np.savez(tmp_path / "run.npz", **parts | {"state": np.array(json.dumps(state))})
    complaint = run(small, "--checkpoint", tmp_path / "run.npz", *RATES, status=1)
    assert "is no checkpoint of this learner (it has or lacks the sets kp_turn); name another, or" in complaint
    (tmp_path / "run.npz").write_bytes(b"nothing")
    complaint = run(small, "--checkpoint", tmp_path / "run.npz", *RATES, status=1)
    assert "is no checkpoint of this learner" in complaint


# -- What it shows -----------------------------------------------------------------------------------------------------

def test_the_curve_is_drawn_by_what_is_gained_on_material() -> None:
    state = State(recipe({}), 0.62, [(0.61, 0.615), (0.60, 0.61), (0.59, 0.63)])
    lines = list(curve_lines(state))
    assert [line.count("#") for line in lines] == [0, 25, 50, 0]
    assert lines[2].startswith("    2   0.60000     0.61000")


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    draw_curve(State(recipe({}), 0.62, [(0.61, 0.615), (0.60, 0.61)]), tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()


def test_without_matplotlib_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ValueError, match="pip install matplotlib"):
        draw_curve(State(recipe({}), 0.62, [(0.61, 0.615)]), tmp_path / "curve.svg")


def test_the_bound_grows_with_what_is_left_out() -> None:
    # Terms: 1 + 2 * (1 + 38 + 76 + 76) + 3 * 1406 dense, 2 * 38 + 1406 sparse.
    assert rounding_bound(1) == (4601 + 1482) / 2 / 32
    assert rounding_bound(4) == (4601 / 2 + 1482 * 3.5) / 32
