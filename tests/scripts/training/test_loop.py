"""The training loop: killed anywhere, with settings changed on the way, and its curve."""
import csv
import json
import shutil
import time
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from eval.files import read_weights
from eval.loading import PACKAGED, PACKAGED_TABLES
from scripts import loop
from scripts.games.opponent import Score
from scripts.games.played import GAMES
from scripts.training import generations
from scripts.training.files import read
from scripts.training.filling import keep_recipe
from scripts.training.generations import Generation, Loop, LoopPlan, Step, curve
from scripts.training.stream import LEFT_OUT
from tests.each import each
from tests.processes import finished, running
from tests.scripts.commands import invoke, line
from usi.files.journal import read_journal
from usi.files.writing import write_file

STEPS = get_args(Step)
QUICK: list[object] = ["--positions", 300, "--nodes", 30, "--hash", 1, "--max-plies", 60, "--validation", 0.4,
                       "--batch", 32, "--rate", 0.001, "--threads", 1, "--games", 4, "--against", 30, "eval=material",
                       "--against", 20, "eval=material,rfp_beta=70"]


def run(folder: Path, *arguments: object, status: int = 0) -> str:
    return invoke(loop, folder, *QUICK, *arguments, status=status).output


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(), delimiter="\t"))


def rows(folder: Path) -> list[dict[str, str]]:
    return table(folder / "curve.tsv")


def kept(folder: Path) -> dict[str, Any]:
    """All that a run leaves behind, without the times at which things happened."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix in (".xz", ".weights") or path.name == "losses.tsv":
            found[name] = sha256(path.read_bytes()).hexdigest()
        elif path.name == "generation.json":
            found[name] = {key: value for key, value in json.loads(path.read_text()).items()
                           if key not in ("began", "ended")}
        elif path.suffix == ".jsonl":
            found[name] = [game.record for game in read_journal(path, GAMES)[1].values()]
        elif path.name != "curve.tsv":
            found[name] = None
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing has interrupted."""
    folder = tmp_path_factory.mktemp("loop") / "whole"
    run(folder, "--generations", 2)
    return folder


def test_each_generation_plays_learns_from_the_last_files_and_is_judged(whole: Path) -> None:
    baseline, first, second = rows(whole)
    assert [row["generation"] for row in (baseline, first, second)] == ["0", "1", "2"]
    assert {row["step"] for row in (baseline, first, second)} == {"done"}
    assert baseline["positions"] == "0"
    for number, row in ((1, first), (2, second)):
        folder = whole / f"{number:03}"
        assert int(row["positions"]) == len(read(folder / "positions.psv.xz")) >= 300
        recipe = json.loads((folder / "positions.psv.json").read_text())
        assert recipe["weights"] == sha256((whole / f"{number - 1:03}/network.weights").read_bytes()).hexdigest()
        assert float(row["training loss"]) > 0
        assert float(row["both loss"]) > 0
        learned = json.loads((folder / "generation.json").read_text())
        assert learned["recipe"]["init"] == read_weights(whole / f"{number - 1:03}/network.weights").checksum
        used = {f"{each:03}/positions.psv.xz": len(read(whole / f"{each:03}/positions.psv.xz"))
                for each in range(1, number + 1)}
        assert list(learned["recipe"]["files"].values()) == list(used.values())
        assert int(row["learned from"]) + sum(int(row[reason]) for reason in LEFT_OUT) == sum(used.values())
        assert not (folder / "run.npz").exists()
        assert [row["epoch"] for row in table(folder / "losses.tsv")] == ["0", "1"]
    assert read_weights(whole / "000/network.weights").checksum == read_weights(PACKAGED).checksum
    checksums = {read_weights(whole / f"{number:03}/network.weights").checksum for number in range(3)}
    assert len(checksums) == 3
    for row in (baseline, first, second):
        wins, draws, losses_ = (int(word[1:]) for word in row["material at 30"].split())
        assert wins + draws + losses_ == 4
        assert float(row["Elo against material,rfp_beta=70 at 20"]) > 0


def test_openings_of_judged_games_are_kept_out_of_self_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plans: list[LoopPlan] = []
    monkeypatch.setattr(Loop, "run", lambda self, *_: plans.append(self.plan))
    run(tmp_path)
    (plan,) = plans
    assert (len(plan.match_openings), len(plan.openings)) == (2, 2998)
    assert not set(plan.openings) & set(plan.match_openings)


class Killed(BaseException):
    pass


