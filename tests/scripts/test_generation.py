"""One command a generation: whole, broken off at each of its steps, accepted and not."""
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval.files import NETWORK, read_weights
from eval.loading import PACKAGED
from scripts import generation
from scripts.training.files import read
from tests.scripts.commands import invoke
from usi.locking import alone

TINY = ("--positions", 700, "--nodes", 40, "--hash", 1, "--epochs", 1, "--validation", 0.5, "--threads", 1,
        "--match-nodes", 40, "--movetime", 1, "--games", 2)


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that may be replaced."""
    copy = tmp_path / "packaged.weights"
    copy.write_bytes(PACKAGED.read_bytes())
    monkeypatch.setattr(generation, "PACKAGED", copy)
    return copy


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generation 1, made and accepted."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        asked = decide(patch, True)
        patch.setattr(generation, "install", lambda *_: None)
        run(folder, 1)
    (_, new, old, *_), = asked
    assert (new, old) == (folder / "1" / "after.weights", str(folder / "1" / "before.weights"))
    return folder


def run(folder: Path, number: int, *arguments: object, status: int = 0) -> str:
    return invoke(generation, number, "--folder", folder, *TINY, *arguments, status=status).output


def decide(patch: pytest.MonkeyPatch, verdict: bool) -> list[tuple[Any, ...]]:
    """Let the gate say that, and what it was asked."""
    asked: list[tuple[Any, ...]] = []

    def accepts(*arguments: Any) -> bool:
        asked.append(arguments)
        return verdict

    patch.setattr(generation, "accepts", accepts)
    return asked


def die(*_: object, **__: object) -> None:
    raise OSError("no room left")


@pytest.mark.slow
def test_a_generation_broken_off_at_each_step(
    tmp_path: Path, whole: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began_with = packaged.read_bytes()
    decide(monkeypatch, True)
    for step in ("generate", "learn", "accepts", "install"):
        with monkeypatch.context() as patch:
            patch.setattr(generation, step, die)
            assert "no room left" in run(tmp_path, 1, status=1)
        assert packaged.read_bytes() == began_with
    run(tmp_path, 1)
    for name in ("1.psv", "before.weights", "after.weights"):
        assert (tmp_path / "1" / name).read_bytes() == (whole / "1" / name).read_bytes(), name
    new = (tmp_path / "1" / "after.weights").read_bytes()
    assert packaged.read_bytes() == new != began_with
    assert read_weights(packaged).features == NETWORK
    run(tmp_path, 1)        # all is done
    assert packaged.read_bytes() == new


def test_the_next_one_learns_from_those_before_too(
    tmp_path: Path, whole: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(whole / "1", tmp_path / "1")
    older = tmp_path / "older.psv"
    read(tmp_path / "1" / "1.psv").tofile(older)
    decide(monkeypatch, True)
    run(tmp_path, 2, "--data", older, "--positions", 1)
    assert "older.psv, 1.psv, 2.psv" in read_weights(packaged).note


def test_what_is_not_accepted_is_not_packaged_nor_what_others_packaged_replaced(
    tmp_path: Path, whole: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch, weights: Path
) -> None:
    shutil.copytree(whole / "1", tmp_path / "1")
    decide(monkeypatch, False)
    assert "is not accepted" in run(tmp_path, 1, status=1)
    assert packaged.read_bytes() == PACKAGED.read_bytes()
    packaged.write_bytes(weights.read_bytes())
    decide(monkeypatch, True)
    assert "is no longer the file that" in run(tmp_path, 1, status=1)
    with alone(tmp_path / "1" / "generation"):
        assert "is being written by another process" in run(tmp_path, 1, status=1)
    assert packaged.read_bytes() == weights.read_bytes()


@pytest.mark.slow
def test_the_gate_s_games_are_kept(tmp_path: Path, whole: Path, packaged: Path) -> None:
    shutil.copytree(whole / "1", tmp_path / "1")
    printed = run(tmp_path, 1, status=1)
    assert "nodes: " in printed
    assert len((tmp_path / "1" / "gate" / "nodes.jsonl").read_text().splitlines()) >= 2
    again = run(tmp_path, 1, status=1)
    assert again.endswith(printed[printed.index("nodes: "):])
    assert packaged.read_bytes() == PACKAGED.read_bytes()
