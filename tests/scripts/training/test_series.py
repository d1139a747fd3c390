"""Self-play that fills a folder, file after file: killed and continued, each file with the weights of its time."""
import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from eval.files import NETWORK, read_weights, write_weights
from eval.loading import PACKAGED
from scripts import generate
from scripts.cli import command as priority
from scripts.training import filling, series
from scripts.training.files import read
from scripts.training.selfplay import SelfPlayRecipe
from scripts.training.series import Series, fill_series
from tests.faults import refused
from tests.processes import children_of, finished, running
from tests.scripts.commands import line
from usi.files.locking import Locked, alone

QUICK = SelfPlayRecipe(depth=None, nodes=40, max_plies=60, hash_mb=1)


def fill(folder: Path, positions: int, evaluation: str = "material", seed: int = 1, **changes: Any) -> None:
    fill_series(folder, replace(QUICK, **changes), ["startpos"], positions, 300, 1, seed, evaluation)


def manifest(folder: Path) -> list[dict[str, Any]]:
    entries = json.loads((folder / "manifest.json").read_text())
    assert isinstance(entries, list)
    return entries


def network(path: Path, note: str) -> None:
    """A copy of the packaged one, which differs in its note."""
    write_weights(path, read_weights(PACKAGED).arrays, 0, note, NETWORK)


def test_files_are_filled_one_after_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path, 700)
    entries = manifest(tmp_path)
    assert [entry["file"] for entry in entries] == [f"0000{number}-material.psv.xz" for number in (1, 2, 3)]
    assert [entry["seed"] for entry in entries] == ["1/1", "1/2", "1/3"]
    assert capsys.readouterr().out.startswith(f"00001-material.psv.xz: {entries[0]['positions']} positions, ")
    found = [read(tmp_path / entry["file"]) for entry in entries]
    assert [entry["positions"] for entry in entries] == list(map(len, found))
    assert sum(map(len, found)) >= 700 > sum(map(len, found[:2])) >= 600
    sets = [{record["sfen"].tobytes() for record in records} for records in found]
    assert len(sets[0] & sets[1]) < 30, "other games, which begin alike"
    assert all(entry["began"] <= entry["ended"] and entry["recipe"]["nodes"] == 40 for entry in entries)
    assert not list((tmp_path / "next").iterdir())
    fill(tmp_path, 700)
    assert manifest(tmp_path) == entries, "there are enough"