@pytest.mark.slow
def test_a_run_that_is_killed_between_any_two_writes_comes_to_the_same(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is killed before each file that the loop itself writes. The tests of the steps cover the other files."""
    folder = tmp_path / "killed"
    before = left = 0

    def killing(path: Path, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        write_file(path, data)

    monkeypatch.setattr(generations, "write_file", killing)
    kills = 0
    while True:
        left, before = before + 1, before + 1
        try:
            run(folder, "--generations", 2)
            break
        except Killed:
            kills += 1
    assert kills > 5
    assert kept(folder) == kept(whole)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in list(folder.rglob("*")) if path.exists())


def kill_at_random(command: list[str], folder: Path, chance: Random) -> None:
    """Run the command until it has written some files, and a moment longer."""
    with running(command) as process:
        for _ in range(chance.randint(1, 8)):
            before = size_of(folder)
            while size_of(folder) == before:
                assert process.poll() is None
                time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.2))


@pytest.mark.slow
def test_a_run_that_is_killed_at_random_loses_nothing(tmp_path: Path) -> None:
    """Nothing that was there before a kill is lost, and finished steps stay finished."""
    folder, chance = tmp_path / "loop", Random(1)
    command = line(loop, folder, *QUICK, "--jobs", 2)
    steps: dict[Path, int] = {}
    whole: dict[Path, bytes] = {}       # files that never change
    growing: dict[Path, bytes] = {}     # files that only grow

    def look() -> None:
        for path, data in whole.items():
            assert path.read_bytes() == data
        for path, data in growing.items():
            assert path.read_bytes().startswith(data)
        whole.update({path: path.read_bytes() for path in folder.rglob("*.weights")})
        for path in folder.rglob("*.jsonl"):
            data = path.read_bytes()
            growing[path] = data[:data.rfind(b"\n") + 1]
        for path in folder.rglob("generation.json"):
            found = STEPS.index(json.loads(path.read_text())["step"])
            assert found >= steps.get(path, 0)
            steps[path] = found
            if found:
                whole.update({each: each.read_bytes() for each in path.parent.glob("*.psv.xz")})

    for _ in range(4):
        kill_at_random(command, folder, chance)
        look()
    last = len(list(folder.glob("0*")))
    finished([*command, "--generations", str(last)])
    look()
    assert [row["step"] for row in rows(folder)] == ["done"] * (last + 1)
    assert not list(folder.glob("*.lock"))


# -- Other settings ----------------------------------------------------------------------------------------------------

@pytest.mark.slow
def test_settings_may_change_from_step_to_step(whole: Path, tmp_path: Path) -> None:
    """A generation learns from the last two files, one of them older than the run, and has another opponent."""
    old = tmp_path / "old.psv.xz"
    shutil.copy(whole / "001/positions.psv.xz", old)
    shutil.copytree(whole, folder := tmp_path / "loop")
    printed = run(folder, "--generations", 3, "--last", 2, "--before", old, "--against", 25, "eval=tables",
                  "--rate", 0.002)
    assert "generation 1 plays" not in printed
    learned = json.loads((folder / "003/generation.json").read_text())
    assert list(learned["recipe"]["files"]) == ["002/positions.psv.xz", "003/positions.psv.xz"]
    assert learned["recipe"]["rate"] == 0.002
    found = rows(folder)
    assert found[2]["tables at 25"] == ""
    assert found[3]["tables at 25"].startswith("+")
    shutil.rmtree(folder / "002")
    shutil.rmtree(folder / "003")
    run(folder, "--generations", 2, "--last", 2, "--before", old)
    learned = json.loads((folder / "002/generation.json").read_text())
    assert list(learned["recipe"]["files"]) == ["001/positions.psv.xz", "002/positions.psv.xz"]


def test_a_generation_may_learn_on_from_the_first_network(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, folder := tmp_path / "loop")
    shutil.rmtree(folder / "002")
    run(folder, "--generations", 2, "--from-first")
    learned = json.loads((folder / "002/generation.json").read_text())
    assert learned["recipe"]["init"] == read_weights(whole / "000/network.weights").checksum
    played = json.loads((folder / "002/positions.psv.json").read_text())
    assert played["weights"] == sha256((whole / "001/network.weights").read_bytes()).hexdigest()


def test_a_step_that_has_begun_keeps_to_its_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "generate", lambda out, recipe, *_: keep_recipe(out.with_suffix(".json"), recipe))
    assert "positions.psv.xz" in run(tmp_path, "--generations", 1, status=1), "it was not played to its end"
    said = run(tmp_path, "--generations", 1, "--nodes", 31, status=1)
    assert "positions.psv.json" in said
    assert "nodes" in said


@each(("arguments", "said"), [
    (["--init", "tables.weights"], "tables.weights holds no network of this engine's kind"),
    (["--init", "none"], "none"),
    (["--games", 6000], "self-play needs others; give fewer --games, or more --openings"),
    (["--against", 30, "eval=x/material"], "--against has material at 30 twice"),
    (["--own-values"], "--own-values says nothing without --rival"),
])
def test_what_cannot_be_done_is_said_before_anything_is_played(
    arguments: list[object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(PACKAGED_TABLES, "tables.weights")
    printed = run(tmp_path / "loop", *arguments, status=2 if arguments == ["--own-values"] else 1)
    assert said in printed.splitlines()[-1]
    assert not list((tmp_path / "loop").glob("*/*")), printed


def test_a_run_goes_on_from_its_own_weights(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, folder := tmp_path / "loop")
    assert run(folder, "--generations", 2, "--init", PACKAGED) == "", "nothing is left to do"
    assert "began with other weights" in run(folder, "--init", whole / "001/network.weights", status=1)


def test_a_damaged_note_is_named(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, folder := tmp_path / "loop")
    (folder / "001/generation.json").write_text('{"number": "one"}')
    assert "generation.json is damaged; delete it" in run(folder, "--generations", 2, status=1)


def test_the_curve_has_the_columns_of_all_opponents() -> None:
    some = [Generation(0, "done", scores=[Score("a at 9", 1, 0, 1, 0.0, 12.25, 0)]),
            Generation(1, "judging", losses=[0.5, 0.25, 0.125], training=0.75, left_out=[1, 2, 3, 4],
                       scores=[Score("b at 9", 2, 0, 0, float("inf"), float("inf"), 0)])]
    head, first, second = (row.split("\t") for row in curve(some).splitlines())
    assert head[-6:] == ["a at 9", "Elo against a at 9", "±", "b at 9", "Elo against b at 9", "±"]
    assert first[-6:] == ["+1 =0 -1", "0.0", "12.2", "", "", ""]
    assert second[-6:] == ["", "", "", "+2 =0 -0", "inf", "inf"]
    assert second[6:14] == ["0.75", "0.5", "0.25", "0.125", "1", "2", "3", "4"]
