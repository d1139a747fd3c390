"""The command that tunes: a break changes nothing."""
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from scripts import tune
from scripts.tuning.spsa import State
from tests.scripts.commands import invoke


@pytest.mark.slow
def test_the_command_continues_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tuning(path: Path, seed: int = 1, status: int = 0) -> str:
        return invoke(tune, "--margin", "history_bonus=10,1,40,4,0.5", "--iterations", 3, "--nodes", 50, "--jobs", 1,
                      "--state", path, "--seed", seed, status=status).output

    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    assert tuning(whole).startswith("history_bonus=")
    states: list[State] = []
    with monkeypatch.context() as patch:
        def break_off(self: State, path: Path) -> None:
            if self.done == 2:
                raise KeyboardInterrupt
            states.append(self)
            path.write_text(json.dumps(asdict(self)))
        patch.setattr(State, "save", break_off)
        assert "interrupted; the same command continues" in tuning(broken, status=130)
    assert len(states) == 1
    log = broken.with_suffix(".tsv")
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2"]
    tuning(broken)
    assert State.load(broken) == State.load(whole)
    assert log.read_text() == whole.with_suffix(".tsv").read_text()
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2", "3"]
    assert State.load(whole).done == 3
    assert "a tuning that differs in seed" in tuning(whole, seed=2, status=1)