@pytest.mark.slow
def test_a_file_begins_with_the_weights_of_the_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the weights change while a file is being filled, the next file is played with the new ones."""
    weights = tmp_path / "packaged.weights"
    network(weights, "first")
    own_fill, played = filling.fill, []

    def fill_and_package(file: Any, recipe: SelfPlayRecipe, openings: list[str], positions: int, jobs: int, seed: str,
                         name: str, scheduler: str | None) -> str:
        network(weights, "second")
        played.append(read_weights(Path(name)).note)
        return own_fill(file, recipe, openings, positions, jobs, seed, name, scheduler)

    monkeypatch.setattr(series, "fill", fill_and_package)
    fill(tmp_path / "self", 600, str(weights))
    assert played == ["first", "second"]
    digests = [entry["recipe"]["weights"] for entry in manifest(tmp_path / "self")]
    assert len(set(digests)) == 2
    assert [entry["file"][6:14] for entry in manifest(tmp_path / "self")] == [digest[:8] for digest in digests]


@pytest.mark.slow
def test_weights_that_are_being_replaced_do_not_end_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights, folder = tmp_path / "packaged.weights", tmp_path / "self"
    weights.write_bytes(PACKAGED.read_bytes()[:1000])
    with refused(about="short", at=weights, size=1000, expected=...):
        fill(folder, 300, str(weights))
    weights.write_bytes(PACKAGED.read_bytes())
    fill(folder, 300, str(weights))
    weights.write_bytes(PACKAGED.read_bytes()[:1000])
    fill(folder, 600, str(weights))
    first, second = manifest(folder)
    assert first["recipe"] == second["recipe"]
    assert f"playing on by {folder}" in capsys.readouterr().err


@pytest.mark.slow
def test_it_goes_on_wherever_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is stopped before the first game of a file, in the middle of it, and between its last game and the
    manifest. The files are the same as without stops."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    fill(whole, 600)

    def die(*_: object) -> str:
        raise OSError("no room left")

    with monkeypatch.context() as patch:
        patch.setattr(series, "fill", die)
        with pytest.raises(OSError, match="no room left"):
            fill(parts, 600)
    assert [entry["ended"] for entry in manifest(parts)] == [None]
    for step in ("unfinished", "_write"):
        with monkeypatch.context() as patch:
            end = Series.end

            def end_badly(self: Series, entry: Any, step: str = step, end: Any = end) -> None:
                with monkeypatch.context() as worse:
                    worse.setattr(Series, step, die)
                    end(self, entry)
            patch.setattr(Series, "end", end_badly)
            with pytest.raises(OSError, match="no room left"):
                fill(parts, 600)
    fill(parts, 600)
    assert len(manifest(parts)) == len(manifest(whole)) == 2
    for entry in manifest(whole):
        assert read(parts / entry["file"]).tobytes() == read(whole / entry["file"]).tobytes()


def test_a_file_of_another_recipe_or_seed_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[dict[str, Any]] = [{}, {"nodes": 50}, {"nodes": 50, "seed": 2}]
    for change, (place, name) in zip(changes, [(Series, "end"), (series, "fill"), (series, "fill")], strict=True):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, lambda *_: exit())
            with pytest.raises(SystemExit):
                fill(tmp_path, 600 if change else 300, **change)
    fill(tmp_path, 600, **changes[-1])
    entries = manifest(tmp_path)
    assert [(entry["recipe"]["nodes"], entry["seed"]) for entry in entries] == [(40, "1/1"), (50, "1/2"), (50, "2/3")]
    assert [entry["positions"] > 0 for entry in entries] == [True, False, True]
    assert all(entry["ended"] for entry in entries)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has an idle class to be seen")
def test_background_work_has_the_lowest_priority() -> None:
    lines = ("import os", "from scripts.cli.command import go_last", "go_last()",
             "print(os.nice(0), os.sched_getscheduler(0))")
    assert finished([sys.executable, "-c", "\n".join(lines)]).stdout == f"19 {os.SCHED_IDLE}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sessions")
@pytest.mark.parametrize(("enabled", "own", "after"), [("0", True, "nice 0"), ("1", True, "19"),
                                                       ("1", False, "nice 0")])
def test_its_session_has_the_lowest_priority_where_sessions_are_scheduled(
    enabled: str, own: bool, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(priority, "Path", lambda path: tmp_path / path.rsplit("/", 1)[1])
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid() if own else 1)
    (tmp_path / "sched_autogroup_enabled").write_text(f"{enabled}\n")
    (tmp_path / "autogroup").write_text("nice 0")
    priority._put_session_last()
    assert (tmp_path / "autogroup").read_text() == after
    assert ("start it by setsid" in capsys.readouterr().err) == (enabled == "1" and not own)


@pytest.mark.slow
def test_a_kill_loses_the_last_block_at_most(tmp_path: Path) -> None:
    """The run is killed five times, each time after at least one more file. Nothing that was written is lost."""
    command = line(generate, "--folder", tmp_path, "--file-positions", 400, "--nodes", 40, "--hash", 1, "--eval-file",
                   "material", "--jobs", 2)
    rng = Random(1)
    kept: dict[str, bytes] = {}
    for number in range(5):
        with running(command) as run:
            while len(list(tmp_path.glob("*.psv.xz"))) <= number:
                assert run.poll() is None
                time.sleep(0.1)
            time.sleep(rng.random())
            for child in children_of(run.pid)[: rng.randrange(2)]:
                os.kill(child, signal.SIGKILL)
            run.kill()
            run.communicate()
        for path in tmp_path.glob("*.psv.xz"):
            data = read(path).tobytes()
            assert kept.setdefault(path.name, data) == data
    done = [entry for entry in manifest(tmp_path) if entry["ended"]]
    assert len(done) >= 4
    assert all(entry["positions"] == len(read(tmp_path / entry["file"])) >= 400 for entry in done)


def test_a_folder_is_one_process_s(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    with alone(path), refused(Locked, path=path):
        fill(tmp_path, 1)
    for text in ('[{"file": 1}]', "1", "[" * 100_000):
        (tmp_path / "manifest.json").write_text(text)
        with refused(path=tmp_path / "manifest.json", fault=...):
            fill(tmp_path, 1)


@pytest.mark.parametrize(("name", "value"), [("file", "../../mine.psv.xz"), ("file", "00001-../mine.psv.xz"),
                                             ("file", "mine.psv.xz"), ("file", "00001-material.psv.xz\n"),
                                             ("weights", "../../mine"), ("weights", "")])
def test_a_manifest_names_no_file_outside_of_its_folder(name: str, value: str, tmp_path: Path) -> None:
    folder, mine = tmp_path / "deep/self", tmp_path / "mine.psv.xz"
    fill(folder, 10)
    entries = manifest(folder)
    (entries[0] if name == "file" else entries[0]["recipe"])[name] = value
    entries[0]["ended"] = None
    (folder / "manifest.json").write_text(json.dumps(entries))
    mine.write_bytes(b"mine")
    with refused(path=folder / "manifest.json", fault=...):
        fill(folder, 20, str(tmp_path / "no.weights"))
    assert mine.read_bytes() == b"mine"


def test_files_of_a_lost_manifest_are_not_replaced(tmp_path: Path) -> None:
    fill(tmp_path, 300)
    (entry,) = manifest(tmp_path)
    data = (tmp_path / entry["file"]).read_bytes()
    (tmp_path / "manifest.json").unlink()
    fill(tmp_path, 300, seed=2)
    (other,) = manifest(tmp_path)
    assert (other["file"], other["seed"]) == ("00002-material.psv.xz", "2/2")
    assert (tmp_path / entry["file"]).read_bytes() == data
