"""The gate: better tables pass both trials, worse ones fail the first, and only accepted ones are installed."""
import os
from pathlib import Path

import pytest

from eval.files import read_weights
from eval.loading import PACKAGED, PACKAGED_TABLES
from scripts import gate
from scripts.games.gating import install
from tests.faults import refused
from tests.scripts.commands import invoke, spawn

QUICK = ("--nodes", "300", "--movetime", "5", "--sprt", "-200", "100", "--games", "60")


@pytest.mark.slow
def test_better_tables_pass_both_trials(weights: Path) -> None:
    printed, _ = spawn(gate, PACKAGED, "--old", weights, *QUICK)
    assert "nodes: " in printed
    assert "time: " in printed
    assert printed.count("), 100 Elo accepted") == 2
    assert printed.endswith(f"{PACKAGED} is accepted\n")


@pytest.mark.slow
def test_worse_tables_fail_the_first_trial(weights: Path, tmp_path: Path) -> None:
    packaged = PACKAGED.read_bytes()
    printed = invoke(gate, weights, "--install", "--out", tmp_path, *QUICK, status=1).stdout
    assert "), -200 Elo accepted" in printed
    assert "time: " not in printed
    assert printed.endswith(f"{weights} is not accepted\n")
    assert PACKAGED.read_bytes() == packaged
    again = invoke(gate, weights, "--out", tmp_path, *QUICK, status=1).stdout
    assert again == printed, "the games kept give the same verdict"


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of that of the packaged weights."""
    target = tmp_path / "default.weights"
    target.write_bytes(PACKAGED_TABLES.read_bytes())
    monkeypatch.setattr(gate, "PACKAGED", target)
    return target


def test_accepted_tables_are_installed(weights: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "accepts", lambda *_: True)
    printed = invoke(gate, weights, "--install").output
    assert target.read_bytes() == weights.read_bytes()
    assert "is accepted" in printed


@pytest.mark.parametrize("replaced", ["new", "packaged"])
def test_weights_that_did_not_play_are_not_installed(weights: Path, target: Path, monkeypatch: pytest.MonkeyPatch,
                                                     replaced: str) -> None:
    """A file may be replaced while the games go on for hours; so may the packaged one."""
    files = {"new": target.with_name("new.weights"), "packaged": target}
    files["new"].write_bytes(weights.read_bytes())

    def accepts(*_: object) -> bool:
        files[replaced].write_bytes(PACKAGED.read_bytes())
        return True

    monkeypatch.setattr(gate, "accepts", accepts)
    fault = refused(path=target, new=files["new"]) if replaced == "packaged" else refused(path=files["new"])
    fault.ended(invoke(gate, files["new"], "--install", status=1))
    expected = PACKAGED if replaced == "packaged" else PACKAGED_TABLES
    assert files["packaged"].read_bytes() == expected.read_bytes()


def test_an_installation_that_is_broken_off_leaves_the_old_weights(weights: Path, target: Path,
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    old = target.read_bytes()
    seen: list[bytes] = []

    def fsync(_number: int) -> None:        # all has been written, but not to its place
        seen.append(target.read_bytes())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="No space"):
        install(weights, read_weights(weights).checksum, target, read_weights(target).checksum)
    assert (target.read_bytes(), seen) == (old, [old])
    assert list(target.parent.iterdir()) == [target]
