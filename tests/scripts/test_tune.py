"""The command that tunes: a break changes nothing."""
import json
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import Result

from scripts import tune
from scripts.games.search_player import SearchPlayer
from scripts.tuning.spsa import TuningState
from tests.each import each
from tests.faults import refused
from tests.scripts.commands import invoke, other_run
from usi.files.locking import Locked, alone


@pytest.mark.slow
def test_the_command_continues_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tuning(path: Path, seed: int = 1, status: int = 0) -> Result:
        return invoke(tune, "--margin", "history_bonus=10,1,40,4,0.5", "--iterations", 3, "--nodes", 50, "--jobs", 1,
                      "--state", path, "--seed", seed, status=status)

    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    assert tuning(whole).output.startswith("history_bonus=")
    states: list[TuningState] = []
    with monkeypatch.context() as patch:
        def break_off(self: TuningState, path: Path) -> None:
            if self.done == 2:
                raise KeyboardInterrupt
            states.append(self)
            path.write_text(json.dumps(asdict(self)))
        patch.setattr(TuningState, "save", break_off)
        assert "interrupted; the same command continues" in tuning(broken, status=130).output
    assert len(states) == 1
    log = broken.with_suffix(".tsv")
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2"]
    tuning(broken)
    assert TuningState.load(broken) == TuningState.load(whole)
    assert log.read_text() == whole.with_suffix(".tsv").read_text()
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["iteration", "1", "2", "3"]
    assert TuningState.load(whole).done == 3
    other_run(whole, "seed").ended(tuning(whole, seed=2, status=1))


def tune_quickly(path: Path, *arguments: object, status: int = 0) -> Result:
    return invoke(tune, "--margin", "history_bonus=10,1,40,4,0.5", "--iterations", 1, "--nodes", 20, "--jobs", 1,
                  "--state", path, *arguments, status=status)


def test_another_tuning_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once, other openings, and another search or other weights, which have another fingerprint."""
    state = tmp_path / "state.json"
    tune_quickly(state)
    before = state.read_bytes()
    with alone(state):
        refused(Locked, path=state).ended(tune_quickly(state, status=1))
    tune_quickly(state)
    (tmp_path / "other.sfen").write_text("startpos moves 7g7f\nstartpos moves 2g2f\n")
    other_run(state, "openings").ended(tune_quickly(state, "--openings", tmp_path / "other.sfen", status=1))
    monkeypatch.setattr(SearchPlayer, "fingerprint", "another")
    other_run(state, "fingerprint").ended(tune_quickly(state, status=1))
    assert state.read_bytes() == before


@each(("name", "data"), [
    *(("state.json", data) for data in (b"notes", b"[]", b'{"margins": [{}]}')),
    *(("state.tsv", data)
      for data in (b"iteration\tnull_base\n1\t3\n", b"\xff", b"iteration\thistory_bonus\n1\t9\n2\t8\n")),
])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    refused(path=path, about="margins" if path.suffix == ".tsv" else "state").ended(
        tune_quickly(tmp_path / "state.json", status=1))
    assert path.read_bytes() == data
    path.unlink()
