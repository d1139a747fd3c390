"""No two runs write one file of positions, or one checkpoint."""
from pathlib import Path

import pytest

from scripts import generate, learn
from tests.scripts.commands import invoke
from usi.files.locking import alone


def test_two_do_not_fill_one_file(tmp_path: Path) -> None:
    out = tmp_path / "own.psv"
    with alone(out):
        printed = invoke(generate, "--out", out, "--positions", 1, "--nodes", 9, "--eval-file", "material", status=1)
    assert f"{out} is being written by another process" in printed.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["network", "tables"])
def test_two_do_not_learn_into_one_checkpoint(small: Path, kind: str) -> None:
    checkpoint = small.with_suffix(".npz")
    with alone(checkpoint):
        printed = invoke(learn, kind, small, "--checkpoint", checkpoint, status=1)
    assert f"{checkpoint} is being written by another process" in printed.output
    assert list(small.parent.iterdir()) == [small]
