"""The gate: better tables pass both trials, worse ones fail the first, and only accepted ones are installed."""
from pathlib import Path

import pytest

from eval.loading import PACKAGED
from scripts import gate
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


def test_accepted_tables_are_installed(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "default.weights"
    monkeypatch.setattr(gate, "PACKAGED", target)
    monkeypatch.setattr(gate, "accepts", lambda *_: True)
    printed = invoke(gate, weights, "--install").output
    assert target.read_bytes() == weights.read_bytes()
    assert "is accepted" in printed


@pytest.mark.parametrize("content", [b"", b"nothing of the kind"])
def test_a_broken_file_is_refused_before_games(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.weights"
    broken.write_bytes(content)
    complaint = invoke(gate, broken, status=1).output
    assert complaint.startswith("Error: ")
    assert str(broken) in complaint
