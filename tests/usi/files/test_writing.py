"""Files are written whole or not at all, and errors name them."""
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.system.parts import lock
from tests.each import each
from usi.files.writing import append, require_writable, write_file, write_new
from usi.words.reasons import reason

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


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_old_file_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(b"old")
    writers: list[Callable[[], None]] = [lambda: write_file(path, b"new"), lambda: require_writable(path)]
    for write in writers:
        with pytest.raises(OSError, match="No space") as caught:
            write()
        assert str(reason(caught.value)).startswith(f"'{path}': there is no room left on the disk; free some space")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit of files' sizes")
def test_what_a_full_disk_cuts_off_is_not_appended_at_all(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "folder" / "rows"
    append(path, b"12345")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9, hard))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            append(path, b"67890abc")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"12345"


@NEEDS_FULL
def test_a_device_that_is_full() -> None:
    with pytest.raises(OSError, match="No space") as caught:
        write_file(FULL, b"new")
    assert str(reason(caught.value)).startswith("'/dev/full': there is no room left")


def test_whether_it_can_be_written_is_tried_without_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    require_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    require_writable(path)
    assert path.read_bytes() == b"old"
    with pytest.raises(IsADirectoryError) as caught:
        require_writable(tmp_path)
    assert str(reason(caught.value)) == f"'{tmp_path}': this is a folder; name a file"


# -- Folders -----------------------------------------------------------------------------------------------------------

@each("write", [require_writable, lambda path: write_file(path, b"")])
def test_a_folder_that_is_missing_is_made_or_named_if_that_cannot_be(tmp_path: Path,
                                                                     write: Callable[[Path], None]) -> None:
    write(tmp_path / "absent" / "deeper" / "game.kif")
    assert (tmp_path / "absent" / "deeper").is_dir()
    shutil.rmtree(tmp_path / "absent")
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(OSError) as caught:      # noqa: PT011  its words are compared below
        write(tmp_path / "file" / "game.kif")
    assert str(reason(caught.value)).startswith(f"'{tmp_path / 'file'}': this is a file where a folder is needed")
    assert (tmp_path / "file").read_bytes() == b"old"


# -- Parts -------------------------------------------------------------------------------------------------------------

def test_no_link_is_followed_that_was_laid_where_a_file_is_written_first(tmp_path: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """A link is followed neither under a predictable temporary name nor under the file's own name."""
    path, victim = tmp_path / "game.kif", tmp_path / "victim"
    victim.write_bytes(b"mine")
    (tmp_path / f".game.kif.{os.getpid()}.part").symlink_to(victim)
    write_file(path, b"new")
    require_writable(path)
    monkeypatch.setattr("engine.system.parts.token_hex", lambda _: "0")
    (tmp_path / f".game.kif.{os.getpid()}.0.part").symlink_to(victim)
    writers: list[Callable[[], None]] = [lambda: write_file(path, b"newer"), lambda: require_writable(path)]
    for write in writers:
        with pytest.raises(FileExistsError):
            write()
    assert (path.read_bytes(), victim.read_bytes()) == (b"new", b"mine")


def test_what_a_dead_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """Files of running processes stay, and so do those of other machines, whose process ids mean nothing here."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    path = tmp_path / "game.kif"
    dead = [tmp_path / f".game.kif.{ended.pid}.{end}" for end in ("part", "12ab.part")]
    kept = [tmp_path / name for name in (f".game.kif.{os.getppid()}.12ab.part", f".game.kif.{ended.pid}.ff.part",
                                         f".other.kif.{ended.pid}.part", ".game.kif.part", "game.part")]
    for file in (*dead, *kept):
        file.write_bytes(b"part")
    with kept[1].open() as elsewhere:
        lock(elsewhere)
        write_file(path, b"new")
    assert sorted(tmp_path.iterdir()) == sorted([path, *kept])


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("棋" * 83 + ".kif")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"


# -- New files ---------------------------------------------------------------------------------------------------------

def test_a_new_file_takes_the_place_of_none(tmp_path: Path) -> None:
    """The next name is used even if another process takes the first one just before."""
    path = tmp_path / "new" / "game.kif"
    assert [write_new(path, bytes([number])) for number in range(3)] == [
        path, path.with_name("game-2.kif"), path.with_name("game-3.kif")]
    with pytest.MonkeyPatch.context() as patch:
        offered = iter([path, path.with_name("game-2.kif"), path.with_name("game-4.kif")])
        patch.setattr("usi.files.writing.unused", lambda _: next(offered))
        assert write_new(path, b"four") == path.with_name("game-4.kif")
    assert path.read_bytes() == b"\0"


@pytest.mark.usefixtures("full_disk")
def test_a_new_file_that_cannot_be_written_leaves_none(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        write_new(tmp_path / "game.kif", b"new")
    assert list(tmp_path.iterdir()) == []
