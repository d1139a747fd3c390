"""Locks on files that only one process may write at a time. The file itself may be replaced meanwhile."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import refused
from tests.processes import SECONDS
from usi.files.locking import Locked, alone
from usi.files.writing import write_file

HOLD = """
import sys
from pathlib import Path
from usi.files.locking import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "run.json"
    with alone(path):
        write_file(path, b"{}")
        with refused(Locked, path=path), alone(path):
            pass
        with alone(tmp_path / "other"):
            pass
    with alone(path):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_what_goes_wrong_in_the_block_is_raised(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent"), alone(tmp_path / "run.json"):
        (tmp_path / "absent").read_bytes()
    assert list(tmp_path.iterdir()) == []


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        with refused(Locked, path=path), alone(path):
            pass
        process.kill()
        process.wait(SECONDS)
    with alone(path):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no open file")
def test_a_lock_on_a_file_that_was_removed_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may end its block between our opening of the file and our lock on it."""
    name = tmp_path / "run.json.lock"
    removed: list[Path] = []
    same = os.path.samestat

    def samestat(first: os.stat_result, second: os.stat_result) -> bool:
        if not removed:
            removed.append(name)
            name.unlink()
            name.touch()
            return same(first, name.stat())
        return same(first, second)

    monkeypatch.setattr(os.path, "samestat", samestat)
    with alone(tmp_path / "run.json"):
        assert removed
        with refused(Locked, path=tmp_path / "run.json"), alone(tmp_path / "run.json"):
            pass
