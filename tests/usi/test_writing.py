"""Files are written whole or not at all, and errors name them."""
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from usi.reasons import reason
from usi.writing import require_writable, write_file

FULL = Path("/dev/full")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


def test_what_is_written_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    write_file(path, b"old")
    os.chmod(path, 0o640)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
    assert sys.platform == "win32" or stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "game.kif", tmp_path / "link.kif"
    path.write_bytes(b"old")
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("links are not allowed here")
    write_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_full_disk_leaves_the_old_file_and_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    writers: list[Callable[[], None]] = [lambda: write_file(path, b"new"), lambda: require_writable(path)]
    for write in writers:
        with pytest.raises(OSError, match="No space") as caught:
            write()
        assert reason(caught.value).startswith(f"'{path}': there is no room left on the disk; free some space")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@NEEDS_FULL
def test_a_device_that_is_full() -> None:
    with pytest.raises(OSError, match="No space") as caught:
        write_file(FULL, b"new")
    assert reason(caught.value).startswith("'/dev/full': there is no room left")


def test_whether_it_can_be_written_is_tried_without_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    require_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    require_writable(path)
    assert path.read_bytes() == b"old"
    with pytest.raises(OSError, match="is a folder"):
        require_writable(tmp_path)
    with pytest.raises(OSError, match="there is no folder"):
        require_writable(tmp_path / "absent" / "game.kif")
