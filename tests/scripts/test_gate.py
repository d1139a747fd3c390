"""The gate: better tables pass both trials, worse ones fail the first, and only accepted ones are installed."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eval.loading import PACKAGED
from scripts import gate

SCRIPT = Path(gate.__file__)
QUICK = ("--nodes", "300", "--movetime", "5", "--sprt", "-200", "100", "--games", "60")


def command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    # `make debug` forbids that a script's folder is searched for modules, which is where its siblings are.
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONSAFEPATH": ""})


def test_better_tables_pass_both_trials(weights: Path) -> None:
    done = command(str(PACKAGED), "--old", str(weights), *QUICK)
    assert done.returncode == 0, done.stderr
    assert "nodes: " in done.stdout
    assert "time: " in done.stdout
    assert done.stdout.count("), 100 Elo accepted") == 2
    assert done.stdout.endswith(f"{PACKAGED} is accepted\n")


def test_worse_tables_fail_the_first_trial(weights: Path, tmp_path: Path) -> None:
    packaged = PACKAGED.read_bytes()
    done = command(str(weights), "--install", "--out", str(tmp_path), *QUICK)
    assert done.returncode == 1, done.stderr
    assert "), -200 Elo accepted" in done.stdout
    assert "time: " not in done.stdout
    assert done.stdout.endswith(f"{weights} is not accepted\n")
    assert PACKAGED.read_bytes() == packaged
    again = command(str(weights), "--out", str(tmp_path), *QUICK)
    assert again.stdout == done.stdout, "the games kept give the same verdict"


def test_accepted_tables_are_installed(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "default.weights"
    monkeypatch.setattr(gate, "PACKAGED", target)
    monkeypatch.setattr(gate, "passes", lambda *_: True)
    monkeypatch.setattr(sys, "argv", ["gate.py", str(weights), "--install"])
    with pytest.raises(SystemExit) as exit_:
        gate.main()
    assert exit_.value.code == 0
    assert target.read_bytes() == weights.read_bytes()
    assert "is accepted" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"nothing of the kind"])
def test_a_broken_file_is_refused_before_games(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.weights"
    broken.write_bytes(content)
    done = command(str(broken))
    assert done.returncode == 1
    assert done.stderr.startswith("gate: ")
    assert str(broken) in done.stderr
