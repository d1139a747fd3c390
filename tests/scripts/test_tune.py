"""The command that tunes: by games and by deep values, and that a break changes nothing."""
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from engine import Position
from scripts import tune
from scripts.games.openings import OPENINGS, load
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
        assert "interrupted; the same command continues" in tuning(broken, status=1)
    assert len(states) == 1
    log = broken.with_suffix(".tsv")
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2"]
    tuning(broken)
    assert State.load(broken) == State.load(whole)
    assert log.read_text() == whole.with_suffix(".tsv").read_text()
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2", "3"]
    assert State.load(whole).done == 3
    assert "another tuning" in tuning(whole, seed=2, status=1)


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    path = tmp_path / "deep.jsonl"
    values = [{"sfen": Position.from_usi(opening).sfen, "move": "7g7f", "value": 0, "depth": 9}
              for opening in load(OPENINGS)[:6]]
    path.write_text("".join(json.dumps(line) + "\n" for line in [{}, *values]))
    return path


def test_the_command_continues_by_deep_values(tmp_path: Path, deep: Path) -> None:
    def tuning(path: Path, *more: object, status: int = 0) -> str:
        return invoke(tune, "--margin", "rfp_margin=80,0,300,70,0.5", "--iterations", 2, "--nodes", 300, "--jobs", 1,
                      "--deep", deep, "--state", path, *more, status=status).output

    path = tmp_path / "tune.json"
    assert tuning(path, "--batch", 3).startswith("rfp_margin=")
    kept = path.read_text()
    assert State.load(path).squares > 0
    assert tuning(path, "--batch", 3).startswith("rfp_margin=")
    assert path.read_text() == kept
    assert "another tuning" in tuning(path, "--batch", 4, status=1)
    assert "another tuning" in tuning(path, "--batch", 3, "--first", 5, status=1), "fewer deep values"
    assert "a batch of 7 cannot be drawn from 6" in tuning(tmp_path / "other.json", "--batch", 7, status=1)
    assert "--pairs are of games" in tuning(path, "--pairs", 1, status=2)


def test_what_is_of_deep_values_is_refused_without() -> None:
    for option in ("--batch", "--first"):
        assert "give --deep" in invoke(tune, "--margin", "history_bonus=10,1,40,4,0.5", "--iterations", 2, "--state",
                                       "none.json", option, 3, status=2).output
